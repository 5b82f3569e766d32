import ChatModel
import ChatStore
import Dispatch
import Foundation
import Synchronization

/// Keeps each account's ``AccountState`` in a file of its own, mode 0600, in a folder of mode 0700. May be used
/// from any task; the disk is used on a queue of its own.
final class AccountVault: Sendable {
    private let folder: String
    private let makeID: @Sendable () -> String
    /// Everything that may wait for the disk.
    private let queue = DispatchQueue(label: "vault")
    /// Of accounts that have sessions.
    private let states = Mutex<[Int64: AccountState]>([:])
    /// Accounts whose last write failed.
    private let unwritten = Mutex<Set<Int64>>([])

    init(folder: String, makeID: @escaping @Sendable () -> String) {
        self.folder = folder
        self.makeID = makeID
    }

    /// Returns the account's state from memory, or from its file. If there is none, it makes a new one, and writes
    /// it before it returns. A file that cannot be read counts as none. Throws `storageFailed`.
    func state(of account: AccountRecord) async throws(ChatError) -> AccountState {
        if let known = states.withLock({ $0[account.number] }) { return known }
        let (path, key) = (path(account), account.key.text)
        let stored = await onQueue { () -> AccountState? in
            guard let data = FileManager.default.contents(atPath: path) else { return nil }
            return try? JSONDecoder().decode(AccountState.self, from: data)
        }
        if let stored, stored.key == key {
            // Two tasks may have read the file. What the first one has changed since is kept.
            return states.withLock { states in
                let kept = states[account.number] ?? stored
                states[account.number] = kept
                return kept
            }
        }
        let made = AccountState(key: key, visitorID: makeID(), customerID: account.key.customer)
        // Another task may have made one meanwhile: then that task writes it.
        let known = states.withLock { states in
            if states[account.number] == nil { states[account.number] = made }
            return states[account.number]
        }
        if let known, known != made { return known }
        try await write(made, of: account)
        return made
    }

    /// The account has no sessions any more. Its file stays.
    func forget(account: Int64) {
        states.withLock { $0[account] = nil }
        unwritten.withLock { _ = $0.remove(account) }
    }

    /// How many accounts' states are in memory.
    var count: Int { states.withLock { $0.count } }

    /// Changes the account's state and returns it. The change is on the disk when this returns; an equal state is
    /// not written. Throws `storageFailed`; then the change stays in memory, and the next call writes it.
    ///
    /// - Parameter change: runs under a lock, and must be quick.
    @discardableResult
    func update(
        _ account: AccountRecord, _ change: @Sendable (inout AccountState) -> Void
    ) async throws(ChatError) -> AccountState {
        let known = try await state(of: account)
        let (changed, isNew) = states.withLock { states in
            var state = states[account.number] ?? known
            let before = state
            change(&state)
            states[account.number] = state
            return (state, state != before)
        }
        if isNew || unwritten.withLock({ $0.contains(account.number) }) { try await write(changed, of: account) }
        return changed
    }

    private func path(_ account: AccountRecord) -> String { "\(folder)/\(account.number).json" }

    /// Writes what is known when its turn comes: of two writes the later one is never older.
    ///
    /// - Parameter given: what is written if the account was forgotten meanwhile.
    private func write(_ given: AccountState, of account: AccountRecord) async throws(ChatError) {
        let path = path(account)
        let isWritten = await onQueue { [self] in
            mkdir(folder, 0o700)
            let state = states.withLock { $0[account.number] } ?? given
            guard let data = try? JSONEncoder().encode(state) else { return false }
            let draft = path + ".new"
            let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { return false }
            defer { close(descriptor) }
            let count = data.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress!, $0.count) }
            return count == data.count && fsync(descriptor) == 0 && rename(draft, path) == 0
        }
        unwritten.withLock { unwritten in
            if isWritten { unwritten.remove(account.number) } else { unwritten.insert(account.number) }
        }
        guard isWritten else {
            throw ChatError(.storageFailed, "The session's data from the platform could not be stored.")
        }
    }

    private func onQueue<T: Sendable>(_ work: @escaping @Sendable () -> T) async -> T {
        await withCheckedContinuation { continuation in queue.async { continuation.resume(returning: work()) } }
    }
}

extension AccountKey {
    fileprivate var text: String { "\(service)\n\(channel)\n\(customer)" }
}
