import ChatModel

/// One kind of problem: what its code means, everywhere and always the same.
///
/// The table is complete: ``all`` holds each code that an answer of the gateway can carry, and
/// `/docs/problems/<code>` has a page for each.
public struct ProblemKind: Sendable, Equatable {
    /// The member `code` of the problem, and the last segment of its `type`.
    public let code: String
    /// The HTTP status that it is usually answered with.
    public let status: Int
    /// The member `title`: the same for every occurrence.
    public let title: String
    /// What it means, for people.
    public let meaning: String
    /// What to do about it.
    public let remedy: String

    init(_ code: String, _ status: Int, _ title: String, _ meaning: String, _ remedy: String) {
        self.code = code
        self.status = status
        self.title = title
        self.meaning = meaning
        self.remedy = remedy
    }

    /// The kind that a chat's error turns into.
    public init(_ code: ChatError.Code) { self = Self.chat(code) }

    /// The kind of a problem that the gateway finds by itself.
    public init(_ code: GatewayProblem) { self = Self.gateway(code) }

    /// Every kind, by code.
    public static let all: [String: ProblemKind] = {
        let kinds = ChatError.Code.allCases.map(ProblemKind.init) + GatewayProblem.allCases.map(ProblemKind.init)
        return Dictionary(kinds.map { ($0.code, $0) }) { first, _ in first }
    }()
}
