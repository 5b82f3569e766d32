import ChatModel
import Formats

/// An error that the sandbox is asked to cause, so that people can test their clients.
public struct Fault: Sendable, Hashable {
    /// What goes wrong.
    public enum Kind: String, Sendable, CaseIterable {
        /// Breaks the socket, without a close frame.
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
    }

    public var id: String
    public var kind: Kind
    /// The id of the customer whom it concerns; nil for all.
    public var customer: String?
    /// The `eventType` of the request or push that it concerns, or the operation of a request over HTTP; nil for any on
    /// a socket.
    public var event: String?
    /// The embedded channel that it concerns; nil for all.
    public var channel: String?
    /// The number of the socket that it concerns; nil for all.
    public var socket: Int?
    /// With which fitting request or push it begins; nil means 1.
    public var nth: Int?
    /// How probable it is at each fitting request or push, above 0 and at most 1; nil: certain.
    public var probability: Double?
    /// The seed of the random numbers for `probability`. Equal seeds give equal decisions.
    public var seed: Int?
    /// After how many milliseconds it is removed; nil: never.
    public var lasts: Int?
    /// How many times; nil: any number, until it is removed.
    public var count: Int?
    /// By how much `delayAnswer` delays. Ignored by the other kinds.
    public var milliseconds: Int
    /// The `errorCode` of `refuse`; nil for the platform's own code for the event. Ignored by the other kinds.
    public var errorCode: String?

    public init(
        id: String, kind: Kind, customer: String? = nil, event: String? = nil, count: Int? = 1, milliseconds: Int = 0,
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

    /// Whether the fault happens when it is added: a dropped socket or an expired token that waits for nothing. All
    /// others wait for a fitting request or push.
    public var isImmediate: Bool {
        (kind == .dropSocket || kind == .expireToken) && nth == nil && probability == nil && lasts == nil
    }

    /// Whether the fault is about this.
    func fits(_ occasion: FaultOccasion) -> Bool {
        occasion.isOf(customer: customer, event: event, channel: channel, socket: socket)
    }
}

/// A request or a push, as faults look at it.
struct FaultOccasion: Sendable {
    /// The customer's id; nil while it is not known.
    var customer: String?
    /// The id of the channel of the embedded service; nil stands for none.
    var channel: String?
    /// The number of the session's socket; nil for a request over HTTP.
    var socket: Int?
    var event: String

    /// Whether all of this is true of it; nil stands for anything.
    func isOf(customer: String?, event: String?, channel: String?, socket: Int?) -> Bool {
        (customer == nil || customer == self.customer) && (event == nil || event == self.event)
            && (channel == nil || channel == self.channel) && (socket == nil || socket == self.socket)
    }
}
