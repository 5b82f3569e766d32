/// All fields of a thread's contact: the data of `SetContactCustomFields`.
public struct SetContactCustomFields: Sendable, Hashable, WireReadable, WireWritable {
    public var thread: ThreadReference
    public var fields: [CustomField]
    /// Web clients don't tell it.
    public var contactID: String?

    public init(thread: ThreadReference, fields: [CustomField], contactID: String?) {
        self.thread = thread
        self.fields = fields
        self.contactID = contactID
    }

    public init(_ data: WireValue) throws(WireError) {
        thread = try data.required("thread")
        fields = try data.list("customFields")
        contactID = try data.contactIDIfPresent()
    }

    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            writer.member("thread", thread)
            writer.member("customFields", fields)
            if let contactID { writer.nested("contact", id: contactID) }
        }
    }
}
