/// Asks for a transaction token: the body of `POST {token}oauth/token`. The case depends on how the channel
/// authenticates.
public enum TokenRequest: Sendable, Hashable {
    /// With the customer's id, which the client made; nil: the server makes one. The `type` is `anonymous` from iOS and
    /// `Anonymous` from Android. Web clients send only the identity.
    case anonymous(WireCustomer?)
    /// `{}`: a cookie tells who the customer is. Anonymous web clients without an id send it too.
    ///
    /// - Parameter identityToken: tells it where the browser keeps no cookies; from an answer before.
    case securedCookie(identityToken: String? = nil)
    /// The code that the channel's OAuth service gave for the login, and the verifier of PKCE (RFC 7636). Web clients
    /// send no verifier.
    case authorizationCode(String, codeVerifier: String?)
    /// Exchanges the refresh token of ``ThirdPartyToken``.
    case refresh(refreshToken: String)
}

extension TokenRequest: WireDocument {
    /// Tells the cases apart by `thirdParty`, then by an identity, then by `type`. An unknown `grant_type` is an error.
    public init(json: [UInt8], limit: Int = WireLimit.frame, omissions: WireOmissions? = nil) throws(WireError) {
        let value = try WireValue(json: json, limit: limit)
        guard value.isObject else { throw value.expected("an object") }
        if value["thirdParty"] != nil {
            self = try value.inside("thirdParty") { thirdParty throws(WireError) in
                let grant: String = try thirdParty.required("grant_type")
                switch grant {
                case "refresh_token": return .refresh(refreshToken: try thirdParty.required("refresh_token"))
                case "authorization_code":
                    return .authorizationCode(
                        try thirdParty.required("authorization_code", or: "code"),
                        codeVerifier: try thirdParty.optional("code_verifier"))
                default: throw WireError(.invalid, "expected authorization_code or refresh_token", at: ["grant_type"])
                }
            }
        } else if let customer: WireCustomer = try value.optional("customerIdentity", or: "consumerIdentity") {
            self = .anonymous(customer)
        } else {
            // "anonymous" of iOS, "Anonymous" of Android.
            self =
                value["type"]?.string?.lowercased() == "anonymous"
                ? .anonymous(nil) : .securedCookie(identityToken: try value.nonEmpty("identityToken"))
        }
    }

    public func encoded() -> [UInt8] {
        WireWriter.text(side: .client) { writer in
            writer.object { writer in
                switch self {
                case .anonymous(let customer):
                    writer.member("type", "anonymous")
                    writer.member("customerIdentity", ifPresent: customer)
                case .securedCookie(let token): writer.member("identityToken", ifPresent: token)
                case .authorizationCode(let code, let verifier):
                    writer.object("thirdParty") { writer in
                        writer.member("grant_type", "authorization_code")
                        writer.member("authorization_code", code)
                        writer.member("code_verifier", ifPresent: verifier)
                    }
                case .refresh(let token):
                    writer.object("thirdParty") { writer in
                        writer.member("grant_type", "refresh_token")
                        writer.member("refresh_token", token)
                    }
                }
            }
        }
    }
}

/// The answer to a ``TokenRequest``. All members but the token may be absent.
public struct TokenAnswer: Sendable, Hashable {
    /// For the socket's URL. Answers to a refresh may lack it.
    public var transactionToken: AccessToken?
    /// The identity that the platform uses. Its id may differ from the one in the request.
    public var customer: WireCustomer?
    /// Only on channels with OAuth.
    public var thirdParty: ThirdPartyToken?
    /// For web clients without cookies.
    public var identityToken: String?
    /// `contact.customFields`
    public var contactFields: [CustomField]?

    public init(
        transactionToken: AccessToken?, customer: WireCustomer? = nil, thirdParty: ThirdPartyToken? = nil,
        identityToken: String? = nil, contactFields: [CustomField]? = nil
    ) {
        self.transactionToken = transactionToken
        self.customer = customer
        self.thirdParty = thirdParty
        self.identityToken = identityToken
        self.contactFields = contactFields
    }
}

/// Tokens of the channel's own OAuth service.
public struct ThirdPartyToken: Sendable, Hashable, WireReadable {
    public var accessToken: String
    /// Renews the access token. An answer to a refresh may leave it out; the former one stays valid then.
    public var refreshToken: String?
    /// How long the access token is valid, in seconds from now; nil: without end.
    public var expiresIn: Int?

    public init(accessToken: String, refreshToken: String?, expiresIn: Int?) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.expiresIn = expiresIn
    }

    public init(_ value: WireValue) throws(WireError) {
        accessToken = try value.required("access_token")
        refreshToken = try value.optional("refresh_token")
        expiresIn = try value.optional("expires_in")
    }

    /// The members alone: the caller decides in which object they stand.
    fileprivate func write(to writer: inout WireWriter) {
        writer.member("access_token", accessToken)
        writer.member("refresh_token", ifPresent: refreshToken)
        writer.member("expires_in", ifPresent: expiresIn)
    }
}

extension TokenAnswer: WireDocument {
    /// Reads third-party tokens in `thirdParty`, and flat ones as the iOS SDK expects them of a refresh.
    public init(json: [UInt8], limit: Int = WireLimit.frame, omissions: WireOmissions? = nil) throws(WireError) {
        let value = try WireValue(json: json, limit: limit, omissions: omissions ?? WireOmissions())
        let isFlat = value["access_token"] != nil
        thirdParty = try value.optional("thirdParty")
        if thirdParty == nil, isFlat { thirdParty = try ThirdPartyToken(value) }
        if let token: String = try value.optional("accessToken") {
            transactionToken = AccessToken(token: token, expiresIn: try value.optional("expiresIn"))
        } else if !isFlat {
            throw value.missing("accessToken")
        }
        customer = try value.optional("customerIdentity", or: "consumerIdentity")
        identityToken = try value.optional("identityToken")
        contactFields = try value.customFields(in: "contact")
    }

    /// Writes third-party tokens in both shapes, one for each family.
    public func encoded() -> [UInt8] {
        WireWriter.text(side: .server) { writer in
            writer.object { writer in
                writer.member("accessToken", ifPresent: transactionToken?.token)
                writer.member("expiresIn", ifPresent: transactionToken?.expiresIn)
                writer.member("customerIdentity", ifPresent: customer)
                if let thirdParty {
                    writer.object("thirdParty") { thirdParty.write(to: &$0) }
                    thirdParty.write(to: &writer)
                }
                writer.member("identityToken", ifPresent: identityToken)
                if let contactFields { writer.member("contact", customFields: contactFields) }
            }
        }
    }
}
