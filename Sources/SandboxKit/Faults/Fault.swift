/// An error that the sandbox is asked to cause, so that people can test their clients.
public struct Fault: Sendable, Hashable {
    /// What goes wrong. The names are the same for all platforms; each can cause some of them.
    public struct Kind: RawRepresentable, Sendable, Hashable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        /// Breaks the socket, without a close frame.
        public static let dropSocket = Kind(rawValue: "dropSocket")
        /// Answers come later.
        public static let delayAnswer = Kind(rawValue: "delayAnswer")
        /// The request is done, and not answered.
        public static let loseAnswer = Kind(rawValue: "loseAnswer")
        /// The connection closes, and nothing is done.
        public static let loseRequest = Kind(rawValue: "loseRequest")
        /// The connection closes, and the request is done later.
        public static let lateDeed = Kind(rawValue: "lateDeed")
        /// The request is done, and the connection closes within the answer.
        public static let cutAnswer = Kind(rawValue: "cutAnswer")
        /// Requests beyond so many in a second are refused, reading and writing ones on their own.
        public static let limitRate = Kind(rawValue: "limitRate")
        /// The tokens of pages that were given out up to now have expired.
        public static let expirePage = Kind(rawValue: "expirePage")
        /// A push comes twice.
        public static let duplicatePush = Kind(rawValue: "duplicatePush")
        /// A push comes after the one that follows it.
        public static let reorderPush = Kind(rawValue: "reorderPush")
        /// A call of a program does not go out, and is not tried again.
        public static let dropWebhook = Kind(rawValue: "dropWebhook")
        /// A push comes later, and so do those that follow it.
        public static let delayPush = Kind(rawValue: "delayPush")
        /// A push has a signature that does not fit.
        public static let badSignature = Kind(rawValue: "badSignature")
        /// The request is not done, but answered by an error.
        public static let refuse = Kind(rawValue: "refuse")
        /// Tokens that were given out up to now have expired.
        public static let expireToken = Kind(rawValue: "expireToken")
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
    /// How many times; nil: any number, until it is removed. Of `limitRate`: how many requests in a second are done;
    /// nil: 1.
    public var count: Int?
    /// By how much `delayAnswer`, `delayPush` and `lateDeed` delay. Ignored by the other kinds.
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

    /// Whether the fault happens when it is added: a dropped socket, or tokens that expire, where it waits for nothing.
    /// All others wait for a fitting request or push.
    public var isImmediate: Bool {
        [.dropSocket, .expireToken, .expirePage].contains(kind) && nth == nil && probability == nil && lasts == nil
    }

    var delays: Bool { [.delayAnswer, .delayPush, .lateDeed].contains(kind) }

    /// Whether it can concern any request over HTTP. Most must name one, as they would strike what tests do not mean.
    var isOfAnyRequest: Bool { event != nil || kind == .limitRate || kind == .expirePage }

    /// Whether the fault is about this.
    package func fits(_ occasion: FaultOccasion) -> Bool {
        occasion.isOf(customer: customer, event: event, channel: channel, socket: socket)
    }
}

/// A request or a push, as faults look at it.
package struct FaultOccasion: Sendable {
    /// The customer's id; nil while it is not known.
    package var customer: String?
    /// The id of the channel of the embedded service; nil stands for none.
    package var channel: String?
    /// The number of the session's socket; nil for a request over HTTP.
    package var socket: Int?
    package var event: String
    /// Whether it is a request that changes nothing.
    var isReading = false

    package init(customer: String? = nil, channel: String? = nil, socket: Int? = nil, event: String) {
        (self.customer, self.channel, self.socket, self.event) = (customer, channel, socket, event)
    }

    /// Whether all of this is true of it; nil stands for anything.
    func isOf(customer: String?, event: String?, channel: String?, socket: Int?) -> Bool {
        (customer == nil || customer == self.customer) && (event == nil || event == self.event)
            && (channel == nil || channel == self.channel) && (socket == nil || socket == self.socket)
    }
}
