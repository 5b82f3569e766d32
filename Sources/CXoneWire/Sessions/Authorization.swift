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
    /// A string; nil if it is absent, null or empty. The wire often has "" for an unknown value.
    func nonEmpty(_ name: StaticString, or alias: StaticString? = nil) throws(WireError) -> String? {
        let text: String? = try optional(name, or: alias)
        return text?.isEmpty == true ? nil : text
    }
}

/// An employee, a bot or a survey that answers: `authorUser`, `inboxAssignee`, `ownerAssignee`, `user`.
public struct WireAgent: Sendable, Hashable, WireReadable, WireWritable {
    /// On the wire a number; an id that is none (which no SDK reads) is written as text.
    public var id: String
    public var firstName: String
    /// `surname`.
    public var lastName: String
    /// Nil for none, which is written as "".
    public var nickname: String?
    /// `isBotUser`.
    public var isBot: Bool
    /// `isSurveyUser`: the author is a survey.
    public var isSurvey: Bool
    /// `publicImageUrl`.
    public var imageURL: String?

    public init(
        id: String, firstName: String, lastName: String, nickname: String? = nil, isBot: Bool = false,
        isSurvey: Bool = false, imageURL: String? = nil
    ) {
        self.id = id
        self.firstName = firstName
        self.lastName = lastName
        self.nickname = nickname
        self.isBot = isBot
        self.isSurvey = isSurvey
        self.imageURL = imageURL
    }

    public init(_ value: WireValue) throws(WireError) {
        id = try value.id("id")
        firstName = try value.optional("firstName") ?? ""
        lastName = try value.optional("surname", or: "lastName") ?? ""
        nickname = try value.nonEmpty("nickname")
        isBot = try value.optional("isBotUser") ?? false
        isSurvey = try value.optional("isSurveyUser") ?? false
        imageURL = try value.nonEmpty("publicImageUrl", or: "imageUrl")
    }

    /// All members, because the iOS SDK needs them.
    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            if let number = Int(id), String(number) == id {
                writer.member("id", number)
            } else {
                writer.member("id", id)
            }
            writer.member("firstName", firstName)
            writer.member("surname", lastName)
            writer.member("nickname", nickname ?? "")
            writer.member("isBotUser", isBot)
            writer.member("isSurveyUser", isSurvey)
            writer.member("publicImageUrl", imageURL ?? "")
        }
    }
}

/// Who a customer is, for a session that isn't secured: the data of `AuthorizeCustomer`.
public struct AuthorizeCustomer: Sendable, Hashable, WireReadable, WireWritable {
    /// `ios`, `android` or `web`.
    public var sdkPlatform: String?
    public var sdkVersion: String?
    /// What the customer got by logging in, on a channel with OAuth; it works once.
    public var authorizationCode: String?
    /// Of PKCE (RFC 7636); web clients send none.
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

    /// Without `authorization` the customer is anonymous. Empty codes count as absent.
    public init(_ data: WireValue) throws(WireError) {
        sdkPlatform = try data.optional("sdkPlatform")
        sdkVersion = try data.optional("sdkVersion")
        fingerprint = try data.optional("browserFingerprint", or: "deviceFingerprint")
        guard data["authorization"] != nil else { return }
        (authorizationCode, codeVerifier) = try data.inside("authorization") { authorization throws(WireError) in
            (try authorization.nonEmpty("authorizationCode"), try authorization.nonEmpty("codeVerifier"))
        }
    }

    /// `disableChannelInfo` is always true, as the iOS SDK sends it.
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

/// The customer is known now: the data of `ConsumerAuthorized` or `CustomerAuthorized`.
public struct ConsumerAuthorized: Sendable, Hashable {
    /// Web clients want "success". It stands beside `postback`, or in the data.
    public var status: String?
    /// The identity that the server uses. Its id may differ from the one that the client sent.
    public var customer: WireCustomer?
    /// On channels with OAuth only.
    public var accessToken: AccessToken?
    /// The custom fields that the customer has on the platform.
    public var customerFields: [CustomField]
    /// The custom fields of the customer's contact.
    public var contactFields: [CustomField]

