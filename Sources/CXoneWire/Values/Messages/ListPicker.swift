/// A list to choose from: `LIST_PICKER`.
public struct ListPicker: Sendable, Hashable, WireReadable, WireWritable {
    public var title: String
    public var text: String
    public var buttons: [ReplyButton]

    public init(title: String, text: String, buttons: [ReplyButton]) {
        self.title = title
        self.text = text
        self.buttons = buttons
    }

    public init(_ payload: WireValue) throws(WireError) {
        title = try payload.requiredContent("title")
        text = payload.textContent("text") ?? ""
        buttons = try payload.replyButtons()
    }

    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            writer.member("title", content: title)
            writer.member("text", content: text)
            writer.member("actions", buttons)
        }
    }
}
