import ChatModel

/// Which threads are searched, and as which reader.
public enum SearchScope: Sendable {
    /// In all threads of an account.
    case account(Int64)
    /// In one thread of an account.
    case thread(String, of: Int64)
    /// All threads of a service that the desk knows.
    case desk(service: String)
    /// In one thread that the desk knows.
    case deskThread(number: Int64)

    var reader: Audience {
        switch self {
        case .account(let number), .thread(_, let number): .account(number)
        case .desk, .deskThread: .desk
        }
    }
}

/// A page of what was found, newest first.
public struct SearchPage: Sendable {
    /// `{"items":[...],"next":"..","indexedTo":".."`: without the member `cursor` and the closing brace.
    public var body: [UInt8]
    public var next: String?
    /// The place in the log, as a cursor, up to which the search found everything.
    public var indexedTo: String
    /// The position in the log from which to follow.
    public var offset: Int64
}
