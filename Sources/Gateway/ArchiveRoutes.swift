import Bounds
import Chat
import ChatModel
import ChatStore
import Formats
import HTTPRouting
import MicroHTTP

/// The routes that export conversations, and import those of other systems.
struct ArchiveRoutes: RouteGroup {
    let desk: any DeskService

    var routes: [Route] {
        let desk = desk
        return [
            Route(
                .get, "/v1/desk/export", "listExportedThreads", access: .scope(.deskRead),
                query: .only(["limit", "cursor"] + QueryReader.timeNames, repeatable: ["channel"]),
                handler: .aside { call in
                    call.page(
                        try await desk.exportedThreads(within: try call.deskChannels, page: try call.query.page()),
                        hasNames: true)
                }),
            Route(
                .post, "/v1/desk/import", "importThread", access: .scope(.deskManage), query: .only(["channel"]),
                body: .json, idempotency: .carried,
                handler: .aside { call in try await Self.importThread(call, desk) }
            ).located { _, id in "/v1/desk/threads/\(id.percentEncoded)" },
        ]
    }

    private static func importThread(_ call: Call, _ desk: any DeskService) async throws -> HTTPResponse {
        // It makes customers, and says who they are.
        try call.rights.require(.customersWrite)
        let body: ImportBody = try call.body()
        guard let channel = try call.query.channel("channel") ?? body.channel else {
            throw Problem(items: [Problem.Item(.missingMember, pointer: "/channel", "the operation needs this member")])
        }
        try call.rights.require(channel: channel)
        var thread = body.thread
        thread.digest = try call.json().contentDigest
        return call.outcome(
            try await desk.importThread(
                thread, on: channel, addsTags: call.rights.channels == nil, receipt: call.receipt))
    }
}

extension JSONValue {
    /// The SHA-256 of what a conversation holds, in base64url. Spaces, the order of members and the place where it goes make
    /// no difference.
    fileprivate var contentDigest: String {
        var json = JSONWriter()
        let content = (members ?? []).filter { $0.name != "channel" }
        JSONValue.object(content).write(to: &json)
        return Base64URL.encode(SHA256.hash(json.bytes))
    }

    private func write(to json: inout JSONWriter) {
        switch self {
        case .null: json.raw(Array("null".utf8))
        case .bool(let flag): json.value(flag)
        case .integer(let number): json.value(number)
        case .number(let number): json.raw(Array("\(number)".utf8))
        case .string(let text): json.value(text)
        case .array(let items):
            json.beginArray()
            for item in items { item.write(to: &json) }
            json.endArray()
        case .object(let members):
            json.beginObject()
            for member in members.sorted(by: { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }) {
                json.name(member.name)
                member.value.write(to: &json)
            }
            json.endObject()
        }
    }
}

/// A conversation to import: `{"id","customer","channel"?,"state"?,"createdAt","messages","contacts"?,...}`, as an export
/// writes it.
private struct ImportBody: RequestBody {
    /// Nil where the query names it.
    let channel: String?
    let thread: ImportedThread

    init(reading object: inout ObjectReader) {
        channel = object.optionalKey("channel", length: 1...64)
        let owner = object.object(object.required("customer"), "customer", as: ImportedCustomerBody.self)?.customer
        let others = object.objects(
            object.optional("members"), "members", count: 0...ThreadRules.maximumMembers - 1,
            as: ImportedCustomerBody.self)
        var thread = ImportedThread(
            id: object.requiredID("id"), digest: "",
            members: [owner ?? Customer(id: "")] + (others ?? []).map(\.customer),
            createdAt: object.requiredTime("createdAt"),
            isClosed: object.optionalChoice("state", of: ImportedState.allCases) != .ready)
        thread.name = object.optionalString("name", length: 1...ThreadRules.maximumNameLength)
        thread.customType = object.optionalKey("customType", length: 1...128)
        thread.customFields = CustomFieldsBody.optional(&object) ?? [:]
        thread.agent = object.object(object.optional("agent"), "agent", as: ImportedAgentBody.self)?.agent
        thread.previousAgent =
            object.object(object.optional("previousAgent"), "previousAgent", as: ImportedAgentBody.self)?.agent
        thread.tags = ImportedTagBody.list(&object) ?? []
        thread.rating = object.object(object.optional("rating"), "rating", as: ImportedRatingBody.self)?.rating
        let contacts = object.objects(
            object.optional("contacts"), "contacts", count: 0...ImportRules.maximumContacts,
            as: ImportedContactBody.self)
        thread.contacts = (contacts ?? []).map(\.contact)
        let messages = object.objects(
            object.required("messages"), "messages", count: 0...ImportRules.maximumMessages,
            as: ImportedMessageBody.self)
        thread.messages = (messages ?? []).map(\.message)
        let notes = object.objects(
            object.optional("notes"), "notes", count: 0...ImportRules.maximumMessages, as: ImportedNoteBody.self)
        thread.notes = (notes ?? []).map(\.note)
        self.thread = thread
    }
}

