/// Who a customer is, for a session that isn't secured: the data of `AuthorizeCustomer`.
public struct AuthorizeCustomer: Sendable, Hashable, WireReadable, WireWritable {
    /// `ios`, `android` or `web`.
    public var sdkPlatform: String?
    public var sdkVersion: String?
    /// Of a channel with OAuth.
    public var authorizationCode: String?
    public var codeVerifier: String?
    /// Sent by web clients.
    public var fingerprint: DeviceFingerprint?

    public init(
        sdkPlatform: String?, sdkVersion: String?, authorizationCode: String? = nil, codeVerifier: String? = nil,
        fingerprint: DeviceFingerprint? = nil
    ) {
        self.sdkPlatform = sdkPlatform
        self.sdkVersion = sdkVersion
        self.authorizationCode = authorizationCode
        self.codeVerifier = codeVerifier
        self.fingerprint = fingerprint
    }

    public init(_ data: WireValue) throws(WireError) {
        sdkPlatform = try data.optional("sdkPlatform")
        sdkVersion = try data.optional("sdkVersion")
        fingerprint = try data.optional("browserFingerprint", or: "deviceFingerprint")
        guard data["authorization"] != nil else { return }
        (authorizationCode, codeVerifier) = try data.inside("authorization") { authorization throws(WireError) in
            (try authorization.nonEmpty("authorizationCode"), try authorization.nonEmpty("codeVerifier"))
        }
    }

    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            writer.member("disableChannelInfo", true)
            writer.member("sdkPlatform", ifPresent: sdkPlatform)
            writer.member("sdkVersion", ifPresent: sdkVersion)
            if authorizationCode != nil || codeVerifier != nil {
                writer.object("authorization") { writer in
                    writer.member("authorizationCode", ifPresent: authorizationCode)
                    writer.member("codeVerifier", ifPresent: codeVerifier)
                }
            }
            writer.member("browserFingerprint", ifPresent: fingerprint)
        }
    }
}
