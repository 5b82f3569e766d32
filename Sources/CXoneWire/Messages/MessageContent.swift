/// What a message says: `messageContent`.
public struct MessageContent: Sendable, Hashable {
    public var body: MessageBody
    /// The text to show when the reader does not know the type of the body.
    public var fallbackText: String?
    /// Marks of hidden messages.
    public var parameters: MessageParameters
    /// The answer's own value, of a button for example. Of both places on the wire the outer one counts.
    public var postback: String?

    public init(
        _ body: MessageBody, fallbackText: String? = nil, parameters: MessageParameters = MessageParameters(),
        postback: String? = nil
    ) {
        self.body = body
        self.fallbackText = fallbackText
        self.parameters = parameters
        self.postback = postback
    }

    /// A plain text, as customers send it.
    ///
    /// - Parameter postback: the value of the button that was chosen, if any.
    public static func text(_ text: String, postback: String? = nil) -> MessageContent {
        MessageContent(.text(text), postback: postback)
    }
}

extension MessageContent {
    /// Where the text is read, if it is generated meanwhile.
    public var streamURL: String? {
        if case .unknown(let content) = body { content.streamURL } else { nil }
    }
}

/// The kinds of content that the SDKs can show, and any other one.
public enum MessageBody: Sendable, Hashable {
    /// `TEXT`
    case text(String)
    /// `POSTBACK`: Android's answer to the inactivity popup; not displayed.
    case postback(String)
    /// `QUICK_REPLIES`
    case quickReplies(QuickReplies)
    /// `LIST_PICKER`
    case listPicker(ListPicker)
    /// `RICH_LINK`
    case richLink(RichLink)
    /// `TIME_PICKER`
    case timePicker(TimePicker)
    /// `PLUGIN` with an `INACTIVITY_POPUP` element, or that type itself.
    case inactivityPopup(InactivityPopup)
    /// Any other type, and one above whose payload isn't as it should be.
    case unknown(UnknownContent)

    /// `type` on the wire; for unknown content as it was received.
    public var type: String {
        switch self {
        case .text: "TEXT"
        case .postback: "POSTBACK"
        case .quickReplies: "QUICK_REPLIES"
        case .listPicker: "LIST_PICKER"
        case .richLink: "RICH_LINK"
        case .timePicker: "TIME_PICKER"
        case .inactivityPopup: "PLUGIN"
        case .unknown(let content): content.type
        }
    }
}

extension MessageContent: WireReadable {
    /// Takes any content: what can't be read as its type says becomes ``MessageBody/unknown(_:)``.
    public init(_ value: WireValue) throws(WireError) {
        let type: String = try value.required("type")
        if let known = MessageBody(type: type, in: value) {
            body = known
        } else {
            body = .unknown(try UnknownContent(value))
        }
        fallbackText = try value.nonEmpty("fallbackText")
        parameters = try value.optional("parameters") ?? MessageParameters()
        postback = value["postback"]?.filledString ?? value["payload"]?["postback"]?.filledString
    }
}

extension MessageBody {
    fileprivate init?(type: String, in content: WireValue) {
        let payload = content["payload"] ?? content
        let text = payload.textContent("text") ?? content["text"]?.string ?? ""
        switch type {
        case "TEXT": self = .text(text)
        case "POSTBACK": self = .postback(text)
        case "QUICK_REPLIES":
            if let body = try? QuickReplies(payload) { self = .quickReplies(body) } else { return nil }
        case "LIST_PICKER": if let body = try? ListPicker(payload) { self = .listPicker(body) } else { return nil }
        case "RICH_LINK": if let body = try? RichLink(payload) { self = .richLink(body) } else { return nil }
        case "TIME_PICKER": if let body = try? TimePicker(payload) { self = .timePicker(body) } else { return nil }
        case "PLUGIN", "INACTIVITY_POPUP":
            guard let popup = InactivityPopup(payload: payload, type: type) else { return nil }
            self = .inactivityPopup(popup)
        default: return nil
        }
    }
}

extension MessageContent: WireWritable {
    /// Writes a null for no postback, as the iOS SDK does.
    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            writer.member("type", body.type)
            switch body {
            case .text(let text): writer.object("payload") { $0.member("text", text) }
            case .postback(let text):
                writer.object("payload") { writer in
                    writer.member("text", text)
                    writer.member("postback", ifPresent: postback)
                }
            case .quickReplies(let body): writer.member("payload", body)
            case .listPicker(let body): writer.member("payload", body)
            case .richLink(let body): writer.member("payload", body)
            case .timePicker(let body): writer.member("payload", body)
            case .inactivityPopup(let body): writer.member("payload", body)
            case .unknown(let body): writer.member("payload", body.payload)
            }
            writer.member("fallbackText", ifPresent: fallbackText)
            writer.member("parameters", parameters)
            writer.member("postback", orNull: postback)
        }
    }
}

extension WireValue {
    fileprivate var filledString: String? { string.flatMap { $0.isEmpty ? nil : $0 } }

    /// `"title": {"content": "..."}`, or the text itself.
    func textContent(_ name: StaticString) -> String? { self[name]?.string ?? self[name]?["content"]?.string }
}

