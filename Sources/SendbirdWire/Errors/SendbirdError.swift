import Formats

/// What the platform answers where it does not do what it was asked: `{"error": true, "code": 400201, "message": "..."}`.
///
/// The code decides, for the HTTP status is nearly always 400: a user who does not exist is 400, not 404.
package struct SendbirdError: Error, SendbirdShape {
    package var code: SendbirdErrorCode
    /// The platform's words.
    package var message: String

    package init(_ code: SendbirdErrorCode, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Nil for an answer that is no error: without a code its outcome is unknown.
    package init?(_ value: SendbirdValue) {
        guard let code = value.number("code").flatMap({ Int(exactly: $0) }) else { return nil }
        self.init(SendbirdErrorCode(rawValue: code), value.text("message") ?? "")
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("error", true)
            json.member("code", code.rawValue)
            json.member("message", message)
        }
    }
}

/// Why a request was refused. Unknown codes are kept as they are.
package struct SendbirdErrorCode: RawRepresentable, Sendable, Hashable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }
    private init(_ rawValue: Int) { self.init(rawValue: rawValue) }

    // A member of another type.
    package static let notString = Self(400100)
    package static let notNumber = Self(400101)
    package static let notList = Self(400102)
    package static let notJSON = Self(400103)
    package static let notBoolean = Self(400104)
    // A member, or a parameter of the query, is missing; the body is, or is no JSON.
    package static let missing = Self(400105)
    package static let bodyMissing = Self(400402)
    package static let bodyNotJSON = Self(400403)
    // Values.
    package static let negative = Self(400106)
    package static let positive = Self(400107)
    package static let outOfRange = Self(400113)
    package static let tooManyItems = Self(400203)
    package static let userIDTooLong = Self(400305)
    package static let tooLong = Self(400110)
    package static let invalidValue = Self(400111)
    package static let incompatible = Self(400112)
    package static let characterNotAllowed = Self(400151)
    package static let combinationRefused = Self(400920)
    // Who asks.
    package static let tokenInvalid = Self(400401)
    package static let applicationNotFound = Self(400304)
    package static let applicationNotAvailable = Self(403100)
    package static let notAuthorized = Self(400108)
    package static let pageTokenExpired = Self(400109)
    // Where.
    package static let invalidURL = Self(400114)
    package static let noSuchPath = Self(400404)
    package static let notServed = Self(400930)
    // What there is.
    package static let notFound = Self(400201)
    package static let userNotFound = Self(400301)
    package static let existsAlready = Self(400202)
    package static let userDeactivated = Self(400300)
    package static let quotaExceeded = Self(400306)
    package static let domainNotAllowed = Self(400307)
    // Moderation.
    package static let stoppedByFilter = Self(400700)
    package static let invitationBlocked = Self(400701)
    package static let invitationRefused = Self(400702)
    package static let banned = Self(400750)
    package static let bannedFromChannel = Self(400751)
    // The platform's own.
    package static let rateLimit = Self(500910)
    package static let internalError = Self(500901)

    /// The HTTP status under which the platform tells it.
    package var status: Int {
        switch self {
        case .applicationNotAvailable: 403
        case .noSuchPath: 404
        case .rateLimit: 429
        default: (500_000..<600_000).contains(rawValue) ? 500 : 400
        }
    }
}
