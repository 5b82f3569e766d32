/// Who visits, for the web analytics: the body of `PUT .../visitors/{v}`.
public struct WireVisitor: Sendable, Hashable {
    /// Without names.
    public var customer: WireCustomer?
    public var fingerprint: DeviceFingerprint?
    public var ip: String?
    public var location: String?
    /// `journey`, as it is: the mobile SDKs don't fill it.
    public var journey: RawJSON?
    public var customVariables: [CustomVariable]

    /// An element of `customVariables`.
    public struct CustomVariable: Sendable, Hashable, WireReadable, WireWritable {
        public var identifier: String
        public var value: String

        public init(identifier: String, value: String) {
            self.identifier = identifier
            self.value = value
        }

        public init(_ value: WireValue) throws(WireError) {
            identifier = try value.id("identifier")
            self.value = try value.id("value")
        }

        public func write(to writer: inout WireWriter) {
            writer.object { writer in
                writer.member("identifier", identifier)
                writer.member("value", value)
            }
        }
    }

    public init(
        customer: WireCustomer?, fingerprint: DeviceFingerprint?, ip: String? = nil, location: String? = nil,
        journey: RawJSON? = nil, customVariables: [CustomVariable] = []
    ) {
        self.customer = customer
        self.fingerprint = fingerprint
        self.ip = ip
        self.location = location
        self.journey = journey
        self.customVariables = customVariables
    }
}

extension WireVisitor: WireDocument {
    public init(json: [UInt8], limit: Int = WireLimit.frame) throws(WireError) {
        let value = try WireValue(json: json, limit: limit)
        customer = try value.optional("customerIdentity", or: "consumerIdentity")
        fingerprint = try value.optional("browserFingerprint", or: "deviceFingerprint")
        ip = try value.optional("ip")
        location = try value.optional("location")
        journey = value["journey"].map { RawJSON($0) }
        customVariables = try value.list("customVariables")
    }

    public func encoded() -> [UInt8] {
        WireWriter.text(side: .client) { writer in
            writer.object { writer in
                writer.member("customerIdentity", ifPresent: customer)
                writer.member("browserFingerprint", ifPresent: fingerprint)
                writer.member("ip", ifPresent: ip)
                writer.member("location", ifPresent: location)
                writer.member("journey", ifPresent: journey)
                if !customVariables.isEmpty { writer.member("customVariables", customVariables) }
            }
        }
    }
}
