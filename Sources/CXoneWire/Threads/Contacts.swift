import Formats

/// A contact: the piece of work inside a thread that is routed to an agent. On the wire it is `contact`, `case`
/// or `consumerContact`.
///
/// A messaging thread gets a new contact when the former one is closed. A live chat has one contact, with which it
/// ends.
public struct WireContact: Sendable, Hashable, WireReadable, WireWritable {
    /// A decimal number as text.
    public var id: String
    /// `threadIdOnExternalPlatform`.
    public var threadID: String?
    public var status: ContactStatus?
    /// When the status changed last. Android needs it in `CaseStatusChanged`.
    public var statusUpdatedAt: Timestamp?
    public var createdAt: Timestamp?
    /// The fields of the contact, not the customer's.
    public var customFields: [CustomField]

    /// The SDKs need all but `statusUpdatedAt`, and Android that too when the status changes.
    public init(
        id: String, threadID: String?, status: ContactStatus?, statusUpdatedAt: Timestamp? = nil, createdAt: Timestamp?,
        customFields: [CustomField] = []
    ) {
        self.id = id
        self.threadID = threadID
        self.status = status
        self.statusUpdatedAt = statusUpdatedAt
        self.createdAt = createdAt
        self.customFields = customFields
    }

    public init(_ value: WireValue) throws(WireError) {
        id = try value.id("id")
        threadID = try value.idIfPresent("threadIdOnExternalPlatform")
        status = try value.optional("status")
        statusUpdatedAt = try value.optional("statusUpdatedAt")
        createdAt = try value.optional("createdAt")
        customFields = try value.readableList("customFields")
    }

    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            writer.member("id", id)
            writer.member("threadIdOnExternalPlatform", ifPresent: threadID)
            writer.member("status", ifPresent: status)
            writer.member("statusUpdatedAt", ifPresent: statusUpdatedAt)
            writer.member("createdAt", ifPresent: createdAt)
            writer.member("customFields", customFields)
        }
    }
}

/// Where a contact stands: `status`. Unknown ones are kept as they are.
public struct ContactStatus: WireName {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let new = ContactStatus(rawValue: "new")
    public static let open = ContactStatus(rawValue: "open")
    public static let pending = ContactStatus(rawValue: "pending")
    public static let escalated = ContactStatus(rawValue: "escalated")
    public static let resolved = ContactStatus(rawValue: "resolved")
    /// The chat is over. On live chats the customer cannot write any more.
    public static let closed = ContactStatus(rawValue: "closed")
    /// The iOS SDK does not know this one and takes it for an unknown status.
    public static let trashed = ContactStatus(rawValue: "trashed")
}

/// A contact began or changed its status: the data of `CaseCreated` and `CaseStatusChanged`.
public struct CaseChanged: Sendable, Hashable, WireReadable, WireWritable {
    public var origin: PushOrigin
    /// Read from `case`, without which the push is an error.
    public var contact: WireContact

    public init(origin: PushOrigin, contact: WireContact) {
        self.origin = origin
        self.contact = contact
    }

    public init(_ data: WireValue) throws(WireError) {
        origin = PushOrigin(data)
        contact = try data.requiredContactOfPush()
    }

    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            origin.write(to: &writer)
            writer.member("case", contact)
        }
    }
}

/// Another agent, or none, answers a contact now: the data of `CaseInboxAssigneeChanged`.
public struct CaseInboxAssigneeChanged: Sendable, Hashable, WireReadable, WireWritable {
    public var origin: PushOrigin
    /// Read from `case`; its status comes with the push, too.
    public var contact: WireContact
    /// Who answers from now on; nil: nobody.
    public var inboxAssignee: WireAgent?
    /// Who answered until now; nil if nobody did.
    public var previousInboxAssignee: WireAgent?
    /// The contact's queue; absent if the platform does not tell it.
    public var routingQueue: RoutingQueue?

    public init(
        origin: PushOrigin, contact: WireContact, inboxAssignee: WireAgent?, previousInboxAssignee: WireAgent? = nil,
        routingQueue: RoutingQueue? = nil
    ) {
        self.origin = origin
        self.contact = contact
        self.inboxAssignee = inboxAssignee
        self.previousInboxAssignee = previousInboxAssignee
        self.routingQueue = routingQueue
    }

    public init(_ data: WireValue) throws(WireError) {
        origin = PushOrigin(data)
        contact = try data.requiredContactOfPush()
        inboxAssignee = try data.optional("inboxAssignee")
        previousInboxAssignee = try data.optional("previousInboxAssignee")
        routingQueue = try data.optional("routingQueue")
    }

    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            origin.write(to: &writer)
            writer.member("case", contact)
            writer.member("inboxAssignee", orNull: inboxAssignee)
            writer.member("previousInboxAssignee", orNull: previousInboxAssignee)
            writer.member("routingQueue", ifPresent: routingQueue)
        }
    }
}

