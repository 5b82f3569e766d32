import HTTPRouting

/// The problems that the gate finds before a request reaches the chat: who asks, from where, and how often.
///
/// A case's name is the member `code` of the answer, so renaming a case changes the API.
package enum GatewayProblem: String, Sendable, CaseIterable {
    case misdirectedHost, foreignOrigin, unauthorized, forbidden, tooManyFailures, tooManyStreams, tooManyWrites
    case launchCodeGone, missingPart, standby
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
        case .tooManyFailures:
            (
                429, "Too many failed attempts",
                "More than 20 requests with wrong tokens came from this address within a minute.",
                "Wait as long as Retry-After says, and use a valid token."
            )
        case .tooManyStreams:
            (
                503, "Too many streams", "The gateway has as many open event streams as it allows.",
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
        case .standby:
            (
                503, "This gateway is a standby",
                "Several gateways share one database, and another one serves it now; or this one is about to begin, or cannot reach it.",
                "Try again after Retry-After, at the address of the balancer or at another gateway."
            )
        }
    }
}
