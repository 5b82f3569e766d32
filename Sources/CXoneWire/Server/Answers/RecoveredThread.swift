/// A thread with its newest messages: the data of `ThreadRecovered` and of `LivechatRecovered`.
public struct RecoveredThread: Sendable, Hashable, WireReadable, WireWritable {
    public var thread: WireThread
    /// `contact` or `consumerContact`; iOS and web clients need one.
    public var contact: WireContact?
    public var customerFields: [CustomField]
    /// Newest first.
    public var messages: [WireMessage]
    /// `messagesScrollToken`; empty when there are no older messages.
    public var scrollToken: String
    /// Who answers now.
    public var inboxAssignee: WireAgent?
    public var previousInboxAssignee: WireAgent?
    public var ownerAssignee: WireAgent?

    public init(
        thread: WireThread, contact: WireContact?, customerFields: [CustomField] = [], messages: [WireMessage],
        scrollToken: String = "", inboxAssignee: WireAgent? = nil, previousInboxAssignee: WireAgent? = nil,
        ownerAssignee: WireAgent? = nil
    ) {
        self.thread = thread
        self.contact = contact
        self.customerFields = customerFields
        self.messages = messages
        self.scrollToken = scrollToken
        self.inboxAssignee = inboxAssignee
        self.previousInboxAssignee = previousInboxAssignee
        self.ownerAssignee = ownerAssignee
    }

    public init(_ data: WireValue) throws(WireError) {
        thread = try data.required("thread")
        contact = try data.optional("contact", or: "consumerContact")
        customerFields = try data.customFields(in: "customer", or: "consumer") ?? []
        messages = try data.list("messages")
        scrollToken = try data.idIfPresent("messagesScrollToken", or: "scrollToken") ?? ""
        inboxAssignee = try data.optional("inboxAssignee")
        previousInboxAssignee = try data.optional("previousInboxAssignee")
        ownerAssignee = try data.optional("ownerAssignee")
    }

    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            writer.member("contact", ifPresent: contact)
            writer.member("customer", customFields: customerFields)
            writer.member("messages", messages)
            writer.member("messagesScrollToken", scrollToken)
            writer.member("inboxAssignee", orNull: inboxAssignee)
            writer.member("previousInboxAssignee", orNull: previousInboxAssignee)
            writer.member("ownerAssignee", orNull: ownerAssignee)
            writer.member("thread", thread)
            writer.emptyArray("contactHistory")
        }
    }
}

extension WireWriter {
    /// `contactHistory`, without which web clients can't read an answer.
    mutating func emptyArray(_ name: StaticString) {
        self.name(name)
        array { _ in }
    }
}
