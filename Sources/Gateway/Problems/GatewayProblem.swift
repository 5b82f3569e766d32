import ChatModel
import HTTPRouting

/// The problems that the gate finds before a request reaches the chat: who asks, from where, and how often.
///
/// A case's name is the member `code` of the answer, so renaming a case changes the API.
package enum GatewayProblem: String, Sendable, CaseIterable {
    case misdirectedHost, foreignOrigin, unauthorized, forbidden, insufficientScope, outsideChannels, notYou
    case wrongCredentials, confirmationNeeded, passwordTooWeak, ambiguousIdentity
    case tooManyFailures, tooManyStreams, tooManyWrites, launchCodeGone, missingPart, standby, maintenance
    // Customers who come by themselves.
    case identityRequired, invalidIdentity, identityExpired, originNotAllowed, channelNotPublic
    case consentRequired, proofRequired, notAllowed, tooManyVisitors
}

extension ProblemKind {
    /// The kind of one of the gate's problems.
    package init(_ problem: GatewayProblem) {
        let row = Self.row(problem)
        self.init(problem.rawValue, row.0, row.1, row.2, row.3)
    }

    // A switch, so that a new problem cannot be forgotten.
    private static func row(_ problem: GatewayProblem) -> (Int, String, String, String) {
        switch problem {
        case .misdirectedHost:
            (
                421, "The gateway does not answer for this host",
                "The Host header names a host that the gateway does not know; this keeps foreign web pages out (DNS rebinding).",
                "Use 127.0.0.1, [::1] or localhost with the gateway's port, or start it with --allow-host NAME."
            )
        case .foreignOrigin:
            (
                403, "Requests from pages of other origins are refused",
                "A browser sent this request for a page of another origin, or did not say for which origin.",
                "Use the gateway's own pages, or a program with a token."
            )
        case .unauthorized:
            (
                401, "A valid token is needed", "The request has no token, or one that is not valid.",
                "Send Authorization: Bearer <token>. The command parley token prints the gateway's token, POST /v1/sessions answers with a session's. For a browser, run parley open."
            )
        case .forbidden:
            (
                403, "The token does not allow this", "A session's token opens its own session only.",
                "Use the gateway's token, or the right session's."
            )
        case .insufficientScope:
            (
                403, "A scope is missing",
                "A key opens what its scopes open, and a person what their role opens. The member missingScope and the header WWW-Authenticate name the one that this operation needs.",
                "Use a key that has the scope: parley key add NAME --scope SCOPE. The scopes of a key never change."
            )
        case .outsideChannels:
            (
                403, "The channel is outside the caller's channels",
                "The key or the person is limited to some channels, and the request names another one.",
                "Name a channel of the key or the person, or use a key for the other channel."
            )
        case .notYou:
            (
                403, "Nobody acts under another's name",
                "The caller is one agent or person, and the request names another one as the one who acts, or changes what is another's.",
                "Leave the agent out. A key without an agent may name one who is no person."
            )
        case .wrongCredentials:
            (
                401, "The e-mail address or the password is wrong",
                "Nobody who may sign in has this e-mail address and this password. The answer does not tell which of them is wrong.",
                "Ask an administrator for a new invitation: with it you choose another password."
            )
        case .confirmationNeeded:
            (
                403, "Show again who you are", "An administrator does this only within 15 minutes after a sign-in.",
                "Send the password to POST /auth/confirm, and send the request again."
            )
        case .passwordTooWeak:
            (
                400, "The password is too weak",
                "A password has 15 characters or more, and at most 500 bytes. The member reason says what is wrong: short, long, repeated (few different characters), personal (mostly your own name or address), or common.",
                "Choose a sentence that nobody else would write."
            )
        case .ambiguousIdentity:
            (
                400, "Who is meant is not clear",
                "The header with the name that the proxy sets came twice, in two spellings, empty, or with characters that no name has.",
                "Let the proxy remove what clients send under this name, in both spellings, and set it once."
            )
        case .tooManyFailures:
            (
                429, "Too many failed attempts",
                "More than 20 requests with wrong tokens came from this address within a minute.",
                "Wait as long as Retry-After says, and use a valid token."
            )
        case .tooManyStreams:
            (
                503, "Too many streams",
                "The gateway, or one visitor, or one address of visitors, has as many open event streams as may be.",
                "Close streams that are not needed. One stream can follow many sessions (GET /v1/events)."
            )
        case .tooManyWrites:
            (
                429, "Too much was written in a short time",
                "Messages, threads and uploads of one session's token are limited, at once and by the hour. The detail names the limit.",
                "Wait as long as Retry-After says. The gateway's own token has no such limit; --messages-per-hour and its like change it."
            )
        case .launchCodeGone:
            (
                410, "The launch address was used or has expired",
                "An address /auth/<code> works once, and for ten minutes.", "Run parley open for a new one."
            )
        case .missingPart:
            (
                501, "This gateway was built without the part",
                "Parley can be built without the parts that call other machines. The detail names the one that lacks.",
                "Build it with all parts: leave out --disable-default-traits."
            )
        case .identityRequired:
            (
                401, "The channel needs to know who the customer is",
                "Customers of this channel begin with a JWT that the shop's server has signed, and the request has none.",
                "Send the JWT as the member identity; the article Customers says how it is made."
            )
        case .invalidIdentity:
            (
                401, "The JWT of the customer is not valid",
                "The member reason says what is wrong: form, algorithm, signature, key or claims.",
                "Sign with HS256 and a secret of the channel (createIdentitySecret), and look at the claims in the article Customers."
            )
        case .identityExpired:
            (
                401, "The customer has to be vouched for again",
                "The JWT has expired, or the session of a known customer has gone on long enough without a new one.",
                "Send a fresh JWT: with POST /v1/sessions/{session}/identity for a session, otherwise in the same request."
            )
        case .originNotAllowed:
            (
                403, "The channel is not for pages of this origin",
                "A browser sent the request for a page whose origin is not one of the channel's.",
                "Add the page's origin to the channel's visitors.origins."
            )
        case .channelNotPublic:
            (
                404, "Customers cannot begin on this channel by themselves",
                "There is no such channel, or it is not public.",
                "Set visitors.public of the channel, or make a link for the customer: POST /v1/sessions/{session}/links."
            )
        case .consentRequired:
            (
                403, "The customer has not agreed",
                "The channel asks customers to agree to how their data is used, and the request does not say that they have.",
                "Show the text, and send its version as the member consent."
            )
        case .proofRequired:
            (
                403, "The browser has to do some work first",
                "The channel protects itself against robots: who begins finds a number first. The member challenge has the task.",
                "Find the number, and send it as the member proof: see GET /v1/visitors/challenge."
            )
        case .notAllowed:
            (
                403, "A customer may not do this",
                "The session was begun by a customer on a public channel, and such a session chats, and no more. Or the channel does not let its customers do this.",
                "Use a session that was made with a key or the gateway's token, or change the channel."
            )
        case .tooManyVisitors:
            (
                429, "Too many chats were begun",
                "From one address, or on one channel, only so many chats can be begun in a minute and in an hour.",
                "Wait as long as Retry-After says."
            )
        case .standby:
            (
                503, "This gateway is a standby",
                "Several gateways share one database, and another one serves it now; or this one is about to begin, or cannot reach it.",
                "Try again after Retry-After, at the address of the balancer or at another gateway."
            )
        case .maintenance:
            (
                503, "The gateway is under maintenance",
                "Whoever runs the gateway has planned work. Reading goes on, and streams stay open; the detail is a note for those who wait.",
                "Try again after Retry-After. Nothing of the request was done."
            )
        }
    }
}

