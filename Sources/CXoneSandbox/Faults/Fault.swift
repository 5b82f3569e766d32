/// Something that is to go wrong, for those who test their clients.
public struct Fault: Sendable, Hashable {
    public enum Kind: String, Sendable, CaseIterable {
        /// Breaks the sockets that are open now, without a close frame.
        case dropSocket
        /// Answers come later.
        case delayAnswer
        /// The request is done, and not answered.
        case loseAnswer
        case duplicatePush
        /// A push comes after the one that follows it.
        case reorderPush
        /// The request is not done, but answered by an error.
        case refuse
        /// Tokens that were given out up to now have expired.
        case expireToken

        /// Done when it is asked for; the others wait for what they meet.
        var isImmediate: Bool { self == .dropSocket || self == .expireToken }
    }

    public var id: String
    public var kind: Kind
    /// Whom it meets; nil for everybody.
    public var customer: String?
    /// The `eventType` that it meets; nil for any.
    public var event: String?
    /// How many times.
    public var count: Int
    /// Of `delayAnswer`.
    public var milliseconds: Int
    /// Of `refuse`.
    public var errorCode: String?

    public init(
        id: String, kind: Kind, customer: String? = nil, event: String? = nil, count: Int = 1, milliseconds: Int = 0,
        errorCode: String? = nil
    ) {
        self.id = id
        self.kind = kind
        self.customer = customer
        self.event = event
        self.count = count
        self.milliseconds = milliseconds
        self.errorCode = errorCode
    }
}