/// Whether an imported conversation takes more messages.
private enum ImportedState: String, CaseIterable { case ready, closed }

extension ObjectReader {
    /// A time as in RFC 3339, from 1970 on; the beginning of 1970, and a fault reported, otherwise.
    fileprivate mutating func requiredTime(_ name: String) -> Timestamp {
        time(requiredString(name, length: 1...64), name) ?? Timestamp(milliseconds: 0)
    }

    fileprivate mutating func optionalTime(_ name: String) -> Timestamp? {
        optionalString(name, length: 1...64).flatMap { time($0, name) }
    }

    private mutating func time(_ text: String, _ name: String) -> Timestamp? {
        if text.isEmpty { return nil }
        if let time = Timestamp(rfc3339: text), time.milliseconds > 0 { return time }
        reject(name, "a time as in RFC 3339 was expected, from 1970 on")
        return nil
    }

    /// A text of at most as many bytes as a message's; it may be empty.
    fileprivate mutating func anyText() -> String? {
        guard let value = optional("text") else { return nil }
        guard let text = value.string else {
            reject("text", "a string was expected, not \(value.kind)")
            return nil
        }
        if text.utf8.count > ByteBound.text.bytes {
            reject("text", .textTooLong, "a text has at most \(ByteBound.text.bytes) bytes of UTF-8")
        }
        return text
    }
}

/// `{"id","firstName"?,"lastName"?,"email"?,"imageUrl"?,"verified"?}`
private struct ImportedCustomerBody: RequestBody {
    let customer: Customer

    init(reading object: inout ObjectReader) {
        var customer = Customer(
            id: object.requiredID("id"),
            firstName: object.optionalString("firstName", length: 1...CustomerDraft.maximumNameLength),
            lastName: object.optionalString("lastName", length: 1...CustomerDraft.maximumNameLength),
            imageURL: object.optionalString("imageUrl", length: 8...CustomerDraft.maximumImageLength))
        if let image = customer.imageURL, !CustomerDraft.isImage(image) {
            object.reject("imageUrl", "an address with https:// or http:// was expected")
        }
        customer.email = object.optionalString("email", length: 3...254)
        customer.isVerified = object.optionalBool("verified") ?? false
        self.customer = customer
    }
}

/// `{"id","name"?,"isBot"?}`
private struct ImportedAgentBody: RequestBody {
    let agent: Agent

    init(reading object: inout ObjectReader) {
        agent = Agent(
            id: object.requiredID("id"), name: object.optionalString("name", length: 1...256),
            isBot: object.optionalBool("isBot") ?? false)
    }
}

/// `{"id","name"?,"kind"}`
private struct ImportedAuthorBody: RequestBody {
    let author: Author

    init(reading object: inout ObjectReader) {
        author = Author(
            id: object.requiredID("id"), name: object.optionalString("name", length: 1...513),
            kind: object.requiredChoice("kind", of: Author.Kind.allCases) ?? .system)
    }
}

/// `{"id"?,"name"?,"colour"?}`
private struct ImportedTagBody: RequestBody {
    let tag: ImportedTag

    init(reading object: inout ObjectReader) {
        tag = ImportedTag(
            id: object.optionalID("id"), name: object.optionalKey("name", length: DeskTag.nameLength),
            colour: object.optionalChoice("colour", of: DeskTag.Colour.allCases))
        if tag.id == nil, tag.name == nil { object.reject(nil, "an id or a name was expected") }
    }

    /// The member `tags`; nil when it is missing.
    static func list(_ object: inout ObjectReader) -> [ImportedTag]? {
        object.objects(
            object.optional("tags"), "tags", count: 0...ThreadTeam.maximumTags, as: ImportedTagBody.self)?.map(\.tag)
    }
}

/// `{"score","comment"?,"at"}`
private struct ImportedRatingBody: RequestBody {
    let rating: Rating

