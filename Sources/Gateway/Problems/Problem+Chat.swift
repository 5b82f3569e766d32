import ChatModel
import HTTPRouting

extension Problem {
    package init(
        _ problem: GatewayProblem, _ detail: String? = nil, retryAfter: Int? = nil, headers: [(String, String)] = []
    ) {
        self.init(kind: ProblemKind(problem), detail: detail, retryAfter: retryAfter, headers: headers)
    }

    /// A chat's error. One that is about a query parameter is 400, as all problems of a query are.
    package init(_ error: ChatError) {
        self.init(kind: ProblemKind(error.code), detail: error.detail)
        items = error.faults.map { Item(ProblemKind($0.code), pointer: $0.pointer, $0.detail) }
        if error.pointer?.hasPrefix("?") == true { status = 400 }
        if error.code == .shuttingDown { retryAfter = 5 }
        if error.code == .searchUnavailable { retryAfter = 2 }
    }

    /// Whatever a route threw, as a problem. Errors that nobody foresaw tell nothing of their inside.
    static func from(_ error: any Error) -> Problem {
        switch error {
        case let problem as Problem: problem
        case let error as ChatError: Problem(error)
        default: Problem(.internalError)
        }
    }
}

extension ProblemKind {
    /// Every kind that an answer of the gateway can carry, by its code. `/docs/problems/<code>` has a page for each.
    package static let all: [String: ProblemKind] = {
        let kinds = HTTPProblem.allCases.map { ProblemKind($0) } + GatewayProblem.allCases.map { ProblemKind($0) }
            + ChatError.Code.allCases.map { ProblemKind($0) }
        return Dictionary(kinds.map { ($0.code, $0) }) { first, _ in first }
    }()
}

extension ObjectReader {
    /// Says what is wrong with a member by a chat's own code.
    mutating func reject(_ name: String, _ code: ChatError.Code, _ detail: String) {
        reject(name, ProblemKind(code), detail)
    }
}
