import ChatModel

/// A thread as its customer asks for it.
public struct ThreadDraft: Sendable, Hashable {
    /// The client's own id for the thread; with nil the gateway makes a UUID.
    public var id: String?
    public var name: String?
    /// The thread's fields, with the answers to the pre-chat survey among them.
    public var customFields: [String: String]

    /// The welcome message that the client has shown to the customer already. The thread begins with it instead of with
    /// the channel's (CXone `SendOutbound`).
    public var greeting: Greeting?

    /// The languages that the customer reads, the most wanted first. They choose the words of an automatic answer.
    public var languages: [String] = []
    /// How many threads its customer may have open, with this one; nil for any number.
    public var openLimit: Int?

    /// A welcome message that a client has shown.
    public struct Greeting: Sendable, Hashable {
        public var id: String
        public var text: String

        public init(id: String, text: String) {
            self.id = id
            self.text = text
        }
    }

    public init(
        id: String? = nil, name: String? = nil, customFields: [String: String] = [:], greeting: Greeting? = nil
    ) {
        self.id = id
        self.name = name
        self.customFields = customFields
        self.greeting = greeting
    }
}

/// A thread of several customers, as the desk asks for it.
public struct DeskThreadDraft: Sendable, Hashable {
    /// The client's own id for the thread; with nil the gateway makes a UUID.
    public var id: String?
    public var channel: String
    /// Its customers, at least one. The first owns the thread: with the thread's id, that customer names it at the
    /// desk.
    public var members: [MemberDraft]
    public var name: String?
    public var customType: String?
    public var customFields: [String: String]

    public init(
        id: String? = nil, channel: String, members: [MemberDraft], name: String? = nil, customType: String? = nil,
        customFields: [String: String] = [:]
    ) {
        self.id = id
        self.channel = channel
        self.members = members
        self.name = name
        self.customType = customType
        self.customFields = customFields
    }
}

/// A customer who is to become a member of a thread. A customer who is not known yet is made.
public struct MemberDraft: Sendable, Hashable {
    public var id: String
    /// The name to set; nil leaves the name as it is.
    public var firstName: String?
    public var lastName: String?
    public var state: MemberState

    public init(id: String, firstName: String? = nil, lastName: String? = nil, state: MemberState = .joined) {
        self.id = id
        self.firstName = firstName
        self.lastName = lastName
        self.state = state
    }
}

/// What the desk changes of a thread. Nil leaves a value as it is; the inner nil removes it.
public struct DeskThreadPatch: Sendable, Hashable {
    public var name: String??
    public var customType: String??

    public init(name: String?? = nil, customType: String?? = nil) {
        self.name = name
        self.customType = customType
    }
}
