import ArgumentParser
import ChatStore
import Foundation
import HTTPRouting
import PostgresStore

/// `parley store`: what is done to a store without a gateway.
struct StoreCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store", abstract: "Check a store, or copy it to another engine.",
        subcommands: [Check.self, Copy.self])

    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Look whether a store keeps its rules.",
            discussion: """
                It reads the rows, the event log, the counters and the files, and changes nothing. Each fault is a line \
                on standard output, and the exit status is 1 then. A gateway may run meanwhile.
                """)

        @Argument(help: ArgumentHelp("A data folder, or postgres://...", valueName: "store")) var place: StorePlace
        @Option(
            help: ArgumentHelp(
                "The folder with the files of a store in PostgreSQL. Without it, files are not looked at.",
                valueName: "folder"))
        var files: String?
        @Flag(name: .shortAndLong, help: "Tell faults only.")
        var quiet = false

        func run() async throws {
            let output = Output(format: .table, isQuiet: quiet)
            do {
                let reader = try place.reader()
                defer { reader.close() }
                let faults = try reader.inspect(
                    files: files ?? place.folderOfFiles, digest: Self.digest, begin: { output.note("checking \($0)") }
                ) { output.line("\($0)".shownSafely) }
                output.note(faults == 0 ? "The store keeps all its rules." : "\(faults) faults were found.")
                if faults > 0 { throw ExitCode(CommandFailure.Status.refused.rawValue) }
            } catch let code as ExitCode {
                throw code
            } catch {
                output.fail(CommandFailure(.unreachable, code: "storeUnusable", "\(error)"))
                throw ExitCode(CommandFailure.Status.unreachable.rawValue)
            }
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
}

/// Where a store is, as a command's argument names it.
enum StorePlace: ExpressibleByArgument, Equatable {
    case folder(String)
    case postgres(String)

    init?(argument: String) {
        guard !argument.isEmpty else { return nil }
        let isPostgres = ["postgres://", "postgresql://"].contains(where: argument.hasPrefix)
        self = isPostgres ? .postgres(argument) : .folder(argument)
    }

    /// The folder of the files that belong to a data folder.
    var folderOfFiles: String? {
        guard case .folder(let path) = self else { return nil }
        return path + "/files"
    }

    /// A connection that reads the store. Throws an error whose description tells what to do.
    func reader() throws -> any StoreReader {
        switch self {
        case .folder(let path): try ChatStore.reader(folder: path)
        case .postgres(let address):
            try ChatStore.reader(postgres: PostgresOptions(address: address, gateway: "store check"))
        }
    }
}
