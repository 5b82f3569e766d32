/// The person who uses the app: `customerIdentity`, `consumerIdentity`, `authorEndUserIdentity`.
public struct WireCustomer: Sendable, Hashable, WireReadable, WireWritable {
    /// `idOnExternalPlatform`.
    public var id: String
    /// Never empty: Android sends empty names for unknown ones.
    public var firstName: String?
    public var lastName: String?
    /// Sent by web clients.
    public var image: String?

    public init(id: String, firstName: String? = nil, lastName: String? = nil, image: String? = nil) {
        self.id = id
        self.firstName = firstName
        self.lastName = lastName
        self.image = image
    }

    public init(_ value: WireValue) throws(WireError) {
        id = try value.id("idOnExternalPlatform")
        firstName = try value.nonEmpty("firstName")
        lastName = try value.nonEmpty("lastName")
        image = try value.nonEmpty("image")
    }

    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            writer.member("idOnExternalPlatform", id)
            writer.member("firstName", ifPresent: firstName)
            writer.member("lastName", ifPresent: lastName)
            writer.member("image", ifPresent: image)
        }
    }
}

extension WireValue {
    /// A string, nil if it is absent or empty.
    func nonEmpty(_ name: StaticString, or alias: StaticString? = nil) throws(WireError) -> String? {
        let text: String? = try optional(name, or: alias)
        return text?.isEmpty == true ? nil : text
    }
}
