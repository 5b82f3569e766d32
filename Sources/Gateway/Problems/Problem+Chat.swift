import ChatModel
import HTTPRouting

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
