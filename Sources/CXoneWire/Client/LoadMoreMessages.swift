/// Asks for older messages: the data of `LoadMoreMessages`.
public struct LoadMoreMessages: Sendable, Hashable, WireReadable, WireWritable {
    /// Opaque; of the answer before.
    public var scrollToken: String
    public var thread: ThreadReference
    /// When the oldest message that is known was made.
    public var oldestMessageTime: WireTime?
    /// Limits the history to one contact; sent by web clients in live chats.
    public var contactID: String?

    public init(
        scrollToken: String, thread: ThreadReference, oldestMessageTime: WireTime?, contactID: String? = nil
    ) {
        self.scrollToken = scrollToken
        self.thread = thread
        self.oldestMessageTime = oldestMessageTime
        self.contactID = contactID
    }

    public init(_ data: WireValue) throws(WireError) {
        scrollToken = try data.id("scrollToken")
        thread = try data.required("thread")
        oldestMessageTime = try data.optional("oldestMessageDatetime")
        contactID = try data.contactIDIfPresent()
    }

    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            writer.member("scrollToken", scrollToken)
            writer.member("thread", thread)
            writer.member("oldestMessageDatetime", ifPresent: oldestMessageTime)
            if let contactID { writer.nested("contact", id: contactID) }
        }
    }
}
