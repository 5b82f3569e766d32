import Formats

/// A webhook is in another state than before. It is for the desk, and live only.
public struct WebhookUpdatedEvent: FeedEvent {
    public static let type = EventType.webhookUpdated

    public var id: String
    public var state: TargetState
    /// The reason for the state, as a code of one word.
    public var reason: String?
    /// How many events the webhook has not got yet. Nil if it could not be counted.
    public var lag: Int?

    public init(id: String, state: TargetState, reason: String?, lag: Int?) {
        self.id = id
        self.state = state
        self.reason = reason
        self.lag = lag
    }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("id", id)
        json.member("state", state.rawValue)
        json.member("reason", reason)
        if let lag { json.member("lag", lag) }
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        id = try json.requiredString("id")
        state = try json.requiredCase("state")
        reason = json["reason"]?.string
        lag = json["lag"] == nil ? nil : Int(clamping: try json.requiredInteger("lag"))
    }
}

/// Whether events are sent to a target.
public enum TargetState: String, Sendable, CaseIterable {
    /// They are sent.
    case active
    /// It took nothing lately: one delivery is tried now and then, all others wait.
    case failing
    /// Its owner has stopped it.
    case paused
    /// It failed for too long, or wants nothing more. It goes on when its owner says so.
    case disabled

    /// Deliveries are tried.
    public var isSending: Bool { self == .active || self == .failing }
}

/// An answer that agents keep is new, has changed, or is gone. It is for the desk, and live only.
public struct AnswerUpdatedEvent: FeedEvent {
    public static let type = EventType.answerUpdated

    public var id: String
    /// Nil when it is gone.
    public var answer: CannedAnswer?

    public init(id: String, answer: CannedAnswer?) {
        self.id = id
        self.answer = answer
    }

    public var expectedSize: Int { (answer?.text.utf8.count ?? 0) + 256 }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("id", id)
        if let answer { json.member("answer", answer) }
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        id = try json.requiredString("id")
        answer = try json["answer"].map { value throws(ModelError) in try CannedAnswer(json: value) }
    }
}

/// What would have been pushed to an app, where no app is configured. It is for the desk, and live only.
public struct PushSimulatedEvent: FeedEvent {
    public struct Header: Sendable, Hashable {
        public var name: String
        public var value: String

        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    public static let type = EventType.pushSimulated

    public var deviceID: String
    public var channel: String
    /// Nil where the device is the desk's.
    public var customer: String?
    public var threadID: String
    public var messageID: String
    /// Of the request to APNs.
    public var headers: [Header]
    /// The body of the request: one JSON object.
    public var payload: [UInt8]

    public init(
        deviceID: String, channel: String, customer: String?, threadID: String, messageID: String, headers: [Header],
        payload: [UInt8]
    ) {
        self.deviceID = deviceID
        self.channel = channel
        self.customer = customer
        self.threadID = threadID
        self.messageID = messageID
        self.headers = headers
        self.payload = payload
    }

    public var expectedSize: Int { payload.count + 1024 }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("deviceId", deviceID)
        json.member("channel", channel)
        json.member("customer", customer)
        json.member("threadId", threadID)
        json.member("messageId", messageID)
        json.name("headers")
        json.beginObject()
        for header in headers {
            json.name(header.name)
            json.value(header.value)
        }
        json.endObject()
        json.name("payload")
        json.raw(payload)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        deviceID = try json.requiredString("deviceId")
        channel = try json.requiredString("channel")
        customer = json["customer"]?.string
        threadID = try json.requiredString("threadId")
        messageID = try json.requiredString("messageId")
        guard let members = json["headers"]?.members else { throw ModelError(member: "headers") }
        headers = []
        for member in members {
            guard let value = member.value.string else { throw ModelError(member: "headers") }
            headers.append(Header(name: member.name, value: value))
        }
        guard let body = json["payload"] else { throw ModelError(member: "payload") }
        var writer = JSONWriter()
        writer.copy(body)
        payload = writer.bytes
    }
}

/// Whether an agent is at the desk, and at which conversation, as the agent's page has said last.
public struct DeskPresence: CanonicalJSON, Hashable {
    public enum State: String, Sendable, CaseIterable {
        case online
        /// Nobody looks at the page, or the agent has said so.
        case away
        /// The page has said nothing for a while, or that it is left.
        case offline
    }

    /// What the agent does at the conversation.
    public enum Doing: String, Sendable, CaseIterable {
        case looking, writing
    }

    /// The conversation at which the agent is. Several customers may use one thread id.
    public struct Place: Sendable, Hashable {
        public var threadID: String
        public var channel: String
        public var customerID: String

        public init(threadID: String, channel: String, customerID: String) {
            self.threadID = threadID
            self.channel = channel
            self.customerID = customerID
        }
    }

    public var agent: Agent
    public var state: State
    public var place: Place?
    /// Nil without a place.
    public var doing: Doing?

    public init(agent: Agent, state: State, place: Place? = nil, doing: Doing? = nil) {
        self.agent = agent
        self.state = state
        self.place = place
        self.doing = place == nil ? nil : doing
    }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("agent", agent)
        json.member("state", state.rawValue)
        if let place {
            json.member("threadId", place.threadID)
            json.member("channel", place.channel)
            json.member("customerId", place.customerID)
        }
        json.member("doing", doing?.rawValue)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        agent = try Agent(json: json["agent"] ?? .null)
        guard let state = State(rawValue: try json.requiredString("state")) else { throw ModelError(member: "state") }
        self.state = state
        if let thread = json["threadId"]?.string {
            place = Place(
                threadID: thread, channel: try json.requiredString("channel"),
                customerID: try json.requiredString("customerId"))
        }
        doing = json["doing"]?.string.flatMap(Doing.init(rawValue:))
    }
}

/// An agent has come to the desk or to a conversation, or has left it. It is for the desk, and live only.
public struct PresenceUpdatedEvent: FeedEvent {
    public static let type = EventType.presenceUpdated

    public var presence: DeskPresence

    public init(_ presence: DeskPresence) { self.presence = presence }

    public func encode(to json: inout JSONWriter) { presence.encode(to: &json) }

    public init(json: JSONValue) throws(ModelError) { presence = try DeskPresence(json: json) }
}
