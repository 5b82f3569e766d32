import Formats

/// Something that happened, told without being asked for. Its `eventId` belongs to no request.
///
/// A client must take pushes in the order in which they come.
public struct ServerPush: Sendable, Hashable {
    public var eventID: String?
    /// When the event happened, in whole seconds.
    public var createdAt: Timestamp?
    /// `createdAtWithMilliseconds`: the same time with its fraction; not every server sends it.
    public var preciseCreatedAt: Timestamp?
    public var event: PushEvent

    public init(eventID: String?, createdAt: Timestamp?, preciseCreatedAt: Timestamp? = nil, event: PushEvent) {
        self.eventID = eventID
        self.createdAt = createdAt
        self.preciseCreatedAt = preciseCreatedAt
        self.event = event
    }
}

/// What happened, by the platform's own names.
public enum PushEvent: Sendable, Hashable {
    /// Also for the customer's own messages: this is how they are delivered.
    case messageCreated(MessageCreated)
    /// A message of an agent, ahead of its `MessageCreated`, so that it is shown sooner. The message has no id of the
    /// server's yet. Of the SDKs only the web one reads it.
    case messageSent(MessageCreated)
    /// The text of a message was changed. The push has the whole message. Of the SDKs only the web one reads it.
    case messageUpdated(MessageChanged)
    /// An agent has read a message. The push has the whole message.
    case messageReadChanged(MessageChanged)
    /// A side has seen a message. The push has the whole message.
    case messageSeenChanged(MessageChanged)
    /// Somebody types: an agent, or the customer on another device.
    case senderTypingStarted(SenderTyping)
    case senderTypingEnded(SenderTyping)
    /// A contact began in a thread.
    case caseCreated(CaseChanged)
    /// A contact changed its status; `closed` ends a live chat.
    case caseStatusChanged(CaseChanged)
    /// Another agent answers now, or none.
    case caseInboxAssigneeChanged(CaseInboxAssigneeChanged)
    /// A contact waits in another queue now.
    case caseToRoutingQueueAssignmentChanged(CaseToRoutingQueueAssignmentChanged)
    /// The customer's place in the queue of a live chat; may come before the contact's first message.
    case setPositionInQueue(SetPositionInQueue)
    /// A welcome message or a popup for the customer.
    case fireProactiveAction(FireProactiveAction)
    /// The event was too large for a frame; it is fetched over HTTP.
    case eventInS3(EventInS3)
    /// Another type; it is ignored.
    case unknown(type: String)
}

extension PushEvent {
    /// `eventType`
    public var type: String {
        switch self {
        case .messageCreated: "MessageCreated"
        case .messageSent: "MessageSent"
        case .messageUpdated: "MessageUpdated"
        case .messageReadChanged: "MessageReadChanged"
        case .messageSeenChanged: "MessageSeenChanged"
        case .senderTypingStarted: "SenderTypingStarted"
        case .senderTypingEnded: "SenderTypingEnded"
        case .caseCreated: "CaseCreated"
        case .caseStatusChanged: "CaseStatusChanged"
        case .caseInboxAssigneeChanged: "CaseInboxAssigneeChanged"
        case .caseToRoutingQueueAssignmentChanged: "CaseToRoutingQueueAssignmentChanged"
        case .setPositionInQueue: "SetPositionInQueue"
        case .fireProactiveAction: "FireProactiveAction"
        case .eventInS3: "EventInS3"
        case .unknown(let type): type
        }
    }

    /// `eventObject`, which the iOS SDK needs; the queue's event has none.
    var object: String? {
        switch self {
        case .messageCreated, .messageSent, .messageUpdated, .messageReadChanged, .messageSeenChanged: "Message"
        case .senderTypingStarted, .senderTypingEnded: "SenderAction"
        case .caseCreated, .caseStatusChanged, .caseInboxAssigneeChanged, .caseToRoutingQueueAssignmentChanged: "Case"
        case .fireProactiveAction: "ChatWindow"
        case .eventInS3: "S3Object"
        case .setPositionInQueue, .unknown: nil
        }
    }
}

extension ServerPush {
    /// Reads a push of that type. Unreadable times of the envelope count as absent, because nothing depends on
    /// them; unreadable data throws.
    init(type: String, in frame: WireValue) throws(WireError) {
        eventID = frame["eventId"]?.idText
        // Of the head nothing is needed: a time that can't be read is none.
        createdAt = try? frame.optional("createdAt")
        preciseCreatedAt = try? frame.optional("createdAtWithMilliseconds")
        do throws(WireError) {
            event = try PushEvent(type: type, data: frame["data"] ?? .emptyObject)
        } catch {
            throw error.within("data")
        }
    }

    func write(to writer: inout WireWriter) {
        writer.object { writer in
            writer.member("eventId", ifPresent: eventID)
            writer.member("eventObject", ifPresent: event.object)
            writer.member("eventType", event.type)
            writer.member("createdAt", ifPresent: createdAt)
            writer.member("createdAtWithMilliseconds", milliseconds: preciseCreatedAt)
            event.writeData(to: &writer)
        }
    }
}

