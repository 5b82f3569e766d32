/// A contact began or changed its status: the data of `CaseCreated` and `CaseStatusChanged`.
public struct CaseChanged: Sendable, Hashable, WireReadable, WireWritable {
    public var origin: PushOrigin
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
    public var contact: WireContact
    public var inboxAssignee: WireAgent?
    public var previousInboxAssignee: WireAgent?
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
