/// The problems that belong to HTTP itself and not to any application: requests that cannot be read, and preconditions
/// that do not hold.
///
/// A case's name is the member `code` of the answer, so renaming a case changes the API.
package enum HTTPProblem: String, Sendable, CaseIterable {
    case hostHeader, malformedRequest, unknownMethod, notFound, methodNotAllowed, notAcceptable, unsupportedMediaType
    case bodyTooLarge, invalidJSON, unknownMember, missingMember, invalidValue, unknownParameter
    case invalidParameter, invalidHeader, invalidForm, digestMismatch, rangeNotSatisfiable, preconditionFailed
    case invalidIdempotencyKey, idempotencyKeyReused, idempotencyKeyInFlight, requestTimeout
    case shareExceeded, tooManyRequests, internalError
}

extension ProblemKind {
    /// The kind of one of HTTP's own problems.
    package init(_ problem: HTTPProblem) {
        let row = Self.row(problem)
        self.init(problem.rawValue, row.0, row.1, row.2, row.3)
    }

    // A switch, so that a new problem cannot be forgotten.
    private static func row(_ problem: HTTPProblem) -> (Int, String, String, String) {
        switch problem {
        case .hostHeader:
            (400, "The Host header is wrong", "A request has exactly one Host header.", "Send one Host header.")
        case .malformedRequest:
            (
                400, "The request is malformed",
                "The request breaks the rules of HTTP, so that two programs could read it differently.",
                "Use a proper HTTP client."
            )
        case .unknownMethod:
            (
                501, "The method is not known", "The gateway knows GET, HEAD, POST, PUT, PATCH, DELETE and OPTIONS.",
                "Use one of these."
            )
        case .notFound:
            (404, "There is nothing here", "No route has this path.", "Look at /docs for the routes.")
        case .methodNotAllowed:
            (
                405, "The method is not allowed here", "The path exists, but not with this method.",
                "Use a method that the Allow header lists."
            )
        case .notAcceptable:
            (
                406, "There is no such form of it",
                "What is here does not come in a form that the Accept header names.",
                "Name a form that the detail lists, or send no Accept header."
            )
        case .unsupportedMediaType:
            (
                415, "The body's type is not supported", "The body is not of the media type that the operation takes.",
                "Send Content-Type: application/json; with a file, a form or the file itself with its own type."
            )
        case .bodyTooLarge:
            (
                413, "The body is too large", "The body has more bytes than the operation takes.",
                "Send less; /v1/info names the limits."
            )
        case .invalidJSON:
            (
                400, "The body is not JSON",
                """
                The body could not be read as JSON: the detail says where and why. Nesting deeper than 64 levels, \
                lone surrogates and duplicate members are refused too.
                """,
                "Correct the body."
            )
        case .unknownMember:
            (
                422, "The body has an unknown member",
                "A member of the body is not known to the operation, so it would have been ignored.",
                "Remove or correct what errors[] points to."
            )
        case .missingMember:
            (
                422, "A member is missing", "The body lacks a member that the operation needs.",
                "Add what errors[] points to."
            )
        case .invalidValue:
            (
                422, "A member's value is not valid",
                "A member has a value of the wrong type, or one that the operation does not take.",
                "Correct what errors[] points to."
            )
        case .unknownParameter:
            (
                400, "The query has an unknown parameter",
                "A query parameter is not known to the operation, so it would have been ignored.",
                "Remove or correct what errors[] points to."
            )
        case .invalidParameter:
            (
                422, "A value is not valid", "A parameter or a member has a value that the operation does not take.",
                """
                Correct what errors[] points to. In a query the pointer begins with a question mark, and the status \
                is 400.
                """
            )
        case .invalidHeader:
            (
                400, "A header is not valid", "A header that the operation reads has a value that it does not take.",
                "Correct the header that the detail names."
            )
        case .invalidForm:
            (
                400, "The form is not valid",
                "A form with a file cannot be read, is not complete, or does not have exactly one file.",
                "Send the file in the field file, as curl -F file=@photo.png does; or the file itself as the body."
            )
        case .digestMismatch:
            (
                422, "The body does not match its digest",
                "The bytes that came do not have the digest that Repr-Digest or Content-Digest gives: they were changed or cut on the way.",
                "Send them again."
            )
        case .rangeNotSatisfiable:
            (
                416, "The range is outside the file", "The Range header asks for bytes that the file does not have.",
                "Ask for bytes that the file has; Content-Range says how many there are."
            )
        case .preconditionFailed:
            (
                412, "The resource has changed", "The resource does not have the version that If-Match names.",
                "GET it again, and repeat with its new ETag."
            )
        case .invalidIdempotencyKey:
            (
                400, "The Idempotency-Key is not valid",
                "A key has 1 to 255 printable ASCII characters, bare or as a quoted string.", "Use a UUID."
            )
        case .idempotencyKeyReused:
            (
                422, "The Idempotency-Key was used before", "The Idempotency-Key was used before with another body.",
                "Use a fresh key for every new request."
            )
        case .idempotencyKeyInFlight:
            (
                409, "A request with this Idempotency-Key is running",
                "The first request with this key has not been answered yet.",
                "Wait a moment and repeat it."
            )
        case .requestTimeout:
            (
                408, "The request took too long to arrive",
                """
                A request must be complete 10 seconds after its first line; a body may take longer as long as it \
                comes with 4 KiB a second.
                """,
                "Send the request without pauses."
            )
        case .shareExceeded:
            (
                429, "Your share is taken",
                """
                Requests, streams, uploads and searches share a number of places, and bodies, answers and transcripts \
                share memory. One token gets an eighth of them, and all who send without a token together get a \
                quarter. All of that share is taken now.
                """,
                "Wait for one of your own requests to end, or close a stream; then repeat the request."
            )
        case .tooManyRequests:
            (
                503, "Too many requests at the same time",
                "The gateway has as many requests in work, or still arriving, as it allows.",
                "Try again in a moment."
            )
        case .internalError:
            (
                500, "The gateway failed", "An error happened in the gateway that it did not expect.",
                "Look at the gateway's log for the request's id."
            )
        }
    }
}
