import ChatStore

/// Whose a collection is: who finds it, and as whom it reads.
public enum CollectionOwner: Sendable, Hashable {
    /// A session and the account for which it acts. The collection goes with the session.
    case session(String, account: Int64)
    /// The desk of the embedded service: one for all who have the gateway's token.
    case desk

    /// Whose events its views follow.
    public var audience: Audience {
        switch self {
        case .session(_, let account): .account(account)
        case .desk: .desk
        }
    }

    /// Collections that it holds at most. The desk is many agents' pages.
    public var limit: Int {
        switch self {
        case .session: 100
        case .desk: 1000
        }
    }

    /// Under which the store keeps its collections.
    var key: String {
        switch self {
        case .session(let id, _): id
        case .desk: CollectionRecord.desk
        }
    }

    /// For sentences.
    var name: String {
        switch self {
        case .session: "The session"
        case .desk: "The desk"
        }
    }
}

extension ChatClient {
    /// As the owner of its collections.
    public nonisolated var collectionOwner: CollectionOwner { .session(id, account: account) }
}
