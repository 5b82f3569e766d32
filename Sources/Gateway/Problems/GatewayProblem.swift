/// Problems that the gateway finds by itself, before or beside the chat.
public enum GatewayProblem: String, Sendable, CaseIterable {
    case hostHeader, misdirectedHost, foreignOrigin, notFound, methodNotAllowed, unauthorized, forbidden, tooManyFailures
    case unsupportedMediaType, bodyTooLarge, invalidJSON, unknownMember, missingMember, invalidValue
    case unknownParameter, invalidIdempotencyKey, malformedRequest, unknownMethod
    case invalidHeader, digestMismatch, rangeNotSatisfiable
    case requestTimeout, tooManyRequests, tooManyStreams, launchCodeGone, internalError
}

extension ProblemKind {
    static func gateway(_ code: GatewayProblem) -> ProblemKind {
        let row = gatewayRow(code)
        return ProblemKind(code.rawValue, row.0, row.1, row.2, row.3)
    }

    private static func gatewayRow(_ code: GatewayProblem) -> (Int, String, String, String) {
        switch code {
        case .hostHeader:
            (400, "The Host header is wrong", "A request has exactly one Host header.", "Send one Host header.")
        case .misdirectedHost:
            (421, "The gateway does not answer for this host", "The Host header names a host that the gateway does not know; this keeps foreign web pages out (DNS rebinding).",
             "Use 127.0.0.1, [::1] or localhost with the gateway's port, or start it with --allow-host NAME.")
        case .foreignOrigin:
            (403, "Requests of other origins are refused", "A browser sent this request for a page of another origin, or did not say for which.",
             "Use the gateway's own pages, or a program with a token.")
        case .notFound:
            (404, "There is nothing here", "No route has this path.", "Look at /docs for the routes.")
        case .methodNotAllowed:
            (405, "The method is not allowed here", "The path exists, but not with this method.", "Use a method that the Allow header lists.")
        case .unauthorized:
            (401, "A valid token is needed", "The request has no token, or one that is not valid.",
             "Send Authorization: Bearer <token>; parley token prints the gateway's, POST /v1/sessions answers with a session's. In a browser run parley open.")
        case .forbidden:
            (403, "The token does not open this", "A session's token opens its own session only.", "Use the gateway's token, or the right session's.")
        case .tooManyFailures:
            (429, "Too many failed tries", "More than 20 requests with wrong tokens came from this address within a minute.",
             "Wait as long as Retry-After says, and use a valid token.")
        case .unsupportedMediaType:
            (415, "The body's type is not supported", "The body is not of the media type that the operation takes.", "Send Content-Type: application/json; with a file, the file itself as the body and the file's own type.")
        case .bodyTooLarge:
            (413, "The body is too large", "The body has more bytes than the operation takes.", "Send less; /v1/info names the limits.")
        case .invalidJSON:
            (400, "The body is not JSON", "The body could not be read as JSON: the detail says where and why. Nesting deeper than 64 levels, lone surrogates and duplicate members are refused too.",
             "Correct the body.")
        case .unknownMember:
            (422, "The body has an unknown member", "A member of the body is not known to the operation, so it would have been ignored.", "Remove or correct what errors[] points to.")
        case .missingMember:
            (422, "A member is missing", "The body lacks a member that the operation needs.", "Add what errors[] points to.")
        case .invalidValue:
            (422, "A member's value is not valid", "A member has a value of the wrong type, or one that the operation does not take.", "Correct what errors[] points to.")
        case .unknownParameter:
            (400, "The query has an unknown parameter", "A query parameter is not known to the operation, so it would have been ignored.", "Remove or correct what errors[] points to.")
        case .invalidIdempotencyKey:
            (400, "The Idempotency-Key is not valid", "A key has 1 to 255 printable ASCII characters, bare or as a quoted string.", "Use a UUID.")
        case .invalidHeader:
            (400, "A header is not valid", "A header that the operation reads has a value that it does not take.", "Correct the header that the detail names.")
        case .digestMismatch:
            (422, "The body is not what its digest says", "The bytes that came do not have the digest of Repr-Digest: they were changed or cut on the way.",
             "Send them again.")
        case .rangeNotSatisfiable:
            (416, "The range is outside the file", "The Range header asks for bytes that the file does not have.", "Content-Range says how many bytes there are.")
        case .malformedRequest:
            (400, "The request is malformed", "The request breaks the rules of HTTP in a way that could be misread.", "Use a proper HTTP client.")
        case .unknownMethod:
            (501, "The method is not known", "The gateway knows GET, HEAD, POST, PUT, PATCH, DELETE and OPTIONS.", "Use one of these.")
        case .requestTimeout:
            (408, "The request took too long to come", "A request must be complete 10 seconds after its first line; a body may take longer as long as it comes with 4 KiB a second.",
             "Send the request without pauses.")
        case .tooManyRequests:
            (503, "Too many requests at a time", "More requests are being worked on, or still coming, than the gateway takes at a time.", "Try again in a moment.")
        case .tooManyStreams:
            (503, "Too many streams", "More event streams are open than the gateway takes.", "Close streams that are not needed; one stream can follow many sessions (GET /v1/events).")
        case .launchCodeGone:
            (410, "The launch address was used or has expired", "An address /auth/<code> works once, and for ten minutes.", "Run parley open for a new one.")
        case .internalError:
            (500, "The gateway failed", "Something went wrong that should not.", "Look at the gateway's log for the request's id.")
        }
    }
}
