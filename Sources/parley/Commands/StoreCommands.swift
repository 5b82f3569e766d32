import ArgumentParser
import Configuration
import Foundation

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

/// The flags of commands that work on the store of a gateway, as its settings name it.
struct StoreFlags: ParsableArguments {
    @OptionGroup var place: FolderFlags
    @Option(
        help: ArgumentHelp(
            "Where the rows are: sqlite, in the data folder; or a PostgreSQL database, postgres://..",
            valueName: "store"))
    var store: String?
    @Flag(name: .shortAndLong, help: "Tell faults and errors only.")
    var quiet = false

    /// Throws ``SettingsError``.
    func settings() async throws -> Settings {
        try await place.settings(store.map { [.store: .string($0)] } ?? [:])
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
