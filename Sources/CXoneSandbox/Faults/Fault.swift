/// An error that the sandbox is asked to cause, so that people can test their clients.
public struct Fault: Sendable, Hashable {
    /// What goes wrong.
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

        /// Whether the fault happens when it is added. The others wait for a fitting request or push.
        var isImmediate: Bool { self == .dropSocket || self == .expireToken }
    }

    public var id: String
    public var kind: Kind
    /// The id of the customer whom it concerns; nil for all.
    public var customer: String?
    /// The `eventType` of the request or push that it concerns; nil for any.
    public var event: String?
    /// How many times.
    public var count: Int
    /// By how much `delayAnswer` delays. Ignored by the other kinds.
    public var milliseconds: Int
    /// The `errorCode` of `refuse`; nil for the platform's own code for the event. Ignored by the other kinds.
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
