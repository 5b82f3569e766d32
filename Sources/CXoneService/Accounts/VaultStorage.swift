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
    /// What was written last; nil if there is nothing, or nothing that can be decrypted. Throws `storageFailed`,
    /// `storageUnavailable`.
    func read(_ account: Int64) async throws(ChatError) -> Data?

    /// Writes what the closure returns when the turn of this write has come: of two writes the later one has the later
    /// bytes. Returns whether they are durable; false also if the closure returns nil.
    func write(_ account: Int64, _ bytes: @escaping @Sendable () -> Data?) async -> Bool
}

/// Files. The disk is used on a queue of its own.
final class VaultFolder: VaultStorage {
    private let folder: String
    private let queue = DispatchQueue(label: "vault")

    init(_ folder: String) { self.folder = folder }

    func read(_ account: Int64) async throws(ChatError) -> Data? {
        let path = path(account)
        return await onQueue { FileManager.default.contents(atPath: path) }
    }

    func write(_ account: Int64, _ bytes: @escaping @Sendable () -> Data?) async -> Bool {
        let path = path(account)
        return await onQueue { [folder] in
            mkdir(folder, 0o700)
            guard let data = bytes() else { return false }
            let draft = path + ".new"
            let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { return false }
            defer { close(descriptor) }
            let count = data.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress!, $0.count) }
            return count == data.count && fsync(descriptor) == 0 && rename(draft, path) == 0
        }
    }

    private func path(_ account: Int64) -> String { "\(folder)/\(account).json" }

    private func onQueue<T: Sendable>(_ work: @escaping @Sendable () -> T) async -> T {
        await withCheckedContinuation { continuation in queue.async { continuation.resume(returning: work()) } }
    }
}

/// Rows of the store's database.
struct VaultTable: VaultStorage {
    private let store: ChatStore
    private let seal: VaultSeal

    init(_ store: ChatStore, seal: VaultSeal) { (self.store, self.seal) = (store, seal) }

    func read(_ account: Int64) async throws(ChatError) -> Data? {
        let name = VaultSeal.name(account)
        guard let bytes = try await store.read({ try $0.sealed(name) }) else { return nil }
        return seal.open(bytes, name: name)
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
