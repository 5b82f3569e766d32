import Formats

/// What a message shows besides text, and offers to answer (the SDK's `MessageContentType`).
///
/// A customer answers with the text of what was chosen and its postback.
public enum RichContent: Sendable, Hashable {
    case quickReplies(QuickReplies)
    case listPicker(ListPicker)
    case richLink(RichLink)
    case timePicker(TimePicker)

    /// The types of message that carry such content.
    public static let types: [MessageType] = [.quickReplies, .listPicker, .richLink, .timePicker]

    public var type: MessageType {
        switch self {
        case .quickReplies: .quickReplies
        case .listPicker: .listPicker
        case .richLink: .richLink
        case .timePicker: .timePicker
        }
    }

    /// What stands for it where it cannot be shown.
    public var fallbackText: String {
        switch self {
        case .quickReplies(let content): content.title
        case .listPicker(let content): content.title
        case .richLink(let content): content.title
        case .timePicker(let content): content.title
        }
    }

    /// For comparisons: equal only if every text in it has the same bytes.
    public var canonicalBytes: [UInt8] {
        var json = JSONWriter()
        encode(to: &json)
        return json.bytes
    }

    public func encode(to json: inout JSONWriter) {
        switch self {
        case .quickReplies(let content): content.encode(to: &json)
        case .listPicker(let content): content.encode(to: &json)
        case .richLink(let content): content.encode(to: &json)
        case .timePicker(let content): content.encode(to: &json)
        }
    }

    /// Nil for a type of message that carries none.
    public init?(json: JSONValue, of type: MessageType) throws(ModelError) {
        switch type {
        case .quickReplies: self = .quickReplies(try QuickReplies(json: json))
        case .listPicker: self = .listPicker(try ListPicker(json: json))
        case .richLink: self = .richLink(try RichLink(json: json))
        case .timePicker: self = .timePicker(try TimePicker(json: json))
        case .text, .file, .admin, .unknown: return nil
        }
    }
}

/// A question with buttons (CXone `QUICK_REPLIES`).
public struct QuickReplies: CanonicalJSON, Hashable {
    public var title: String
    public var buttons: [ReplyButton]

    public init(title: String, buttons: [ReplyButton]) {
        self.title = title
        self.buttons = buttons
    }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("title", title)
        json.member("buttons", buttons)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        title = try json.requiredString("title")
        buttons = try json.requiredArray("buttons")
    }
}

/// A list to choose from (CXone `LIST_PICKER`).
public struct ListPicker: CanonicalJSON, Hashable {
    public var title: String
    public var text: String
    public var buttons: [ReplyButton]

    public init(title: String, text: String, buttons: [ReplyButton]) {
        self.title = title
        self.text = text
        self.buttons = buttons
    }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("title", title)
        json.member("text", text)
        json.member("buttons", buttons)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        title = try json.requiredString("title")
        text = try json.requiredString("text")
        buttons = try json.requiredArray("buttons")
    }
}

/// One answer (CXone `REPLY_BUTTON`).
public struct ReplyButton: CanonicalJSON, Hashable {
    public var text: String
    public var description: String?
    /// What comes back with the answer.
    public var postback: String?
    public var iconName: String?
    public var iconURL: String?
    public var iconMimeType: String?

    public init(
        text: String, description: String? = nil, postback: String? = nil, iconName: String? = nil,
        iconURL: String? = nil,
        iconMimeType: String? = nil
    ) {
        self.text = text
        self.description = description
        self.postback = postback
        self.iconName = iconName
        self.iconURL = iconURL
        self.iconMimeType = iconMimeType
    }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("text", text)
        json.member("description", description)
        json.member("postback", postback)
        json.member("iconName", iconName)
        json.member("iconUrl", iconURL)
        json.member("iconMimeType", iconMimeType)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        text = try json.requiredString("text")
        description = json["description"]?.string
        postback = json["postback"]?.string
        iconName = json["iconName"]?.string
        iconURL = json["iconUrl"]?.string
        iconMimeType = json["iconMimeType"]?.string
    }
}

/// A link with a picture (CXone `RICH_LINK`).
public struct RichLink: CanonicalJSON, Hashable {
    public var title: String
    public var url: String
    /// The picture, if there is one.
    public var fileName: String?
    public var fileURL: String?
    public var mimeType: String?

    public init(title: String, url: String, fileName: String? = nil, fileURL: String? = nil, mimeType: String? = nil) {
        self.title = title
        self.url = url
        self.fileName = fileName
        self.fileURL = fileURL
        self.mimeType = mimeType
    }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("title", title)
        json.member("url", url)
        json.member("fileName", fileName)
        json.member("fileUrl", fileURL)
        json.member("mimeType", mimeType)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        title = try json.requiredString("title")
        url = try json.requiredString("url")
        fileName = json["fileName"]?.string
        fileURL = json["fileUrl"]?.string
        mimeType = json["mimeType"]?.string
    }
}

/// Times to choose from (CXone `TIME_PICKER`).
public struct TimePicker: CanonicalJSON, Hashable {
    public struct Slot: CanonicalJSON, Hashable {
        public var id: String
        /// Seconds.
        public var duration: Int
        public var startTime: Timestamp

        public init(id: String, duration: Int, startTime: Timestamp) {
            self.id = id
            self.duration = duration
            self.startTime = startTime
        }

        public func encode(to json: inout JSONWriter) {
            json.beginObject()
            json.member("id", id)
            json.member("duration", duration)
            json.member("startTime", startTime)
            json.endObject()
        }

        public init(json: JSONValue) throws(ModelError) {
            id = try json.requiredString("id")
            duration = Int(try json.requiredInteger("duration"))
            startTime = try json.requiredTimestamp("startTime")
        }
    }

    public var title: String
    /// What the times are for.
    public var sheetTitle: String
    public var timeSlots: [Slot]

    public init(title: String, sheetTitle: String, timeSlots: [Slot]) {
        self.title = title
        self.sheetTitle = sheetTitle
        self.timeSlots = timeSlots
    }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("title", title)
        json.member("sheetTitle", sheetTitle)
        json.member("timeSlots", timeSlots)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        title = try json.requiredString("title")
        sheetTitle = try json.requiredString("sheetTitle")
        timeSlots = try json.requiredArray("timeSlots")
    }
}
