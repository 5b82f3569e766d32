import Bounds
import Chat
import ChatModel
import ChatStore
import Formats
import HTTPRouting
import MicroHTTP

/// The messages of a thread, as its customer sees them.
struct MessageRoutes: RouteGroup {
    private static let list = "/v1/sessions/{session}/threads/{thread}/messages"
    private static let one = "/v1/sessions/{session}/threads/{thread}/messages/{message}"

    var routes: [Route] {
        [
            Route(
                .get, Self.list, "listMessages", access: .session(.sessionsRead),
                query: .only(
                    ["q", "limit", "cursor", "replies"] + QueryReader.timeNames, repeatable: SearchRoutes.lists),
                handler: .task { call in
                    guard !call.isSearch else { return nil }
                    let client = try call.client()
                    guard client.isComplete else { return nil }
                    let replies = try call.query.choice("replies", default: ReplyFilter.alsoInThread)
                    return client.keptMessages(
                        of: call.parameters["thread"], replies: replies, page: try call.query.page()
                    ).map { call.page($0) }
                } run: { call in
                    let (client, thread) = (try call.client(), call.parameters["thread"])
                    if call.isSearch { return try await call.aside { try await call.found(in: thread, client) } }
                    let replies = try call.query.choice("replies", default: ReplyFilter.alsoInThread)
                    return call.page(try await client.history(of: thread, replies: replies, page: call.query.page()))
                }),
            Route(
                .post, Self.list, "sendMessage", access: .session(.sessionsWrite), body: .json, idempotency: .carried,
                handler: .task { call in
                    let message: NewMessage = try call.body()
                    let client = try call.client()
                    let draft = try message.draft(of: call)
                    try call.checkLength(of: draft.text)
                    return call.outcome(
                        try await client.send(draft, to: call.parameters["thread"], receipt: call.receipt))
                }
            ).counted(as: .messages),
            Route(
                .get, Self.one, "getMessage", access: .session(.sessionsRead),
                handler: .task { call in
                    try await call.resource(
                        call.client().message(call.parameters["message"], in: call.parameters["thread"]))
                }),
            Route(
                .patch, Self.one, "updateMessage", access: .session(.sessionsWrite), body: .json, isVersioned: true,
                handler: .task { call in
                    let patch: MessagePatch = try call.body()
                    try call.checkLength(of: patch.text)
                    let (thread, message) = (call.parameters["thread"], call.parameters["message"])
                    let client = try call.client()
                    let version = try await call.expectedVersion { () async throws(ChatError) in
                        try await client.message(message, in: thread).version
                    }
                    return call.outcome(try await client.edit(message, in: thread, text: patch.text, ifMatch: version))
                }
            ).counted(as: .messages),
            Route(
                .delete, Self.one, "deleteMessage", access: .session(.sessionsWrite), isVersioned: true,
                handler: .task { call in
                    let (thread, message) = (call.parameters["thread"], call.parameters["message"])
                    let client = try call.client()
                    let version = try await call.expectedVersion { () async throws(ChatError) in
                        try await client.message(message, in: thread).version
                    }
                    try await client.remove(message, in: thread, ifMatch: version)
                    return call.noContent()
                }),
        ]
    }
}

/// `{"id"?,"text"?,"postback"?,"attachments"?,"parentId"?,"alsoInThread"?,"customType"?}`: a message of the customer.
struct NewMessage: RequestBody {
    private let id: String?
    private let text: String?
    private let customType: String?
    private let reply: ReplyMembers
    private let attachments: [String]
    private let postback: String?

    init(reading object: inout ObjectReader) { self.init(reading: &object, parent: nil) }

    /// - Parameter parent: the message to reply to, if the path names it; `parentId` is an unknown member then.
    init(reading object: inout ObjectReader, parent: String?) {
        id = object.optionalID("id")
        text = MessageText.optional(&object)
        customType = object.optionalKey("customType", length: 1...128)
        reply = ReplyMembers(reading: &object, parent: parent)
        attachments = AttachmentList.optional(&object)
        postback = object.optionalString("postback", length: 1...4096)
    }

    /// The message for the chat. Throws `invalidParameter` when there is neither text nor postback nor attachment.
    ///
    /// - Parameter call: says who sends it, and in which languages an automatic answer may be.
    func draft(of call: Call) throws(ChatError) -> MessageDraft {
        guard text != nil || !attachments.isEmpty || postback != nil else {
            throw ChatError(.invalidParameter, "A message has a text, a postback or attachments.", pointer: "/text")
        }
        var draft = MessageDraft(
            id: id, text: text, customType: customType, parentID: reply.parentID, alsoInThread: reply.alsoInThread,
            attachments: attachments, postback: postback)
        draft.isCounted = call.identity.isCounted
        draft.languages = call.acceptedLanguages
        return draft
    }
}

/// `{"text"}`: the new text of a message; nothing else of it can be changed.
struct MessagePatch: RequestBody {
    let text: String

    init(reading object: inout ObjectReader) { text = MessageText.required(&object) }
}

/// The member `text` of a message: 1 to 65,536 bytes of UTF-8.
package enum MessageText {
    /// The limit in bytes, not in characters; `/v1/info` shows it.
    static let maximumBytes = ByteBound.text.bytes

    /// The text; empty, and a fault reported, when it is missing or not valid.
    package static func required(_ object: inout ObjectReader) -> String {
        guard let value = object.required("text") else { return "" }
        return check(value, &object) ?? ""
    }

    /// The text; nil when it is missing. A text that is too long is the fault `textTooLong`.
    static func optional(_ object: inout ObjectReader) -> String? {
        object.optional("text").flatMap { check($0, &object) }
    }

    private static func check(_ value: JSONValue, _ object: inout ObjectReader) -> String? {
        guard let text = value.string else {
            object.reject("text", "a string was expected, not \(value.kind)")
            return nil
        }
        if text.utf8.count > maximumBytes {
            object.reject("text", .textTooLong, "a text has at most \(maximumBytes) bytes of UTF-8")
            return nil
        }
        if text.isEmpty {
            object.reject("text", .invalidParameter, "the text is empty")
            return nil
        }
        return text
    }
}

