/// The routed piece of work inside of a thread: `contact`, `case` or `consumerContact`.
public struct WireContact: Sendable, Hashable, WireReadable, WireWritable {
    /// A decimal number as text.
    public var id: String
    /// `threadIdOnExternalPlatform`.
    public var threadID: String?
    public var status: ContactStatus?
    public var statusUpdatedAt: WireTime?
    public var createdAt: WireTime?
    public var customFields: [CustomField]

    /// The SDKs need all but `statusUpdatedAt`, and Android that too when the status changes.
    public init(
        id: String, threadID: String?, status: ContactStatus?, statusUpdatedAt: WireTime? = nil, createdAt: WireTime?,
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
        customFields = try value.list("customFields")
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

/// Where a contact stands.
public struct ContactStatus: WireName {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let new = ContactStatus(rawValue: "new")
    public static let open = ContactStatus(rawValue: "open")
    public static let pending = ContactStatus(rawValue: "pending")
    public static let escalated = ContactStatus(rawValue: "escalated")
    public static let resolved = ContactStatus(rawValue: "resolved")
    public static let closed = ContactStatus(rawValue: "closed")
    public static let trashed = ContactStatus(rawValue: "trashed")
}
