import ChatModel
import ChatStore
import Foundation
import Synchronization

/// Keeps each account's ``AccountState`` in a ``VaultStorage``, and those of accounts with sessions in memory. May be used
/// from any task.
final class AccountVault: Sendable {
    private let storage: any VaultStorage
    private let makeID: @Sendable () -> String
    /// Of accounts that have sessions.
    private let states = Mutex<[Int64: AccountState]>([:])
    /// Accounts whose last write failed.
    private let unwritten = Mutex<Set<Int64>>([])

    init(_ storage: any VaultStorage, makeID: @escaping @Sendable () -> String) {
        self.storage = storage
        self.makeID = makeID
    }

    /// Returns the account's state from memory, or as it was stored. If there is none, it makes a new one, and writes
    /// it before it returns. One that makes no sense counts as none. Throws `storageFailed`, `storageUnavailable`.
    func state(of account: AccountRecord) async throws(ChatError) -> AccountState {
        if let known = states.withLock({ $0[account.number] }) { return known }
        let key = account.key.text
        let bytes = try await storage.read(account.number)
        if let stored = bytes.flatMap({ try? JSONDecoder().decode(AccountState.self, from: $0) }), stored.key == key {
            // Two tasks may have read it. What the first one has changed since is kept.
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

    /// The account has no sessions any more. What is stored stays.
    func forget(account: Int64) {
        states.withLock { $0[account] = nil }
        unwritten.withLock { _ = $0.remove(account) }
    }

    /// How many accounts' states are in memory.
    var count: Int { states.withLock { $0.count } }

    /// Changes the account's state and returns it. The change is durable when this returns; an equal state is
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

    /// Writes what is known when its turn comes: of two writes the later one is never older.
    ///
    /// - Parameter given: what is written if the account was forgotten meanwhile.
    private func write(_ given: AccountState, of account: AccountRecord) async throws(ChatError) {
        let isWritten = await storage.write(account.number) { [self] in
            let state = states.withLock { $0[account.number] } ?? given
            return try? JSONEncoder().encode(state)
        }
        unwritten.withLock { unwritten in
            if isWritten { unwritten.remove(account.number) } else { unwritten.insert(account.number) }
        }
        guard isWritten else {
            throw ChatError(.storageFailed, "The session's data from the platform could not be stored.")
        }
    }
}

extension AccountKey {
    fileprivate var text: String { "\(service)\n\(channel)\n\(customer)" }
}
