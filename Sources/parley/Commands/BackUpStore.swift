import ArgumentParser
import ChatStore
import Foundation

/// `parley store backup`: a copy of a data folder while its gateway runs.
struct BackUpStore: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Copy a data folder while its gateway runs.",
        discussion: """
            The copy has the database as it is at one moment, its files, and the secrets: it is a data folder of its own. \
            It is checked as by `parley store check`. To restore it, stop the gateway and put the copy in the place of the \
            data folder. For PostgreSQL use the server's own tools.
            """)

    @OptionGroup var place: FolderFlags
    @Argument(help: ArgumentHelp("The folder of the copy, which is empty or does not exist.", valueName: "folder"))
    var target: String
    @Flag(name: .shortAndLong, help: "Tell faults and errors only.")
    var quiet = false

    func settings() async throws -> Settings? { try await place.settings([:]) }

    func run(_ output: Output, _ settings: Settings?) throws {
        guard let settings else { return }
        guard try StoreAddress(settings) == .sqlite else {
            throw CommandFailure.usage("The rows are in PostgreSQL. Back them up with pg_dump or pg_basebackup.")
        }
        let source = settings.string(.data)
        guard try names(in: target).isEmpty else {
            throw CommandFailure(.unreachable, code: "storeUnusable", "\(target) is not empty. Name another folder.")
        }
        // It says what is wrong where there is no store, before anything is made.
        try ChatStore.reader(folder: source).close()
        let folder = try DataFolder(target)
        try withExtendedLifetime(folder) {
            let outcome: SQLiteBackup.Outcome
            do {
                outcome = try SQLiteBackup(of: source, in: folder.path).run()
                try copySecrets(from: source, to: folder.path)
            } catch {
                // Half a backup must not be taken for one.
                for name in try names(in: target) { try? FileManager.default.removeItem(atPath: "\(target)/\(name)") }
                throw error
            }
            output.inform("\(outcome.files) files were copied.")
            if outcome.missing > 0 {
                output.inform("\(outcome.missing) files are gone. Their messages may be removed.")
            }
            let reader = try ChatStore.reader(folder: folder.path)
            defer { reader.close() }
            let files = FilePlace.folder(folder.path + "/files")
            guard try CheckStore.faults(of: reader, files, output) > 0 else { return }
            throw ExitCode(CommandFailure.Status.refused.rawValue)
        }
    }

    /// What is in the folder; nothing if there is none.
    private func names(in folder: String) throws -> [String] {
        guard FileManager.default.fileExists(atPath: folder) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: folder)
    }

    /// What the gateway needs besides the rows to be the same to its clients.
    private func copySecrets(from source: String, to target: String) throws {
        var names = ["key", "token"]
        let platform = (try? FileManager.default.contentsOfDirectory(atPath: source + "/cxone")) ?? []
        if !platform.isEmpty { try WholeFile.makeFolder(target + "/cxone") }
        names += platform.sorted().map { "cxone/\($0)" }
        for name in names {
            guard let bytes = try WholeFile.read("\(source)/\(name)") else { continue }
            try WholeFile.write(bytes, to: "\(target)/\(name)")
        }
    }
}
