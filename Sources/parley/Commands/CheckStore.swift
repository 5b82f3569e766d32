import ArgumentParser
import ChatStore
import Configuration
import Foundation
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

    @OptionGroup var place: FolderFlags
    @Option(
        help: ArgumentHelp(
            "Where the rows are: sqlite, in the data folder; or a PostgreSQL database, postgres://..",
            valueName: "store"))
    var store: String?
    @Flag(name: .shortAndLong, help: "Tell faults only.")
    var quiet = false

    func settings() async throws -> Settings? { try await place.settings(store.map { [.store: .string($0)] } ?? [:]) }

    func run(_ output: Output, _ settings: Settings?) throws {
        guard let settings else { return }
        let folder = settings.string(.data)
        let reader: any StoreReader
        switch try StoreAddress(settings) {
        case .sqlite: reader = try ChatStore.reader(folder: folder)
        case .postgres(let address):
            reader = try ChatStore.reader(postgres: PostgresOptions(address: address, gateway: "store check"))
        }
        defer { reader.close() }
        var faults = try Self.checkRows(reader, output)
        if case .sqlite = try StoreAddress(settings) { faults += try Self.checkFiles(reader, folder, output) }
        output.note(faults == 0 ? "The store keeps all its rules." : "\(faults) faults were found.")
        if faults > 0 { throw ExitCode(CommandFailure.Status.refused.rawValue) }
    }

    static func checkRows(_ reader: any StoreReader, _ output: Output) throws -> Int {
        try reader.inspect(end: { tell($0, output) }) { output.line("\($0)".shownSafely) }
    }

    /// Compares the files of a data folder with the rows.
    static func checkFiles(_ reader: any StoreReader, _ folder: String, _ output: Output) throws -> Int {
        let part = try reader.inspectFiles(in: folder + "/files", digest: digest) { output.line("\($0)".shownSafely) }
        tell(part, output)
        return part.faults
    }

    static func tell(_ part: CheckedPart, _ output: Output) {
        let rows = part.rows == 0 ? "" : ", \(part.rows) looked at"
        output.note("checked \(part.check)\(rows)" + (part.faults == 0 ? "" : ", \(part.faults) faults"))
    }

    /// The SHA-256 of a file, which is read in pieces; nil when it cannot be read.
    static func digest(_ path: String) -> [UInt8]? {
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? file.close() }
        var hash = SHA256()
        do {
            while let piece = try file.read(upToCount: 1 << 20), !piece.isEmpty { hash.update(Array(piece)) }
        } catch {
            return nil
        }
        return hash.finish()
    }
}
