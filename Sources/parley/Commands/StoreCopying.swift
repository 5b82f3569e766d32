import ArgumentParser
import ChatStore
import Foundation
import PostgresStore

extension StoreCommands {
    /// `parley store copy`: between a data folder and a database of PostgreSQL.
    struct Copy: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Copy a store to another engine.",
            discussion: """
                One of the two is a data folder, the other postgres://... The gateways of both must be stopped, and the \
                target must be empty. The copy has the same log, so clients go on with the cursors that they have. \
                Files, key, token and the tokens of CXone's customers stay in the data folder: a gateway on PostgreSQL \
                uses them there.
                """)

        @Option(help: ArgumentHelp("The store that is copied.", valueName: "store")) var from: StorePlace
        @Option(help: ArgumentHelp("The empty store that is filled.", valueName: "store")) var to: StorePlace
        @Flag(name: .shortAndLong, help: "Tell errors only.")
        var quiet = false

        func run() async throws {
            let output = Output(format: .table, isQuiet: quiet)
            do {
                let (folder, source, target) = try open()
                // The lock lasts until the end.
                defer { withExtendedLifetime(folder) {} }
                defer { source.close() }
                defer { target.close() }
                let count = try StoreCopy.run(from: source, to: target) { table, count in
                    output.note("\(table): \(count)")
                }
                output.note("\(count) rows were copied.")
            } catch let failure as CommandFailure {
                output.fail(failure)
                throw ExitCode(failure.status.rawValue)
            } catch {
                output.fail(CommandFailure(.unreachable, code: "storeUnusable", "\(error)"))
                throw ExitCode(CommandFailure.Status.unreachable.rawValue)
            }
        }

        private func open() throws -> (DataFolder, any StoreExport, any StoreImport) {
            switch (from, to) {
            case (.folder(let path), .postgres(let address)):
                guard FileManager.default.fileExists(atPath: path + "/parley.sqlite") else {
                    throw CommandFailure(.refused, code: "storeUnusable", "There is no store in \(path).")
                }
                let folder = try DataFolder(path)
                let source = try SQLiteExport(folder: folder.path)
                do {
                    return (folder, source, try PostgresImport(Self.options(address), .system))
                } catch {
                    source.close()
                    throw error
                }
            case (.postgres(let address), .folder(let path)):
                let folder = try DataFolder(path)
                let source = try PostgresExport(Self.options(address))
                do {
                    return (folder, source, try SQLiteImport(folder: folder.path))
                } catch {
                    source.close()
                    throw error
                }
            default: throw CommandFailure.usage("One of the two is a data folder, the other postgres://...")
            }
        }

        private static func options(_ address: String) -> PostgresOptions {
            PostgresOptions(address: address, gateway: "store copy")
        }
    }
}
