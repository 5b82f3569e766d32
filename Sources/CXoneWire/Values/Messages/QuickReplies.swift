/// A question with buttons: `QUICK_REPLIES`.
public struct QuickReplies: Sendable, Hashable, WireReadable, WireWritable {
    /// `text.content`.
    public var title: String
    public var buttons: [ReplyButton]

    public init(title: String, buttons: [ReplyButton]) {
        self.title = title
        self.buttons = buttons
    }

    public init(_ payload: WireValue) throws(WireError) {
        title = try payload.requiredContent("text")
        buttons = try payload.replyButtons()
    }

    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            writer.member("text", content: title)
            writer.member("actions", buttons)
        }
    }
}
