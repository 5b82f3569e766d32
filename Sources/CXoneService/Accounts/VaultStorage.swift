import ChatModel
import ChatStore
import Crypto
import Dispatch
import Foundation

/// Where the tokens that a platform gave to accounts are kept.
public enum TokenPlace: Sendable {
    /// A file for each account, mode 0600, in this folder. It is made, with mode 0700, when the first one is stored.
    case folder(String)
    /// A row for each account in the store's database, encrypted with this key. For gateways that share a database.
    case sealed([UInt8])

    func storage(of store: ChatStore) -> any VaultStorage {
        switch self {
        case .folder(let folder): VaultFolder(folder)
        case .sealed(let key): VaultTable(store, seal: VaultSeal(key: key))
        }
    }
}

/// Keeps some bytes for each account, by its number.
protocol VaultStorage: Sendable {
    /// What was written last. Throws `storageFailed`, `storageUnavailable` when that cannot be told: a write in its
    /// place could then destroy what is there.
    func read(_ account: Int64) async throws(ChatError) -> VaultEntry

    /// Writes what the closure returns when the turn of this write has come: of two writes the later one has the later
    /// bytes. Returns whether they are durable; false also if the closure returns nil.
    func write(_ account: Int64, _ bytes: @escaping @Sendable () -> Data?) async -> Bool

    /// Moves what is there to where no write replaces it, and says where that is. Throws `storageFailed`,
    /// `storageUnavailable`; then nothing was moved.
    func setAside(_ account: Int64) async throws(ChatError) -> String

    /// Deletes what is there and what was set aside, after the writes that were asked for before. Throws `storageFailed`,
    /// `storageUnavailable`.
    func remove(_ account: Int64) async throws(ChatError)
}

/// What a ``VaultStorage`` has of an account.
enum VaultEntry: Equatable {
    case nothing
    case bytes(Data)
    /// Something that cannot be decrypted.
    case undecryptable
}

/// Files. The disk is used on a queue of its own.
final class VaultFolder: VaultStorage {
    private let folder: String
    private let queue = DispatchQueue(label: "vault")

    init(_ folder: String) { self.folder = folder }

    func read(_ account: Int64) async throws(ChatError) -> VaultEntry {
        let bytes = try await onQueue(at: path(account)) { path throws(WholeFile.Failure) in try WholeFile.read(path) }
        return bytes.map { .bytes(Data($0)) } ?? .nothing
    }

    func write(_ account: Int64, _ bytes: @escaping @Sendable () -> Data?) async -> Bool {
        let isWritten = try? await onQueue(at: path(account)) { [folder] path throws(WholeFile.Failure) in
            guard let data = bytes() else { return false }
            try WholeFile.makeFolder(folder)
            try WholeFile.write(Array(data), to: path)
            return true
        }
        return isWritten == true
    }

    func setAside(_ account: Int64) async throws(ChatError) -> String {
        let path = path(account)
        return try await onQueue(at: path) { path throws(WholeFile.Failure) in try WholeFile.setAside(path) } ?? path
    }

    func remove(_ account: Int64) async throws(ChatError) {
        // A copy of a store on PostgreSQL brings the rows that were set aside there under the second name.
        for path in [path(account), "\(folder)/\(account).sealed"] {
            try await onQueue(at: path) { path throws(WholeFile.Failure) in try WholeFile.remove(path) }
        }
    }

    private func path(_ account: Int64) -> String { "\(folder)/\(account).json" }

    private func onQueue<T: Sendable>(
        at path: String, _ work: @escaping @Sendable (String) throws(WholeFile.Failure) -> T
    ) async throws(ChatError) -> T {
        let result: Result<T, WholeFile.Failure> = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: Result { () throws(WholeFile.Failure) in try work(path) }) }
        }
        switch result {
        case .success(let value): return value
        case .failure(let failure): throw ChatError(.storageFailed, failure.description)
        }
    }
}

/// Rows of the store's database.
struct VaultTable: VaultStorage {
    private let store: ChatStore
    private let seal: VaultSeal

    init(_ store: ChatStore, seal: VaultSeal) { (self.store, self.seal) = (store, seal) }

    func read(_ account: Int64) async throws(ChatError) -> VaultEntry {
        let name = VaultSeal.name(account)
        guard let bytes = try await store.read({ try $0.sealed(name) }) else { return .nothing }
        return seal.open(bytes, name: name).map { .bytes($0) } ?? .undecryptable
    }

    func setAside(_ account: Int64) async throws(ChatError) -> String {
        try await store.write(isRepeatable: true) { transaction in
            var number = 1
            while try transaction.sealed(VaultSeal.name(account, aside: number)) != nil { number += 1 }
            let aside = VaultSeal.name(account, aside: number)
            try transaction.renameSealed(VaultSeal.name(account), to: aside)
            return "the row \(aside) of the database's table `sealed`"
        }
    }

    func write(_ account: Int64, _ bytes: @escaping @Sendable () -> Data?) async -> Bool {
        let (name, seal) = (VaultSeal.name(account), seal)
        do {
            return try await store.write { transaction in
                guard let data = bytes(), let sealed = seal.close(data, name: name) else { return false }
                try transaction.saveSealed(sealed, name: name)
                return true
            }
        } catch {
            return false
        }
    }

    func remove(_ account: Int64) async throws(ChatError) {
        let name = VaultSeal.name(account)
        try await store.write { transaction in
            try transaction.removeSealed(name)
            var number = 1
            while case let aside = VaultSeal.name(account, aside: number), try transaction.sealed(aside) != nil {
                try transaction.removeSealed(aside)
                number += 1
            }
        }
    }
}

/// Encrypts what ``VaultTable`` stores: AES-GCM, with a key derived from the gateways' (HKDF-SHA256). The row's name is
/// authenticated too, so that a row cannot stand for another account's.
public struct VaultSeal: Sendable {
    private let key: SymmetricKey

    /// - Parameter key: the secret `key` that all gateways of the database have.
    public init(key: [UInt8]) {
        self.key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: key), info: Data("tokens of platforms".utf8), outputByteCount: 32)
    }

    /// The name of an account's row.
    public static func name(_ account: Int64) -> String { "cxone/\(account)" }

    /// The name of a row that was set aside, because it could not be used. Its bytes were sealed under ``name(_:)``.
    static func name(_ account: Int64, aside number: Int) -> String { "\(name(account)).aside-\(number)" }

    /// The name of the file that stands for a row that was set aside; nil for any other row.
    public static func fileSetAside(_ name: String) -> String? {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == "cxone",
            case let words = parts[1].components(separatedBy: ".aside-"), words.count == 2,
            let account = Int64(words[0]), let number = Int(words[1])
        else { return nil }
        return "\(account).sealed.aside-\(number)"
    }

    /// Nonce, ciphertext and tag in one.
    public func close(_ data: Data, name: String) -> [UInt8]? {
        (try? AES.GCM.seal(data, using: key, authenticating: Data(name.utf8)).combined).map(Array.init)
    }

    /// Nil for what another key has sealed, or under another name, or what was changed since.
    public func open(_ bytes: [UInt8], name: String) -> Data? {
        guard let box = try? AES.GCM.SealedBox(combined: bytes) else { return nil }
        return try? AES.GCM.open(box, using: key, authenticating: Data(name.utf8))
    }
}