    public init(
        status: String? = "success", customer: WireCustomer?, accessToken: AccessToken? = nil,
        customerFields: [CustomField] = [], contactFields: [CustomField] = []
    ) {
        self.status = status
        self.customer = customer
        self.accessToken = accessToken
        self.customerFields = customerFields
        self.contactFields = contactFields
    }
}

extension ConsumerAuthorized: WireReadable, WireWritable {
    /// All members may be absent. The identity and the custom fields have two names each.
    public init(_ data: WireValue) throws(WireError) {
        status = try data.optional("status")
        customer = try data.optional("consumerIdentity", or: "customerIdentity")
        accessToken = try data.optional("accessToken")
        customerFields = try data.customFields(in: "customer", or: "consumer") ?? []
        contactFields = try data.customFields(in: "contact", or: "consumerContact") ?? []
    }

    /// `status` is not written here: it stands beside `postback` in the frame.
    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            writer.member("consumerIdentity", ifPresent: customer)
            writer.member("accessToken", ifPresent: accessToken)
            writer.member("customer", customFields: customerFields)
            writer.member("contact", customFields: contactFields)
        }
    }
}

/// A token with its lifetime, for example the `accessToken` of a session that is not secured. It is a secret.
public struct AccessToken: Sendable, Hashable, WireReadable, WireWritable {
    public var token: String
    /// How long the token is valid, in seconds from when it was issued. Clients leave it out.
    public var expiresIn: Int?

    public init(token: String, expiresIn: Int? = nil) {
        self.token = token
        self.expiresIn = expiresIn
    }

    public init(_ value: WireValue) throws(WireError) {
        token = try value.required("token")
        expiresIn = try value.optional("expiresIn")
    }

    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            writer.member("token", token)
            writer.member("expiresIn", ifPresent: expiresIn)
        }
    }
}

/// What a client tells about its device: `deviceFingerprint` or `browserFingerprint`. All members may be absent.
public struct DeviceFingerprint: Sendable, Hashable, WireReadable, WireWritable {
    public var country: String?
    public var language: String?
    /// `native` or `browser`.
    public var applicationType: String?
    /// For example `iOS`; the platform seems to choose the push service by it.
    public var os: String?
    public var osVersion: String?
    /// `mobile`, `tablet` or `desktop`.
    public var deviceType: String?
    /// To which notifications are pushed; nil: nothing is said of it.
    public var deviceToken: DeviceToken?
    public var browser: String?
    public var browserVersion: String?
    public var ip: String?
    /// A time zone, from web clients.
    public var location: String?

    public init(
        country: String? = nil, language: String? = nil, applicationType: String? = nil, os: String? = nil,
        osVersion: String? = nil, deviceType: String? = nil, deviceToken: DeviceToken? = nil, browser: String? = nil,
        browserVersion: String? = nil, ip: String? = nil, location: String? = nil
    ) {
        self.country = country
        self.language = language
        self.applicationType = applicationType
        self.os = os
        self.osVersion = osVersion
        self.deviceType = deviceType
        self.deviceToken = deviceToken
        self.browser = browser
        self.browserVersion = browserVersion
        self.ip = ip
        self.location = location
    }

    public init(_ value: WireValue) throws(WireError) {
        country = try value.optional("country")
        language = try value.optional("language")
        applicationType = try value.optional("applicationType")
        os = try value.optional("os")
        osVersion = try value.idIfPresent("osVersion")
        deviceType = try value.optional("deviceType")
        deviceToken = value.isNull("deviceToken") ? .removed : try value.optional("deviceToken").map { .token($0) }
        browser = try value.optional("browser")
        browserVersion = try value.idIfPresent("browserVersion")
        ip = try value.optional("ip")
        location = try value.optional("location")
    }

    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            writer.member("country", ifPresent: country)
            writer.member("language", ifPresent: language)
            writer.member("applicationType", ifPresent: applicationType)
            writer.member("os", ifPresent: os)
            writer.member("osVersion", ifPresent: osVersion)
            writer.member("deviceType", ifPresent: deviceType)
            switch deviceToken {
            case .token(let token): writer.member("deviceToken", token)
            case .removed: writer.member("deviceToken", orNull: String?.none)
            case nil: break
            }
            writer.member("browser", ifPresent: browser)
            writer.member("browserVersion", ifPresent: browserVersion)
            writer.member("ip", ifPresent: ip)
            writer.member("location", ifPresent: location)
        }
    }
}

/// The push token of an app on a device, as a client tells it. It is a secret.
public enum DeviceToken: Sendable, Hashable {
    /// The device can be reached under this token.
    case token(String)
    /// Null: nothing is to be pushed to the device any more.
    case removed
}
