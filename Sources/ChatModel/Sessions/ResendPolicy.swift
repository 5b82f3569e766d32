/// What becomes of a session's message that could not be sent (SyncManager's resend policy).
public enum ResendPolicy: Sendable, Hashable {
    /// It is dropped.
    case none
    /// It is kept as failed, until somebody resends or removes it.
    case manual
    /// It is kept as failed and sent again by itself, this many times at most.
    case automatic(attempts: Int)

    public static let defaultAttempts = 10
    public static let attemptsRange = 1...50

    /// `none`, `manual`, `automatic`.
    public var name: String {
        switch self {
        case .none: "none"
        case .manual: "manual"
        case .automatic: "automatic"
        }
    }

    /// As it is stored: `automatic:10`.
    public var text: String {
        if case .automatic(let attempts) = self { return "\(name):\(attempts)" }
        return name
    }

    /// Nil for a text that no policy has.
    public init?(text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        switch (parts.first, parts.count) {
        case ("none", 1): self = .none
        case ("manual", 1): self = .manual
        case ("automatic", 2):
            guard let attempts = Int(parts[1]), Self.attemptsRange.contains(attempts) else { return nil }
            self = .automatic(attempts: attempts)
        default: return nil
        }
    }
}
