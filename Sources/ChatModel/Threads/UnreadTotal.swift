import Formats

/// What an account has not read, over all threads that it has joined and that are neither closed nor hidden.
public struct UnreadTotal: CanonicalJSON, Hashable {
    /// Messages.
    public var unreadCount: Int
    /// Threads that have at least one of them.
    public var threadCount: Int

    public init(unreadCount: Int, threadCount: Int) {
        self.unreadCount = unreadCount
        self.threadCount = threadCount
    }

    public static let zero = UnreadTotal(unreadCount: 0, threadCount: 0)

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("unreadCount", unreadCount)
        json.member("threadCount", threadCount)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        self.init(
            unreadCount: Int(clamping: try json.requiredInteger("unreadCount")),
            threadCount: Int(clamping: try json.requiredInteger("threadCount")))
    }
}
