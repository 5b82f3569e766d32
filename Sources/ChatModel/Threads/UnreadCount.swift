/// Puts the unread count of one account into a thread's canonical JSON.
public enum UnreadCount {
    /// The thread's bytes without their closing brace, the member, and the brace again.
    public static func splice(_ count: Int, into thread: some BidirectionalCollection<UInt8>, to json: inout JSONWriter) {
        var spliced = Array(thread.dropLast())
        spliced.append(contentsOf: ",\"unreadCount\":\(count)}".utf8)
        json.raw(spliced)
    }
}