    init(reading object: inout ObjectReader) {
        rating = Rating(
            score: object.requiredInteger("score", in: Rating.scores),
            comment: object.optionalString("comment", length: 1...Rating.maximumComment), at: object.requiredTime("at"))
    }
}

/// `{"openedAt","closedAt"?,"closedBy"?,"firstAnswerAt"?,"firstAnswerBy"?,"lastAnswerBy"?,"messagesIn"?,"messagesOut"?,..}`
private struct ImportedContactBody: RequestBody {
    let contact: ImportedContact

    init(reading object: inout ObjectReader) {
        var contact = ImportedContact(
            openedAt: object.requiredTime("openedAt"), closedAt: object.optionalTime("closedAt"),
            isReopened: object.optionalBool("reopened") ?? false)
        contact.closedBy = object.optionalID("closedBy")
        contact.firstAnswerAt = object.optionalTime("firstAnswerAt")
        contact.firstAgent = object.optionalID("firstAnswerBy")
        contact.lastAgent = object.optionalID("lastAnswerBy")
        contact.messagesIn = Self.count("messagesIn", &object)
        contact.messagesOut = Self.count("messagesOut", &object)
        contact.score = object.optionalInteger("score", in: Rating.scores)
        contact.tags = ImportedTagBody.list(&object)
        contact.firstAnswerOpen = Self.count("firstAnswerOpenMilliseconds", &object)
        contact.resolutionOpen = Self.count("resolutionOpenMilliseconds", &object)
        self.contact = contact
    }

    private static func count(_ name: String, _ object: inout ObjectReader) -> Int64? {
        object.optionalInteger(name, in: 0...ImportRules.greatestCount).map(Int64.init)
    }
}

/// `{"id","createdAt","author","text"?,"type"?,"content"?,"postback"?,"customType"?,"parentId"?,"alsoInThread"?,
/// "attachments"?,"updatedAt"?,"editedAt"?,"seenAt"?}`
private struct ImportedMessageBody: RequestBody {
    let message: Message

    init(reading object: inout ObjectReader) {
        let author = object.object(object.required("author"), "author", as: ImportedAuthorBody.self)?.author
        let files =
            object.objects(
                object.optional("attachments"), "attachments", count: 0...MessageDraft.maximumAttachments,
                as: ImportedFileBody.self) ?? []
        let type =
            object.optionalChoice("type", of: MessageType.allCases.filter { $0 != .unknown })
            ?? (files.isEmpty ? .text : .file)
        let seenAt = object.optionalTime("seenAt")
        var message = Message(
            id: object.requiredID("id"), threadID: "", createdAt: object.requiredTime("createdAt"),
            direction: author?.kind == .customer ? .toAgent : .toClient,
            author: author ?? .system, type: type, text: object.anyText(), status: seenAt == nil ? .delivered : .seen)
        message.seenAt = seenAt
        message.updatedAt = max(message.createdAt, object.optionalTime("updatedAt") ?? message.createdAt)
        message.editedAt = object.optionalTime("editedAt")
        message.customType = object.optionalKey("customType", length: 1...128)
        if RichContent.types.contains(type) { message.content = RichContentBody.required(&object, type) }
        message.postback = object.optionalString("postback", length: 0...ImportRules.maximumPostback)
        message.attachments = files.map(\.attachment)
        message.parentID = object.optionalID("parentId")
        message.alsoInThread = object.optionalBool("alsoInThread") ?? (message.parentID == nil ? nil : true)
        if message.parentID == nil, message.alsoInThread != nil {
            object.reject("alsoInThread", "only a reply has this member")
        }
        self.message = message
    }
}

/// `{"id","name","mimeType","size"}`: a file that does not come along.
private struct ImportedFileBody: RequestBody {
    let attachment: Attachment

    init(reading object: inout ObjectReader) {
        attachment = Attachment(
            id: object.requiredID("id"), name: object.requiredString("name", length: 1...255),
            mimeType: object.requiredString("mimeType", length: 1...255),
            size: Int64(object.requiredInteger("size", in: 0...ImportRules.greatestCount)))
    }
}

/// `{"id","createdAt","author","text"}`
private struct ImportedNoteBody: RequestBody {
    let note: Note

    init(reading object: inout ObjectReader) {
        let author = object.object(object.required("author"), "author", as: ImportedAuthorBody.self)?.author
        note = Note(
            id: object.requiredID("id"), threadID: "", createdAt: object.requiredTime("createdAt"),
            author: author ?? .system, text: MessageText.required(&object))
    }
}
