import Formats

/// A question with buttons: the payload of `QUICK_REPLIES`. The customer answers by a text message with the
/// chosen button's postback.
public struct QuickReplies: Sendable, Hashable, WireReadable, WireWritable {
    /// `text.content`.
    public var title: String
    /// `actions`, in the order in which they are shown.
    public var buttons: [ReplyButton]

    public init(title: String, buttons: [ReplyButton]) {
        self.title = title
        self.buttons = buttons
    }

    /// Throws if the title or `actions` is absent. An empty list of actions is no error.
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

/// A list to choose from: `LIST_PICKER`.
///
/// It is answered like ``QuickReplies``: by the chosen button's text and postback.
public struct ListPicker: Sendable, Hashable, WireReadable, WireWritable {
    /// `title.content`; must be there.
    public var title: String
    /// `text.content`; "" if it is absent.
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

/// A link with a title and a picture: `RICH_LINK`.
public struct RichLink: Sendable, Hashable, WireReadable, WireWritable {
    /// `title.content`; must be there.
    public var title: String
    public var url: String
    /// The picture. The iOS SDK needs the member, so it is always written; an empty URL stands for none.
    public var media: WireMedia

    public init(title: String, url: String, media: WireMedia) {
        self.title = title
        self.url = url
        self.media = media
    }

    /// An absent `media` becomes one of empty texts.
    public init(_ payload: WireValue) throws(WireError) {
        title = try payload.requiredContent("title")
        url = try payload.required("url")
        media = try payload.optional("media") ?? WireMedia(fileName: "", url: "", mimeType: "")
    }

    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            writer.member("media", media)
            writer.member("title", content: title)
            writer.member("url", url)
        }
    }
}

/// Time slots to choose from: `TIME_PICKER`.
public struct TimePicker: Sendable, Hashable, WireReadable, WireWritable {
    /// One choice: an element of `event.timeSlots`.
    public struct Slot: Sendable, Hashable, WireReadable, WireWritable {
        public var id: String
        /// In seconds.
        public var duration: Int
        /// When the slot begins; it is written with the zone of the writing side and without a fraction.
        public var startTime: Timestamp

        public init(id: String, duration: Int, startTime: Timestamp) {
            self.id = id
            self.duration = duration
            self.startTime = startTime
        }

        public init(_ value: WireValue) throws(WireError) {
            id = try value.id("id")
            duration = try value.required("duration")
            startTime = try value.required("startTime")
        }

        public func write(to writer: inout WireWriter) {
            writer.object { writer in
                writer.member("id", id)
                writer.member("duration", duration)
                writer.member("startTime", startTime)
            }
        }
    }

    public var title: String
    /// `event.title.content`: stands above the slots. The picker's own title, if it is absent.
    public var sheetTitle: String
    public var slots: [Slot]

    public init(title: String, sheetTitle: String, slots: [Slot]) {
        self.title = title
        self.sheetTitle = sheetTitle
        self.slots = slots
    }

    /// Reads the payload; `event` must be there, a title in it need not.
    public init(_ payload: WireValue) throws(WireError) {
        let title = try payload.requiredContent("title")
        self.title = title
        (sheetTitle, slots) = try payload.inside("event") { event throws(WireError) in
            (event.textContent("title") ?? title, try event.list("timeSlots"))
        }
    }

    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            writer.member("title", content: title)
            writer.object("event") { writer in
                writer.member("title", content: sheetTitle)
                writer.member("timeSlots", slots)
            }
        }
    }
}

/// A button that answers by its text and postback: an action of type `REPLY_BUTTON`.
public struct ReplyButton: Sendable, Hashable, WireReadable, WireWritable {
    public var text: String
    public var description: String?
    /// The button's own value. It goes back with the answer, and customers do not see it.
    public var postback: String?
    /// A small picture beside the text.
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

/// A picture of a rich message: `icon` or `media`. Name and type may be "".
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

    /// The text of a member, as ``textContent(_:)`` reads it; throws if it is absent.
    func requiredContent(_ name: StaticString) throws(WireError) -> String {
        guard let text = textContent(name) else { throw missing(name) }
        return text
    }
}

extension WireWriter {
    /// Writes `"name": {"content": ...}`.
    mutating func member(_ name: StaticString, content: String) {
        object(name) { $0.member("content", content) }
    }
}
