/// Asks for a transaction token: the body of `POST {token}oauth/token`.
public enum TokenRequest: Sendable, Hashable {
    case anonymous(WireCustomer?)
    /// `{}`: a cookie tells who the customer is. Anonymous web clients without an id send it too.
    case securedCookie
    /// Web clients send no verifier.
    case authorizationCode(String, codeVerifier: String?)
    case refresh(refreshToken: String)
}

extension TokenRequest: WireDocument {
    public init(json: [UInt8], limit: Int = WireLimit.frame) throws(WireError) {
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
            self = value["type"]?.string?.lowercased() == "anonymous" ? .anonymous(nil) : .securedCookie
        }
    }

    public func encoded() -> [UInt8] {
        WireWriter.text(side: .client) { writer in
            writer.object { writer in
                switch self {
                case .anonymous(let customer):
                    writer.member("type", "anonymous")
                    writer.member("customerIdentity", ifPresent: customer)
                case .securedCookie: break
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
