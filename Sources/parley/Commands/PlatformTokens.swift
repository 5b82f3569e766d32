import ChatStore
import Foundation

#if CXone
    import CXoneService
#endif

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
