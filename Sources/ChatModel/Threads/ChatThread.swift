import Formats

/// One conversation (the SDK's `ChatThread`).
///
/// What differs from reader to reader (unread count, member state, ...) is no part of
/// the canonical JSON: ``Membership`` splices it in.
///
/// ```swift
/// let now = Timestamp(milliseconds: 1_764_000_000_000)
/// var thread = ChatThread(id: "t-1", createdAt: now, members: [])
/// thread.name = "Order 17"
/// let same = try ChatThread(canonicalJSON: thread.canonicalJSON)
/// print(same == thread, thread.lastActivityAt == now)  // true true
/// ```
public struct ChatThread: CanonicalJSON, Hashable {
    public var id: String
    public var name: String?
    public var state: ThreadState
    public var createdAt: Timestamp
    public var updatedAt: Timestamp
    /// Messages to the agent that the desk has not read.
    public var deskUnreadCount: Int
    public var lastMessage: MessagePreview?
    public var agent: Agent?
    /// Who handled it before, if that was somebody else (the SDK's `lastAssignedAgent`).
    public var previousAgent: Agent?
    public var members: [Customer]
    public var customType: String?
    public var customFields: [String: String]
    /// The routed work item inside the thread (CXone's contact, case): decimal text.
    public var contactID: String?
    /// When that contact ended; nil while it is open.
    public var contactClosedAt: Timestamp?
    /// The place in a live chat's queue, from 1; nil once an agent has taken it.
    public var queuePosition: Int?
    /// What a live chat's silent customer is asked now.
    public var inactivityPopup: InactivityPopup?
    /// Messages that were created then or before are gone for all.
    public var historyResetAt: Timestamp?
    /// Since when the customer waits for an answer: the first message of the conversation that no agent has answered,
    /// or without one the beginning of a live chat. Nil on a remote service.
    public var waitingSince: Timestamp?
    /// How the customer was served, by the customer; of the contact that has ended.
    public var rating: Rating?

    public init(id: String, createdAt: Timestamp, members: [Customer]) {
        self.id = id
        self.state = .pending
        self.createdAt = createdAt
        self.updatedAt = createdAt
        self.deskUnreadCount = 0
        self.members = members
        self.customFields = [:]
    }

    /// The SDK's older name for `state != .closed`.
    public var canAddMoreMessages: Bool { state != .closed }

    /// What thread lists are ordered by: the newest message's time, or the thread's own.
    public var lastActivityAt: Timestamp { lastMessage?.createdAt ?? createdAt }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("id", id)
        json.member("name", name)
        json.member("state", state.rawValue)
        json.member("createdAt", createdAt)
        json.member("updatedAt", updatedAt)
        json.member("canAddMoreMessages", canAddMoreMessages)
        json.member("deskUnreadCount", deskUnreadCount)
        if let lastMessage { json.member("lastMessage", lastMessage) }
        if let agent { json.member("agent", agent) }
        if let previousAgent { json.member("previousAgent", previousAgent) }
        json.member("members", members)
        json.member("customType", customType)
        json.member("customFields", customFields)
        json.member("contactId", contactID)
        if let contactClosedAt { json.member("contactClosedAt", contactClosedAt) }
        if let queuePosition { json.member("queuePosition", queuePosition) }
        if let inactivityPopup { json.member("inactivityPopup", inactivityPopup) }
        if let historyResetAt { json.member("historyResetAt", historyResetAt) }
        if let waitingSince { json.member("waitingSince", waitingSince) }
        if let rating { json.member("rating", rating) }
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        id = try json.requiredString("id")
        name = json["name"]?.string
        state = try json.requiredCase("state")
        createdAt = try json.requiredTimestamp("createdAt")
        updatedAt = try json.requiredTimestamp("updatedAt")
        deskUnreadCount = Int(try json.requiredInteger("deskUnreadCount"))
        lastMessage = try json.optional("lastMessage")
        agent = try json.optional("agent")
        previousAgent = try json.optional("previousAgent")
        members = try json.requiredArray("members")
        customType = json["customType"]?.string
        customFields = try json.requiredStrings("customFields")
        contactID = json["contactId"]?.string
        contactClosedAt = json["contactClosedAt"] == nil ? nil : try json.requiredTimestamp("contactClosedAt")
        queuePosition = json["queuePosition"]?.integer.map(Int.init)
        inactivityPopup = try json.optional("inactivityPopup")
        historyResetAt = json["historyResetAt"] == nil ? nil : try json.requiredTimestamp("historyResetAt")
        waitingSince = json["waitingSince"] == nil ? nil : try json.requiredTimestamp("waitingSince")
        rating = try json.optional("rating")
    }
}

