import ChatModel

/// What the desk says of a new thread of several customers.
public struct DeskThreadDraft: Sendable, Hashable {
    /// Made by the client; a new UUID if absent.
    public var id: String?
    public var channel: String
    /// The first one owns the thread: the desk names it by that customer.
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

/// A customer who becomes a member of a thread.
public struct MemberDraft: Sendable, Hashable {
    public var id: String
    /// Names, if they are to be set.
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

/// What the desk changes of a thread; an inner nil takes the value away.
public struct DeskThreadPatch: Sendable, Hashable {
    public var name: String??
    public var customType: String??

    public init(name: String?? = nil, customType: String?? = nil) {
        self.name = name
        self.customType = customType
    }
}
