import ArgumentParser
import ChatStore
import HTTPRouting
import PostgresStore

/// `parley store check`: looks whether a store keeps its rules.
struct CheckStore: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Look whether a store keeps its rules.",
        discussion: """
            It reads the rows, the event log, the counters and the files, and changes nothing. A gateway may run \
            meanwhile. Each fault is a line on standard output, and the exit status is 1 then.
            """)

    @OptionGroup var flags: StoreFlags

    var quiet: Bool { flags.quiet }

    func settings() async throws -> Settings? { try await flags.settings() }

    func run(_ output: Output, _ settings: Settings?) throws {
        guard let settings else { return }
        let folder = settings.string(.data)
        let reader: any StoreReader
        switch try StoreAddress(settings) {
        case .sqlite: reader = try ChatStore.reader(folder: folder)
        case .postgres(let address):
            reader = try ChatStore.reader(postgres: try PostgresOptions(address: address, gateway: "store check"))
        }
        defer { reader.close() }
        let isFolder = try StoreAddress(settings) == .sqlite
        let place: FilePlace = isFolder ? .folder(folder + "/files") : .rows
        if try Self.faults(of: reader, place, output) > 0 { throw ExitCode(CommandFailure.Status.refused.rawValue) }
    }

    /// Tells the faults of a store one by one, and returns how many there are.
    static func faults(of reader: any StoreReader, _ place: FilePlace, _ output: Output) throws -> Int {
        var faults = try reader.inspect(end: { report($0, output) }) { output.line("\($0)".shownSafely) }
        let files = try reader.inspectFiles(in: place, digest: digest) { output.line("\($0)".shownSafely) }
        report(files, output)
        faults += files.faults
        switch faults {
        case 0: output.inform("The store keeps all its rules.")
        case 1: output.inform("1 fault was found.")
        default: output.inform("\(faults) faults were found.")
        }
        return faults
    }

    static func report(_ part: CheckedPart, _ output: Output) {
        let rows = part.rows == 0 ? "" : ", \(part.rows) looked at"
        output.inform("checked \(part.check)\(rows)" + (part.faults == 0 ? "" : ", \(part.faults) faults"))
    }

    static func digest(_ next: () throws -> [UInt8]?) throws -> [UInt8] {
        var hash = SHA256()
        while let piece = try next() { hash.update(piece) }
        return hash.finish()
    }
}
