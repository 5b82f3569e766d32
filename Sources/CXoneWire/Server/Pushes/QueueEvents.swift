/// A contact waits in another queue now: the data of `CaseToRoutingQueueAssignmentChanged`.
public struct CaseToRoutingQueueAssignmentChanged: Sendable, Hashable, WireReadable, WireWritable {
    public var origin: PushOrigin
    public var contact: WireContact
    public var routingQueue: RoutingQueue?
    public var previousRoutingQueue: RoutingQueue?
    public var routingMode: String?

    public init(
        origin: PushOrigin, contact: WireContact, routingQueue: RoutingQueue?, previousRoutingQueue: RoutingQueue? = nil,
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

/// A contact's place in its queue: the data of `SetPositionInQueue`, which may come ahead of the contact's first message.
public struct SetPositionInQueue: Sendable, Hashable, WireReadable, WireWritable {
    /// `consumerContact.id`
    public var contactID: String
    public var routingQueue: RoutingQueue?
    /// From 1; nil when it isn't known.
    public var position: Int?
    /// `isAnyAgentOnlineForQueue`
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
