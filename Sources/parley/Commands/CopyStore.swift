import ArgumentParser
import ChatStore
import Foundation
import PostgresStore

#if CXone
    import CXoneService
#endif

/// `parley store copy`: between a data folder and a database of PostgreSQL.
struct CopyStore: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy", abstract: "Copy a store to another engine.",
        discussion: """
            One of the two is a data folder, the other postgres://... The gateways of both must be stopped, and the \
            target must be empty. The copy has the same log, so clients go on with the cursors that they have. It is \
            read back, compared and checked before it is kept.
            """)

    @Option(help: ArgumentHelp("The store that is copied.", valueName: "store")) var from: StorePlace
    @Option(help: ArgumentHelp("The empty store that is filled.", valueName: "store")) var to: StorePlace
    @Flag(name: .shortAndLong, help: "Tell faults and errors only.")
    var quiet = false

    func run(_ output: Output, _: Settings?) throws {
        try from.checkPassword()
        try to.checkPassword()
        switch (from, to) {
        case (.folder(let path), .postgres(let address)): try copy(path, to: try Self.options(address), output)
        case (.postgres(let address), .folder(let path)): try copy(try Self.options(address), to: path, output)
        default: throw CommandFailure.usage("One of the two must be a data folder, and the other one postgres://..")
        }
    }

    private func copy(_ path: String, to options: PostgresOptions, _ output: Output) throws {
        guard FileManager.default.fileExists(atPath: path + "/parley.sqlite") else {
            throw CommandFailure(.unreachable, code: "storeUnusable", "There is no store in \(path).")
        }
        // The folder's lock lasts until the end.
        let folder = try DataFolder(path)
        try withExtendedLifetime(folder) {
            let source = try SQLiteExport(folder: folder.path)
            defer { source.close() }
            let key = try folder.secret("key")
            var options = options
            options.keyDigest = StandbyGateway.digest(ofKey: key)
            let target = try PostgresImport(options, .system)
            defer { target.close() }
            try copy(source, target, output) {
                try PlatformTokens(folder.path, key: key).move { try target.saveSealed($1, name: $0) }
            }
        }
    }

    private func copy(_ options: PostgresOptions, to path: String, _ output: Output) throws {
        let source = try PostgresExport(options)
        defer { source.close() }
        let folder = try DataFolder(path)
        try withExtendedLifetime(folder) {
            let key = try Self.key(of: folder, for: source)
            let target = try SQLiteImport(folder: folder.path, instance: try source.image().instance)
            defer { target.close() }
            try copy(source, target, output) {
                let tokens = key.map { PlatformTokens(folder.path, key: $0) }
                return try tokens?.store { try source.sealed($0) } ?? 0
            }
        }
    }

    /// The key of the database's gateways, which the folder must have; nil if there was none yet.
    private static func key(of folder: DataFolder, for source: PostgresExport) throws -> [UInt8]? {
        guard let digest = try source.keyDigest() else { return nil }
        guard folder.has("key"), folder.has("token") else {
            throw DataFolderError(
                "\(folder.path) needs the files key and token of the database's gateways. Copy both there first.")
        }
        let key = try folder.secret("key")
        guard StandbyGateway.digest(ofKey: key) == digest else {
            throw DataFolderError(
                "\(folder.path)/key is not the key of the database's gateways. Copy their key and token there first.")
        }
        return key
    }

    /// Copies, compares and checks. The target keeps the copy even with faults: then the source has them too.
    ///
    /// - Parameter secrets: copies what platforms gave, and returns how many there were.
    private func copy(
        _ source: any StoreExport, _ target: any StoreImport, _ output: Output, secrets: () throws -> Int
    ) throws {
        let parts = try StoreCopy.run(from: source, to: target) { part in
            if part.digest.count > 0 {
                output.inform("\(part.table): \(part.digest.count) rows, digest \(part.digest)")
            }
        }
        let tokens = try secrets()
        if tokens > 0 { output.inform("tokens of \(tokens) accounts") }
        var faults = 0
        try target.read { rows in
            faults = try rows.inspect(end: { CheckStore.report($0, output) }) { output.line("\($0)".shownSafely) }
            let files = try rows.inspectFiles(in: target.filePlace, digest: CheckStore.digest) {
                output.line("\($0)".shownSafely)
            }
            CheckStore.report(files, output)
            faults += files.faults
        }
        try target.commit()
        output.inform("\(parts.reduce(0) { $0 + $1.digest.count }) rows were copied, and are the same in both stores.")
        guard faults > 0 else { return }
        output.inform("The copy has the \(faults) faults of the store that was copied.")
        throw ExitCode(CommandFailure.Status.refused.rawValue)
    }

    private static func options(_ address: String) throws -> PostgresOptions {
        try PostgresOptions(address: address, gateway: "store copy")
    }
}

/// What platforms gave to accounts: files of a data folder, or encrypted rows of a database that gateways share.
struct PlatformTokens {
    private let folder: String
    private let key: [UInt8]

    /// - Parameter key: of the data folder.
    init(_ dataFolder: String, key: [UInt8]) {
        folder = dataFolder + "/cxone"
        self.key = key
    }

    #if CXone
        /// Encrypts the folder's files, and gives each to the closure with the name of its row. Returns how many there
        /// are.
        func move(_ save: (_ name: String, _ bytes: [UInt8]) throws -> Void) throws -> Int {
            let seal = VaultSeal(key: key)
            let accounts = names.compactMap { name in
                name.hasSuffix(".json") ? Int64(name.dropLast(".json".count)) : nil
            }
            for account in accounts.sorted() {
                let (path, name) = ("\(folder)/\(account).json", VaultSeal.name(account))
                guard let data = try? WholeFile.read(path), let sealed = seal.close(Data(data), name: name)
                else { throw DataFolderError("\(path) cannot be read.") }
                try save(name, sealed)
            }
            return accounts.count
        }

        /// Decrypts rows into files of the folder. Returns how many there are. Rows that a gateway has set aside are
        /// copied as they are.
        func store(_ rows: ((_ name: String, _ bytes: [UInt8]) throws -> Void) throws -> Void) throws -> Int {
            let seal = VaultSeal(key: key)
            var count = 0
            try rows { name, bytes in
                if let aside = VaultSeal.fileSetAside(name) { return try write(bytes, to: aside) }
                guard let account = name.split(separator: "/").last.flatMap({ Int64($0) }),
                    name == VaultSeal.name(account), let data = seal.open(bytes, name: name)
                else { throw DataFolderError("The database's secret \(name) cannot be decrypted with this key.") }
                try write(Array(data), to: "\(account).json")
                count += 1
            }
            return count
        }
    #else
        func move(_ save: (_ name: String, _ bytes: [UInt8]) throws -> Void) throws -> Int {
            if !names.isEmpty { throw Self.missing }
            return 0
        }

        func store(_ rows: ((_ name: String, _ bytes: [UInt8]) throws -> Void) throws -> Void) throws -> Int {
            try rows { _, _ in throw Self.missing }
            return 0
        }

        private static var missing: DataFolderError {
            DataFolderError("The store has tokens of NICE CXone, for which this parley was not built.")
        }
    #endif

    private var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] }

    private func write(_ bytes: [UInt8], to name: String) throws {
        do throws(WholeFile.Failure) {
            try WholeFile.makeFolder(folder)
            try WholeFile.write(bytes, to: "\(folder)/\(name)")
        } catch {
            throw DataFolderError(error.description)
        }
    }
}
