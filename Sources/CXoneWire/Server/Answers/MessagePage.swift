/// Older messages: the data of `MoreMessagesLoaded`.
public struct MessagePage: Sendable, Hashable, WireReadable, WireWritable {
    /// Newest first. None at the end of the history.
    public var messages: [WireMessage]
    /// For the next page; empty at the end of the history.
    public var scrollToken: String

    public init(messages: [WireMessage], scrollToken: String) {
        self.messages = messages
        self.scrollToken = scrollToken
    }

    public init(_ data: WireValue) throws(WireError) {
        messages = try data.list("messages")
        scrollToken = try data.idIfPresent("scrollToken", or: "messagesScrollToken") ?? ""
    }

    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            writer.member("messages", messages)
            writer.member("scrollToken", scrollToken)
            writer.emptyArray("contactHistory")
        }
    }
}