/// Has a contact's transcript mailed: the data of `SendTranscript`.
///
/// The platform answers `TranscriptSent`, or ``ErrorCode/sendingTranscriptFailed``.
public struct SendTranscript: Sendable, Hashable, WireReadable, WireWritable {
    /// `consumerContact.id`; read from `contact` and `case` as well.
    public var contactID: String
    /// E-mail addresses. On the wire each is an identity: `{"idOnExternalPlatform": "name@example.com"}`.
    public var recipients: [String]

    public init(contactID: String, recipients: [String]) {
        self.contactID = contactID
        self.recipients = recipients
    }

    public init(_ data: WireValue) throws(WireError) {
        contactID = try data.contactID()
        recipients = try data.recipients("consumerRecipients", or: "customerRecipients")
    }

    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            writer.nested("consumerContact", id: contactID)
            writer.member("consumerRecipients", recipients: recipients)
        }
    }
}

/// The queue in which a contact waits for an agent: `routingQueue`.
public struct RoutingQueue: Sendable, Hashable, WireReadable, WireWritable {
    public var id: String
    public var name: String?

    public init(id: String, name: String? = nil) {
        self.id = id
        self.name = name
    }

    public init(_ value: WireValue) throws(WireError) {
        id = try value.id("id")
        name = try value.optional("name")
    }

    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            writer.member("id", id)
            writer.member("name", ifPresent: name)
        }
    }
}

/// A contact waits in another queue now: the data of `CaseToRoutingQueueAssignmentChanged`.
///
/// Of the SDKs only the web one reads it.
public struct CaseToRoutingQueueAssignmentChanged: Sendable, Hashable, WireReadable, WireWritable {
    public var origin: PushOrigin
    public var contact: WireContact
    /// The queue in which it waits from now on; null on the wire if it waits in none.
    public var routingQueue: RoutingQueue?
    public var previousRoutingQueue: RoutingQueue?
    /// Of the platform's routing, such as `legacy`. Passed on unchanged.
    public var routingMode: String?

    public init(
        origin: PushOrigin, contact: WireContact, routingQueue: RoutingQueue?,
        previousRoutingQueue: RoutingQueue? = nil,
        routingMode: String? = "legacy"
    ) {
        self.origin = origin
        self.contact = contact
        self.routingQueue = routingQueue
        self.previousRoutingQueue = previousRoutingQueue
        self.routingMode = routingMode
    }

    public init(_ data: WireValue) throws(WireError) {
        origin = PushOrigin(data)
        contact = try data.requiredContactOfPush()
        routingQueue = try data.optional("routingQueue")
        previousRoutingQueue = try data.optional("previousRoutingQueue")
        routingMode = try data.optional("routingMode")
    }

    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            origin.write(to: &writer)
            writer.member("case", contact)
            writer.member("routingQueue", orNull: routingQueue)
            writer.member("previousRoutingQueue", orNull: previousRoutingQueue)
            writer.member("routingMode", ifPresent: routingMode)
        }
    }
}

/// A contact's place in its queue: the data of `SetPositionInQueue`. It may come before the contact's first message.
public struct SetPositionInQueue: Sendable, Hashable, WireReadable, WireWritable {
    /// `consumerContact.id`. The push names no thread, so a client must know the contact from another frame.
    public var contactID: String
    public var routingQueue: RoutingQueue?
    /// The place in the queue, from 1; nil when it is not known.
    public var position: Int?
    /// `isAnyAgentOnlineForQueue`; nil when it is not told.
    public var isAnyAgentOnline: Bool?

    public init(contactID: String, routingQueue: RoutingQueue?, position: Int?, isAnyAgentOnline: Bool?) {
        self.contactID = contactID
        self.routingQueue = routingQueue
        self.position = position
        self.isAnyAgentOnline = isAnyAgentOnline
    }

    public init(_ data: WireValue) throws(WireError) {
        contactID = try data.contactID()
        routingQueue = try data.optional("routingQueue")
        position = try data.optional("positionInQueue")
        isAnyAgentOnline = try data.optional("isAnyAgentOnlineForQueue")
    }

    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            writer.nested("consumerContact", id: contactID)
            writer.member("routingQueue", ifPresent: routingQueue)
            writer.member("positionInQueue", ifPresent: position)
            writer.member("isAnyAgentOnlineForQueue", ifPresent: isAnyAgentOnline)
        }
    }
}