/// What a thread can take part in, in the order of the SDK's `ChatThreadState`.
public enum ThreadState: String, Sendable, CaseIterable {
    /// Made by the customer; the desk does not know it before its first message.
    case pending
    /// Listed by a remote service, without details.
    case received
    /// Listed, with its metadata.
    case loaded
    /// Usable.
    case ready
    /// Archived, or its contact has ended.
    case closed
}

extension ChatThread {
    /// The names of the members of the JSON that differ from an earlier copy, in the order of the JSON.
    ///
    /// `updatedAt` and `canAddMoreMessages` are left out: the one changes with everything, the other with `state`.
    public func changes(since before: ChatThread) -> [String] {
        var names: [String] = []
        // What a message changes.
        names.reserveCapacity(4)
        func add(_ name: String, if differs: Bool) { if differs { names.append(name) } }
        add("name", if: !name.hasSameBytes(as: before.name))
        add("state", if: state != before.state)
        add("deskUnreadCount", if: deskUnreadCount != before.deskUnreadCount)
        add("lastMessage", if: lastMessage != before.lastMessage)
        add("agent", if: agent != before.agent)
        add("previousAgent", if: previousAgent != before.previousAgent)
        add("members", if: members != before.members)
        add("customType", if: customType != before.customType)
        add("customFields", if: customFields != before.customFields)
        add("contactId", if: contactID != before.contactID)
        add("contactClosedAt", if: contactClosedAt != before.contactClosedAt)
        add("queuePosition", if: queuePosition != before.queuePosition)
        add("inactivityPopup", if: inactivityPopup != before.inactivityPopup)
        add("historyResetAt", if: historyResetAt != before.historyResetAt)
        add("waitingSince", if: waitingSince != before.waitingSince)
        return names
    }
}

extension Membership {
    /// The names of the members that ``splice(into:)`` writes, in their order.
    public static let names = ["unreadCount", "lastReadAt", "memberState", "hidden", "historyResetAt"]

    /// Those of ``names`` whose values differ from an earlier copy.
    public func changes(since before: Membership) -> [String] {
        var names: [String] = []
        func add(_ name: String, if differs: Bool) { if differs { names.append(name) } }
        add("unreadCount", if: unreadCount != before.unreadCount)
        add("lastReadAt", if: lastReadAt != before.lastReadAt)
        add("memberState", if: state != before.state)
        add("hidden", if: isHidden != before.isHidden)
        add("historyResetAt", if: historyResetAt != before.historyResetAt)
        return names
    }
}

/// How a customer was served, in their own words: about a conversation that has ended.
public struct Rating: CanonicalJSON, Hashable {
    public static let scores = 1...5
    /// Characters of a comment.
    public static let maximumComment = 2000

    /// From 1, bad, to 5, very good.
    public var score: Int
    public var comment: String?
    /// When the customer first said it.
    public var at: Timestamp

    public init(score: Int, comment: String? = nil, at: Timestamp) {
        self.score = score
        self.comment = comment
        self.at = at
    }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("score", score)
        json.member("comment", comment)
        json.member("at", at)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        score = Int(try json.requiredInteger("score"))
        comment = json["comment"]?.string
        at = try json.requiredTimestamp("at")
    }
}

/// Whether and how a channel asks customers for a rating.
public enum RatingForm: String, Sendable, CaseIterable {
    case numbers, stars
    /// Only the scores 1 and 5.
    case thumbs

    public func takes(_ score: Int) -> Bool {
        self == .thumbs ? score == 1 || score == 5 : Rating.scores.contains(score)
    }
}
