import Chat
import ChatModel
import HTTPRouting

/// A new session:
/// `{"service"?,"channel","customer"?:{"id"?,"firstName"?,"lastName"?},"connect"?,"resend"?:{"policy","attempts"?}}`.
///
/// For a remote service the channel's address can take the place of `channel`: `"environment" |
/// "urls":{...},"brandId","channelId","authorization"?:{"code","codeVerifier"?}`.
struct NewSession: RequestBody {
    /// How the body names the channel.
    enum Target {
        /// By the id of a channel that the service knows already.
        case named(String)
        /// By its address on the platform.
        case at(ChannelAddress)
    }

    /// `local`, the embedded service, by default.
    let service: String
    /// A body that has both a name and an address is faulty.
    let channel: Target
    /// Nil when the body has none.
    let customer: CustomerDraft?
    /// Whether the session connects at once; true by default.
    let connect: Bool
    /// Nil: the default, which is `manual`.
    let resendPolicy: ResendPolicy?
    /// Needed only where the channel's customers log in.
    let authorization: Authorization?

    init(reading object: inout ObjectReader) {
        service = object.optionalString("service", length: 1...64) ?? "local"
        // A channel of a remote service that was used before may be named, too.
        let brand = object.optionalInteger("brandId", in: 1...9_007_199_254_740_991)
        let remote = object.optionalString("channelId", length: 1...128)
        let environment = object.optionalString("environment", length: 1...64)
        /// By purpose: `chat`, `socket`, `token`, `logger`.
        let urls = object.object(object.optional("urls"), "urls", as: PlatformURLs.self)?.urls
        if brand != nil || remote != nil || environment != nil || urls != nil {
            let name = object.optionalString("channel", length: 1...256)
            if name != nil { object.reject("channel", "Give either channel, or brandId and channelId, but not both.") }
            if environment != nil, urls != nil {
                object.reject("urls", "Give either environment or urls, but not both.")
            }
            if brand == nil { object.reject("brandId", "A channel's address needs this member.") }
            if remote == nil { object.reject("channelId", "A channel's address needs this member.") }
            channel = .at(
                ChannelAddress(
                    environment: environment, urls: urls ?? [:], brandID: brand ?? 0, channelID: remote ?? ""))
        } else {
            channel = .named(object.requiredKey("channel", length: 1...256))
        }
        customer = object.object(object.optional("customer"), "customer", as: NewCustomer.self)?.draft
        connect = object.optionalBool("connect") ?? true
        resendPolicy = object.object(object.optional("resend"), "resend", as: ResendBody.self)?.policy
        authorization =
            object.object(object.optional("authorization"), "authorization", as: AuthorizationBody.self)?.authorization
    }
}

/// `{"chat","socket","token"?,"logger"?}`: the URLs of a platform that has no named environment. Their syntax is not
/// checked here.
struct PlatformURLs: RequestBody {
    let urls: [String: String]

    init(reading object: inout ObjectReader) {
        var urls = [
            "chat": object.requiredString("chat", length: 1...512),
            "socket": object.requiredString("socket", length: 1...512),
        ]
        urls["token"] = object.optionalString("token", length: 1...512)
        urls["logger"] = object.optionalString("logger", length: 1...512)
        self.urls = urls
    }
}

/// `{"code","codeVerifier"?}`: what an OAuth 2.0 login gave the client (RFC 6749, 4.1; the verifier is that of RFC
/// 7636).
struct AuthorizationBody: RequestBody {
    let authorization: Authorization

    init(reading object: inout ObjectReader) {
        authorization = Authorization(
            code: object.requiredString("code", length: 1...4096),
            codeVerifier: object.optionalString("codeVerifier", length: 1...4096))
    }
}