/// The marks by which hidden messages are known: `parameters`, on the wire `{}` or `[]` when there are none.
public struct MessageParameters: Sendable, Hashable, WireReadable, WireWritable {
    /// Begins a live chat.
    public var isInitialMessage: Bool
    /// The automatic answer to content that a client can't show.
    public var isUnsupportedMessageTypeAnswer: Bool
    /// The answer to an inactivity popup.
    public var isInactivityPopupAnswer: Bool

    public init(
        isInitialMessage: Bool = false, isUnsupportedMessageTypeAnswer: Bool = false,
        isInactivityPopupAnswer: Bool = false
    ) {
        self.isInitialMessage = isInitialMessage
        self.isUnsupportedMessageTypeAnswer = isUnsupportedMessageTypeAnswer
        self.isInactivityPopupAnswer = isInactivityPopupAnswer
    }

    /// Whether the message has a mark. Neither customer nor agent sees such a message.
    public var isHidden: Bool { self != MessageParameters() }

    /// Other members of `parameters` are ignored: the platform's own marks mean nothing here.
    public init(_ value: WireValue) {
        isInitialMessage = value["isInitialMessage"]?.bool == true
        isUnsupportedMessageTypeAnswer = value["isUnsupportedMessageTypeAnswer"]?.bool == true
        isInactivityPopupAnswer = value["isInactivityPopupAnswer"]?.bool == true
    }

    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            writer.member("isInitialMessage", ifPresent: isInitialMessage ? true : nil)
            writer.member("isUnsupportedMessageTypeAnswer", ifPresent: isUnsupportedMessageTypeAnswer ? true : nil)
            writer.member("isInactivityPopupAnswer", ifPresent: isInactivityPopupAnswer ? true : nil)
        }
    }
}

/// Content that is only handed on: its type and its payload.
public struct UnknownContent: Sendable, Hashable {
    public var type: String
    /// The payload as it was received, for clients that know the type.
    public var payload: RawJSON
    /// The types of `payload.elements`, which the SDKs name to the user.
    public var elementTypes: [String]
    /// What people can read in the payload.
    public var readableLines: [String]
    /// Where the text of a `STREAMED` message is read (``StreamedText``); nil for any other content.
    public var streamURL: String?

    init(_ content: WireValue) throws(WireError) {
        type = try content.required("type")
        payload = content["payload"].map { RawJSON($0) } ?? RawJSON.emptyObject
        elementTypes = (content["payload"]?["elements"]?.elements ?? []).map { $0["type"]?.string ?? "UNKNOWN" }
        readableLines = content["payload"]?.readableLines ?? []
        if type == "STREAMED", content["payload"]?["protocol"]?.string ?? "sse" == "sse" {
            streamURL = content["payload"]?["sourceUrl"]?.filledString
        }
    }

    /// The fallback text if there is one, and what can be read in the payload. If nothing can, what kind of content it
    /// is, as the SDKs show it.
    public func displayText(fallbackText: String?) -> String {
        if !readableLines.isEmpty {
            let first = fallbackText.map { readableLines.contains($0) ? [] : [$0] } ?? []
            return (first + readableLines).joined(separator: "\n")
        }
        let element = elementTypes.count > 1 ? "GALLERY" : elementTypes.first ?? "UNKNOWN"
        let kind = "\(type) – \(element)"
        return fallbackText.map { "\($0):\n\(kind)" } ?? kind
    }
}

extension WireValue {
    /// What people can read in content of any shape, as an adaptive card or a form: its titles, texts and labels, in the
    /// order in which they stand. A link stands behind its title, and a fact's value behind its name.
    ///
    /// At most 50 lines of 500 characters each: it stands in for the content, and the content may be anything.
    var readableLines: [String] {
        var lines: [String] = []
        collectLines(into: &lines)
        return lines
    }

    private static let lineLimit = 50, lengthLimit = 500

    private func collectLines(into lines: inout [String]) {
        guard lines.count < Self.lineLimit else { return }
        if let elements {
            for element in elements { element.collectLines(into: &lines) }
            return
        }
        for (name, value) in members {
            if let text = value.string {
                guard Self.isForPeople(name) else { continue }
                add(text, behind: name, to: &lines)
            } else {
                value.collectLines(into: &lines)
            }
        }
    }

    private func add(_ text: String, behind name: String, to lines: inout [String]) {
        var line = text
        if name == "title" || name == "label" {
            let rest = self["url"]?.filledString ?? self["value"]?.filledString
            if let rest, !text.isEmpty { line += ": " + rest }
        }
        line = String(String.UnicodeScalarView(line.unicodeScalars.prefix(Self.lengthLimit)))
        guard !line.allSatisfy(\.isWhitespace), lines.last != line, lines.count < Self.lineLimit else { return }
        lines.append(line)
    }

    /// Whether members of this name are shown by the platform's own clients. Others are ids, addresses, sizes and colours.
    private static func isForPeople(_ name: String) -> Bool {
        ["title", "subtitle", "text", "label", "content", "altText", "placeholder"].contains(name)
    }
}
