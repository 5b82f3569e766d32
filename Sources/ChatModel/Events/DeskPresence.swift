import Formats

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