extension PushEvent {
    fileprivate init(type: String, data: WireValue) throws(WireError) {
        switch type {
        case "MessageCreated": self = .messageCreated(try MessageCreated(data))
        case "MessageSent": self = .messageSent(try MessageCreated(data))
        case "MessageUpdated": self = .messageUpdated(try MessageChanged(data))
        case "MessageReadChanged": self = .messageReadChanged(try MessageChanged(data))
        case "MessageSeenChanged": self = .messageSeenChanged(try MessageChanged(data))
        case "SenderTypingStarted": self = .senderTypingStarted(try SenderTyping(data))
        case "SenderTypingEnded": self = .senderTypingEnded(try SenderTyping(data))
        case "CaseCreated": self = .caseCreated(try CaseChanged(data))
        case "CaseStatusChanged": self = .caseStatusChanged(try CaseChanged(data))
        case "CaseInboxAssigneeChanged": self = .caseInboxAssigneeChanged(try CaseInboxAssigneeChanged(data))
        case "CaseToRoutingQueueAssignmentChanged":
            self = .caseToRoutingQueueAssignmentChanged(try CaseToRoutingQueueAssignmentChanged(data))
        case "SetPositionInQueue": self = .setPositionInQueue(try SetPositionInQueue(data))
        case "FireProactiveAction": self = .fireProactiveAction(try FireProactiveAction(data))
        case "EventInS3": self = .eventInS3(try EventInS3(data))
        default: self = .unknown(type: type)
        }
    }

    fileprivate func writeData(to writer: inout WireWriter) {
        switch self {
        case .messageCreated(let data), .messageSent(let data): writer.member("data", data)
        case .messageUpdated(let data), .messageReadChanged(let data), .messageSeenChanged(let data):
            writer.member("data", data)
        case .senderTypingStarted(let data), .senderTypingEnded(let data): writer.member("data", data)
        case .caseCreated(let data), .caseStatusChanged(let data): writer.member("data", data)
        case .caseInboxAssigneeChanged(let data): writer.member("data", data)
        case .caseToRoutingQueueAssignmentChanged(let data): writer.member("data", data)
        case .setPositionInQueue(let data): writer.member("data", data)
        case .fireProactiveAction(let data): writer.member("data", data)
        case .eventInS3(let data): writer.member("data", data)
        case .unknown: break
        }
    }
}

/// Where a push comes from: `brand` and `channel`, which the iOS SDK needs with most of them.
public struct PushOrigin: Sendable, Hashable {
    public var brandID: Int?
    public var channelID: String?

    public init(brandID: Int?, channelID: String?) {
        self.brandID = brandID
        self.channelID = channelID
    }

    /// Nothing is needed of them: an id that can't be read is none.
    init(_ data: WireValue) {
        brandID = data["brand"].flatMap { brand in try? brand.optional("id") }
        channelID = data["channel"]?["id"]?.idText
    }

    func write(to writer: inout WireWriter) {
        if let brandID { writer.object("brand") { $0.member("id", brandID) } }
        if let channelID { writer.nested("channel", id: channelID) }
    }
}

extension WireValue {
    /// The contact of a push: `case`, `consumerContact` or `contact`, in this order. Nil if there is none.
    func contactOfPush() throws(WireError) -> WireContact? {
        if let contact: WireContact = try optional("case", or: "consumerContact") { return contact }
        return try optional("contact")
    }

    func requiredContactOfPush() throws(WireError) -> WireContact {
        if self["case"] != nil || self["consumerContact"] != nil || self["contact"] == nil {
            return try required("case", or: "consumerContact")
        }
        return try required("contact")
    }
}

/// An event that is too large for a frame. It is fetched from `url`, without authentication, and read as a
/// ``ServerFrame`` of at most ``WireLimit/largeEvent`` bytes.
public struct EventInS3: Sendable, Hashable, WireReadable, WireWritable {
    /// Signed by the platform: whoever has it can read the event, so it must not be logged.
    public var url: String
    /// The type of the event behind the URL. If that event is an answer, it has the request's `eventId`; this
    /// frame has one of its own.
    public var originEventType: String?
    public var originEventObject: String?

    public init(url: String, originEventType: String?, originEventObject: String? = nil) {
        self.url = url
        self.originEventType = originEventType
        self.originEventObject = originEventObject
    }

    public init(_ data: WireValue) throws(WireError) {
        url = try data.inside("s3Object") { value throws(WireError) in try value.required("url") }
        originEventType = data["originEvent"]?["eventType"]?.string
        originEventObject = data["originEvent"]?["eventObject"]?.string
    }

    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            writer.object("s3Object") { $0.member("url", url) }
            writer.object("originEvent") { writer in
                writer.member("eventObject", ifPresent: originEventObject)
                writer.member("eventType", ifPresent: originEventType)
            }
        }
    }
}
