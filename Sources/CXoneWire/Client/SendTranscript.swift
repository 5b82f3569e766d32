/// Has a contact's transcript mailed: the data of `SendTranscript`.
public struct SendTranscript: Sendable, Hashable, WireReadable, WireWritable {
    public var contactID: String
    /// Addresses.
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