/// The member `content` of a rich message, whose shape depends on the message's type.
enum RichContentBody {
    /// The content; nil, and a fault reported, when it is missing or not valid. Also nil for types without rich
    /// content.
    static func required(_ object: inout ObjectReader, _ type: MessageType) -> RichContent? {
        let value = object.required("content")
        switch type {
        case .quickReplies:
            return object.object(value, "content", as: QuickRepliesBody.self).map { .quickReplies($0.content) }
        case .listPicker:
            return object.object(value, "content", as: ListPickerBody.self).map { .listPicker($0.content) }
        case .richLink: return object.object(value, "content", as: RichLinkBody.self).map { .richLink($0.content) }
        case .timePicker:
            return object.object(value, "content", as: TimePickerBody.self).map { .timePicker($0.content) }
        case .text, .file, .admin, .unknown: return nil
        }
    }
}

/// `{"title","buttons"}`: a question with 1 to 50 buttons.
struct QuickRepliesBody: RequestBody {
    let content: QuickReplies

    init(reading object: inout ObjectReader) {
        content = QuickReplies(
            title: object.requiredString("title", length: 1...1024), buttons: ReplyButtonBody.list(&object))
    }
}

/// `{"title","text","buttons"}`: a list of 1 to 50 choices.
struct ListPickerBody: RequestBody {
    let content: ListPicker

    init(reading object: inout ObjectReader) {
        content = ListPicker(
            title: object.requiredString("title", length: 1...1024),
            text: object.requiredString("text", length: 1...1024),
            buttons: ReplyButtonBody.list(&object))
    }
}

/// `{"text","description"?,"postback"?,"iconName"?,"iconUrl"?,"iconMimeType"?}`: a button. A client sends its
/// `postback` back when it is chosen.
struct ReplyButtonBody: RequestBody {
    let button: ReplyButton

    init(reading object: inout ObjectReader) {
        button = ReplyButton(
            text: object.requiredString("text", length: 1...256),
            description: object.optionalString("description", length: 1...1024),
            postback: object.optionalString("postback", length: 1...4096),
            iconName: object.optionalString("iconName", length: 1...256), iconURL: object.optionalLink("iconUrl"),
            iconMimeType: object.optionalString("iconMimeType", length: 1...127))
    }

    /// The member `buttons`: 1 to 50.
    static func list(_ object: inout ObjectReader) -> [ReplyButton] {
        object.objects(object.required("buttons"), "buttons", count: 1...50, as: ReplyButtonBody.self)?.map(\.button)
            ?? []
    }
}

/// `{"title","url","fileName"?,"fileUrl"?,"mimeType"?}`: a link; the file is its picture.
struct RichLinkBody: RequestBody {
    let content: RichLink

    init(reading object: inout ObjectReader) {
        content = RichLink(
            title: object.requiredString("title", length: 1...1024), url: object.requiredLink("url"),
            fileName: object.optionalString("fileName", length: 1...256), fileURL: object.optionalLink("fileUrl"),
            mimeType: object.optionalString("mimeType", length: 1...127))
    }
}

/// `{"title","sheetTitle","timeSlots":[{"id","duration","startTime"}]}`: 1 to 100 times to choose from.
struct TimePickerBody: RequestBody {
    let content: TimePicker

    init(reading object: inout ObjectReader) {
        let title = object.requiredString("title", length: 1...1024)
        let sheetTitle = object.requiredString("sheetTitle", length: 1...1024)
        let slots =
            object.objects(object.required("timeSlots"), "timeSlots", count: 1...100, as: TimeSlotBody.self) ?? []
        content = TimePicker(title: title, sheetTitle: sheetTitle, timeSlots: slots.map(\.slot))
    }
}

/// `{"id","duration","startTime"}`: the duration in seconds, 1 to 604,800 (a week); the start as in RFC 3339.
struct TimeSlotBody: RequestBody {
    let slot: TimePicker.Slot

    init(reading object: inout ObjectReader) {
        let id = object.requiredID("id"), duration = object.requiredInteger("duration", in: 1...604_800)
        let time = object.requiredString("startTime", length: 20...64)
        let startTime = Timestamp(rfc3339: time)
        if startTime == nil, !time.isEmpty { object.reject("startTime", "a time as in RFC 3339 was expected") }
        slot = TimePicker.Slot(id: id, duration: duration, startTime: startTime ?? Timestamp(milliseconds: 0))
    }
}

extension ObjectReader {
    /// A URL with the scheme `http` or `https`, in ASCII, at most 2,048 characters. Other schemes are faults, because a
    /// page opens the link and `javascript:` would run in it.
    fileprivate mutating func optionalLink(_ name: String) -> String? {
        checkedLink(optionalString(name, length: 1...2048), name)
    }

    fileprivate mutating func requiredLink(_ name: String) -> String {
        checkedLink(requiredString(name, length: 1...2048), name) ?? ""
    }

    private mutating func checkedLink(_ text: String?, _ name: String) -> String? {
        guard let text, !text.isEmpty else { return text }
        guard ["https://", "http://"].contains(where: { text.hasPrefix($0) && text.utf8.count > $0.utf8.count }),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            reject(name, "an address that begins with https:// or http:// was expected, in ASCII")
            return nil
        }
        return text
    }
}
