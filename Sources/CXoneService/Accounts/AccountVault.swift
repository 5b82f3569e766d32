import Chat
import ChatModel
import ChatStore
import CXoneWire
import Formats
import Foundation
import Synchronization

/// Keeps each account's ``AccountState`` in a ``VaultStorage``, and those of accounts with sessions in memory. May be used
/// from any task.
final class AccountVault: Sendable {
    private let storage: any VaultStorage
    private let makeID: @Sendable () -> String
    private let notice: @Sendable (String) -> Void
    /// Of accounts that have sessions.
    private let states = Mutex<[Int64: AccountState]>([:])
    /// Accounts whose last write failed.
    private let unwritten = Mutex<Set<Int64>>([])
    /// The reads that run. All who need the same account share one, so that only one makes a new state.
    private let reads = Mutex<[Int64: Answer<Result<AccountState, ChatError>>]>([:])

    /// - Parameter notice: takes a line for the log: what was stored is not used.
    init(
        _ storage: any VaultStorage, makeID: @escaping @Sendable () -> String,
        notice: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.storage = storage
        self.makeID = makeID
        self.notice = notice
    }

    /// Returns the account's state from memory, or as it was stored. If there is none, it makes a new one, and writes
    /// it before it returns.
    ///
    /// What is stored and cannot be used is set aside and told, never replaced: the platform gave these tokens to this
    /// customer. Throws `storageFailed`, `storageUnavailable` when nobody can tell what is stored.
    func state(of account: AccountRecord) async throws(ChatError) -> AccountState {
        if let known = states.withLock({ $0[account.number] }) { return known }
        let (answer, isMine) = reads.withLock { reads in
            if let running = reads[account.number] { return (running, false) }
            let answer = Answer<Result<AccountState, ChatError>>()
            reads[account.number] = answer
            return (answer, true)
        }
        if isMine {
            await answer.resolve { [self] () throws(ChatError) in try await read(account) }
            reads.withLock { $0[account.number] = nil }
        }
        return try await answer.value().get()
    }

    private func read(_ account: AccountRecord) async throws(ChatError) -> AccountState {
        // A read may have ended since the caller looked.
        if let known = states.withLock({ $0[account.number] }) { return known }
        let reason: String
        switch try await storage.read(account.number) {
        case .nothing: return try await make(account)
        case .undecryptable: reason = "were sealed with another key"
        case .bytes(let bytes):
            guard let stored = try? JSONDecoder().decode(AccountState.self, from: bytes) else {
                reason = "cannot be read"
                break
            }
            if stored.key == account.key.text {
                states.withLock { $0[account.number] = stored }
                return stored
            }
            // The store was replaced, and its numbers mean other accounts.
            reason = "belong to another customer"
        }
        let place = try await storage.setAside(account.number)
        notice(
            "The tokens that are stored for the account \(account.number) \(reason). They were set aside, as \(place), and the customer is a new one to the platform."
        )
        return try await make(account)
    }

    private func make(_ account: AccountRecord) async throws(ChatError) -> AccountState {
        let made = AccountState(key: account.key.text, visitorID: makeID(), customerID: account.key.customer)
        states.withLock { $0[account.number] = made }
        try await write(made, of: account)
        return made
    }

    /// The account has no sessions any more. What is stored stays.
    func forget(account: Int64) {
        states.withLock { $0[account] = nil }
        unwritten.withLock { _ = $0.remove(account) }
    }

    /// Forgets the account, and deletes what is stored of it. Throws `storageFailed`, `storageUnavailable`.
    func erase(account: Int64) async throws(ChatError) {
        forget(account: account)
        try await storage.remove(account)
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

/// What is kept of an account beside the store, tokens included. It is written only to a file of mode 0600. The
/// names of its properties are the file's format.
struct AccountState: Sendable, Codable, Equatable {
    /// The account's service, channel and customer. A file whose key differs is set aside: the store was replaced,
    /// and its numbers mean other accounts.
    var key: String
    /// Made once for each account; names the app's installation to the platform.
    var visitorID: String
    /// The customer's id on the platform, which may give another than the client did.
    var customerID: String
    /// Of a session that is not secured; only on channels with OAuth.
    var accessToken: Token?
    /// Of a secured session: stands in the socket's URL.
    var transactionToken: Token?
    /// The channel's own OAuth service's, beside the transaction token.
    var thirdPartyToken: Token?
    /// Renews the third party's token.
    var refreshToken: String?
    /// The template that the platform last greeted with.
    var welcomeMessage: String?
    var visit: Visit?
    /// The device that the platform was told last. It is needed to tell once that its token is gone.
    var device: Device?

    struct Device: Sendable, Codable, Equatable {
        var token: String
        var os: String?
        var osVersion: String?
    }

    /// What a visitor does belongs to a visit.
    struct Visit: Sendable, Codable, Equatable {
        var id: String
        /// Milliseconds since 1970.
        var expiresAt: Int64
    }

    struct Token: Sendable, Codable, Equatable {
        var value: String
        /// Milliseconds since 1970; nil: it does not expire.
        var expiresAt: Int64?

        /// The mobile SDK's margin, within which a token counts as expired.
        static let margin: Int64 = 30_000

        /// - Parameter seconds: how long the token is valid; nil: without end. Negative and huge values of the
        ///   platform are limited to 0 and a hundred years.
        init(_ value: String, expiresIn seconds: Int?, now: Timestamp) {
            self.value = value
            expiresAt = seconds.map { now.milliseconds + Int64($0.clamped) * 1000 }
        }

        func isExpired(at now: Timestamp) -> Bool { expiresAt.map { now.milliseconds >= $0 - Self.margin } ?? false }
    }
}

extension Int {
    /// What a hostile number of seconds comes to: a hundred years at most.
    fileprivate var clamped: Int { Swift.max(0, Swift.min(self, 3_153_600_000)) }
}