extension Problem {
    /// A problem of the gate, with the status that its kind has.
    package init(
        _ problem: GatewayProblem, _ detail: String? = nil, retryAfter: Int? = nil, headers: [(String, String)] = []
    ) {
        self.init(kind: ProblemKind(problem), detail: detail, retryAfter: retryAfter, headers: headers)
    }

    /// An error of the chat. The status is the kind's, or 400 if the error is about a query parameter. What passes by
    /// itself gets a `Retry-After`.
    package init(_ error: ChatError) {
        self.init(kind: ProblemKind(error.code), detail: error.detail)
        items = error.faults.map { Item(ProblemKind($0.code), pointer: $0.pointer, $0.detail) }
        if error.pointer?.utf8.first == UInt8(ascii: "?") { status = 400 }
        retryAfter = Self.pause(after: error.code)
    }

    /// Seconds after which the same request may succeed although its sender changes nothing; nil where it would not.
    private static func pause(after code: ChatError.Code) -> Int? {
        switch code {
        case .fetchInProgress, .idempotencyKeyInFlight, .tooManyFetches: 1
        case .searchUnavailable, .storageUnavailable: 2
        case .shuttingDown, .tooManyUnsent, .tooManyUploads: 5
        // Somebody has to make room on the disk first.
        case .storageFull: 30
        default: nil
        }
    }

    /// Any error that a route threw. An error of an unknown type becomes `internalError` without a detail, so that
    /// nothing internal gets out; the caller logs it.
    static func from(_ error: any Error) -> Problem {
        switch error {
        case let problem as Problem: problem
        case let error as ChatError: Problem(error)
        case is CancellationError: Problem(ChatError(storage: error))
        default: Problem(.internalError)
        }
    }
}

extension ProblemKind {
    /// Every kind that an answer of the gateway can have, by its code. `/docs/problems/<code>` has a page for each of
    /// them.
    package static let all: [String: ProblemKind] = {
        let kinds =
            HTTPProblem.allCases.map { ProblemKind($0) } + GatewayProblem.allCases.map { ProblemKind($0) }
            + ChatError.Code.allCases.map { ProblemKind($0) }
        return Dictionary(kinds.map { ($0.code, $0) }) { first, _ in first }
    }()
}

extension ObjectReader {
    /// Reports a fault of a member under one of the chat's codes.
    mutating func reject(_ name: String, _ code: ChatError.Code, _ detail: String) {
        reject(name, ProblemKind(code), detail)
    }
}
