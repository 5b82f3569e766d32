/// A message on its way to the platform: the data of `SendMessage` and of `SendOutbound`.
public struct SendMessage: Sendable, Hashable {
    /// With the name that was set locally, which reaches the server this way.
    public var thread: ThreadReference
    public var content: MessageContent
    /// `idOnExternalPlatform`: made by the client.
    public var id: String
    /// `customer` or `consumer`.
    public var customerFields: [CustomField]
    /// `contact` or `consumerContact`.
    public var contactFields: [CustomField]
    public var attachments: [WireAttachment]
    /// `deviceFingerprint` or `browserFingerprint`.
    public var fingerprint: DeviceFingerprint?
    /// If one is stored; on secured sessions the third party's.
    public var accessToken: String?

    public init(
        thread: ThreadReference, content: MessageContent, id: String, customerFields: [CustomField] = [],
        contactFields: [CustomField] = [], attachments: [WireAttachment] = [],
        fingerprint: DeviceFingerprint? = nil, accessToken: String? = nil
    ) {
        self.thread = thread
        self.content = content
        self.id = id
        self.customerFields = customerFields
        self.contactFields = contactFields
        self.attachments = attachments
        self.fingerprint = fingerprint
        self.accessToken = accessToken
    }

    init(_ data: WireValue) throws(WireError) {
        thread = try data.required("thread")
        content = try data.required("messageContent")
        id = try data.id("idOnExternalPlatform")
        customerFields = try data.customFields(in: "customer", or: "consumer") ?? []
        contactFields = try data.customFields(in: "contact", or: "consumerContact") ?? []
        attachments = try data.list("attachments")
        fingerprint = try data.optional("deviceFingerprint", or: "browserFingerprint")
        let token: AccessToken? = try data.optional("accessToken")
        accessToken = token?.token
    }

    /// The members of `data`: `SendOutbound` has the older vocabulary.
    func write(to writer: inout WireWriter, isOutbound: Bool) {
        writer.member("thread", thread)
        writer.member("messageContent", content)
        writer.member("idOnExternalPlatform", id)
        if isOutbound {
            if !customerFields.isEmpty { writer.member("consumer", customFields: customerFields) }
            writer.member("consumerContact", customFields: contactFields)
        } else {
            writer.member("customer", customFields: customerFields)
            writer.member("contact", customFields: contactFields)
        }
        writer.member("attachments", attachments)
        writer.member(isOutbound ? "browserFingerprint" : "deviceFingerprint", ifPresent: fingerprint)
        writer.member("accessToken", ifPresent: accessToken.map { AccessToken(token: $0) })
    }
}
