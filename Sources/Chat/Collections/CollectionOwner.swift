import Bounds
import ChatStore

/// Who owns a collection. The owner decides who finds it, and with whose rights it reads.
public enum CollectionOwner: Sendable, Hashable {
    /// A session, which reads as its account. Its collections are removed with it.
    case session(String, account: Int64)
    /// The desk of the embedded service: one owner for all who have the gateway's token.
    case desk

    /// Whose events its views follow.
    public var audience: Audience {
        switch self {
        case .session(_, let account): .account(account)
        case .desk: .desk
        }
    }

    /// How many collections the owner may have. The desk has more, because many agents' pages share it.
    public var limit: Int {
        switch self {
        case .session: 100
        case .desk: 1000
        }
    }

    /// Whose share of the memory for collections its own take: that of the account, however many sessions it has.
    var holder: Holder {
        switch self {
        case .session(_, let account): .named("account \(account)")
        case .desk: .root
        }
    }

    /// The id under which the store keeps the owner's collections.
    var key: String {
        switch self {
        case .session(let id, _): id
        case .desk: CollectionRecord.desk
        }
    }

    /// The owner as the subject of an error's sentence.
    var name: String {
        switch self {
        case .session: "The session"
        case .desk: "The desk"
        }
    }
}

extension ChatClient {
    /// The session as the owner of its collections.
    public nonisolated var collectionOwner: CollectionOwner { .session(id, account: account) }
}
