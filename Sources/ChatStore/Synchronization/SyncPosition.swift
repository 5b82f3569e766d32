import ChatModel

/// How far something of a remote service was synchronized: what to hand to it to go on from there.
public enum SyncPosition: String, Sendable {
    /// The changes of a thread's messages.
    case messageChanges
    /// The list of the account's threads: the next page; empty when all were listed.
    case threadList
    /// The changes of that list.
    case threadChanges
}

extension ReadTransaction {
    /// - Parameter thread: the thread's id; empty for positions of the account.
    public func position(_ kind: SyncPosition, of account: Int64, thread: String = "") throws -> String? {
        try db.first(
            "SELECT token FROM syncPosition WHERE account = ? AND thread = ? AND kind = ?",
            [.integer(account), .text(thread), .text(kind.rawValue)]) { $0.text(0) }
    }
}

extension WriteTransaction {
    public func save(_ token: String, as kind: SyncPosition, of account: Int64, thread: String = "") throws {
        try db.run(
            "REPLACE INTO syncPosition (account, thread, kind, token) VALUES (?, ?, ?, ?)",
            [.integer(account), .text(thread), .text(kind.rawValue), .text(token)])
    }
}
