/// A button that answers by its text and postback: an action of type `REPLY_BUTTON`.
public struct ReplyButton: Sendable, Hashable, WireReadable, WireWritable {
    public var text: String
    public var description: String?
    public var postback: String?
    public var icon: WireMedia?

    public init(text: String, description: String? = nil, postback: String? = nil, icon: WireMedia? = nil) {
        self.text = text
        self.description = description
        self.postback = postback
        self.icon = icon
    }

    public init(_ value: WireValue) throws(WireError) {
        text = try value.required("text")
        description = try value.optional("description")
        postback = try value.optional("postback")
        icon = try value.optional("icon")
    }

    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            writer.member("type", "REPLY_BUTTON")
            writer.member("text", text)
            writer.member("description", ifPresent: description)
            writer.member("postback", ifPresent: postback)
            writer.member("icon", ifPresent: icon)
        }
    }
}

/// A picture of a rich message: `icon`, `media`.
public struct WireMedia: Sendable, Hashable, WireReadable, WireWritable {
    public var fileName: String
    public var url: String
    public var mimeType: String

    public init(fileName: String, url: String, mimeType: String) {
        self.fileName = fileName
        self.url = url
        self.mimeType = mimeType
    }

    public init(_ value: WireValue) throws(WireError) {
        fileName = try value.optional("fileName") ?? ""
        url = try value.required("url")
        mimeType = try value.optional("mimeType") ?? ""
    }

    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            writer.member("fileName", fileName)
            writer.member("url", url)
            writer.member("mimeType", mimeType)
        }
    }
}

extension WireValue {
    /// The reply buttons in `actions`; actions of other types are left out.
    func replyButtons() throws(WireError) -> [ReplyButton] {
        guard let actions = self["actions"]?.elements else { throw missing("actions") }
        var buttons: [ReplyButton] = []
        for action in actions where action["type"]?.string ?? "REPLY_BUTTON" == "REPLY_BUTTON" {
            buttons.append(try ReplyButton(action))
        }
        return buttons
    }

    func requiredContent(_ name: StaticString) throws(WireError) -> String {
        guard let text = textContent(name) else { throw missing(name) }
        return text
    }
}

extension WireWriter {
    mutating func member(_ name: StaticString, content: String) {
        object(name) { $0.member("content", content) }
    }
}
