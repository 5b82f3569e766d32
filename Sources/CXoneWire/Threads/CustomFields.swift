import Formats

/// One value of a custom field of a contact or a customer.
public struct CustomField: Sendable, Hashable, WireReadable, WireWritable {
    /// The field's key, as the channel's configuration names it.
    public var ident: String
    /// Empty for a value that web clients send as null.
    public var value: String
    /// When the value was set; the later of two values wins. Web clients leave it out.
    public var updatedAt: Timestamp?

    public init(ident: String, value: String, updatedAt: Timestamp? = nil) {
        self.ident = ident
        self.value = value
        self.updatedAt = updatedAt
    }

    public init(_ value: WireValue) throws(WireError) {
        ident = try value.id("ident")
        self.value = try value.idIfPresent("value") ?? ""
        updatedAt = try value.optional("updatedAt")
    }

    /// A server always writes a time, because the iOS SDK drops a frame without one. An unknown time is written as
    /// 1970, so that any value with a time wins.
    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            writer.member("ident", ident)
            writer.member("value", value)
            let unknown = writer.side == .server ? Timestamp(milliseconds: 0) : nil
            writer.member("updatedAt", ifPresent: updatedAt ?? unknown)
        }
    }
}

extension WireValue {
    /// Reads the fields in `"customer": {"customFields": []}`. Nil when the outer member is absent, which differs
    /// from an empty list.
    func customFields(in name: StaticString, or alias: StaticString? = nil) throws(WireError) -> [CustomField]? {
        try insideIfPresent(name, or: alias) { value throws(WireError) in try value.readableList("customFields") }
    }
}

extension WireWriter {
    /// Writes `"name": {"customFields": []}`.
    mutating func member(_ name: StaticString, customFields: [CustomField]) {
        object(name) { $0.member("customFields", customFields) }
    }
}

/// All fields of a thread's contact: the data of `SetContactCustomFields`.
public struct SetContactCustomFields: Sendable, Hashable, WireReadable, WireWritable {
    public var thread: ThreadReference
    /// All fields of the contact; those that have not changed are repeated.
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
