import ArgumentParser
import ChatModel
import ChatStore
import Configuration
import Foundation
import HTTPRouting
import PostgresStore

/// `parley store`: what is done to a store without its gateway.
struct StoreCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store", abstract: "Check, copy or back up a store.",
        subcommands: [CheckStore.self, BackUpStore.self, NoteRestore.self, CopyStore.self])
}

/// Where a store is, as an option of a command names it.
enum StorePlace: ExpressibleByArgument, Equatable {
    /// A data folder.
    case folder(String)
    /// A database of PostgreSQL. The URI holds no password, unless it came from the environment.
    case postgres(String)

    init?(argument: String) {
        guard !argument.isEmpty else { return nil }
        let isPostgres = ["postgres://", "postgresql://"].contains(where: argument.hasPrefix)
        self = isPostgres ? .postgres(argument) : .folder(argument)
    }

    /// Throws a usage error for an address with a password: others can read a command line.
    func checkPassword() throws(CommandFailure) {
        guard case .postgres(let address) = self, StoreAddress.withoutPassword(address) != address else { return }
        throw .usage(
            """
            The address holds a password, which others could read: what stands between : and @. Give it in PGPASSWORD, or \
            in a file that PGPASSFILE names. An @ that ends no password is written %40.
            """
        )
    }
}

/// A command that works on stores. It tells its own failures.
protocol StoreCommand: AsyncParsableCommand {
    var quiet: Bool { get }
    func run(_ output: Output, _ settings: Settings?) throws
    /// What the work needs of the gateway's settings; nil for nothing.
    func settings() async throws -> Settings?
}

extension StoreCommand {
    func settings() async throws -> Settings? { nil }

    func run() async throws {
        let output = Output(format: .table, isQuiet: quiet)
        do {
            let settings = try await settings()
            umask(0o077)
            // It blocks, and nothing else runs in this process.
            try run(output, settings)
        } catch let code as ExitCode {
            throw code
        } catch let failure as CommandFailure {
            output.fail(failure)
            throw ExitCode(failure.status.rawValue)
        } catch let error as SettingsError {
            throw ValidationError(error.description)
        } catch {
            output.fail(CommandFailure(.unreachable, code: "storeUnusable", StoreAddress.words(for: error)))
            throw ExitCode(CommandFailure.Status.unreachable.rawValue)
        }
    }
}

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
