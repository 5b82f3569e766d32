import ChatModel
import Formats

/// A conversation from another system, with its original times. The caller has checked the values.
public struct ImportedThread: Sendable {
    /// Names it within its customer's account: by this id the same conversation is known again.
    public var id: String
    /// A digest of what it was read from.
    public var digest: String
    /// The owner first.
    public var members: [Customer]
    public var name: String?
    public var customType: String?
    public var customFields: [String: String]
    public var createdAt: Timestamp
    public var isClosed: Bool
    public var agent: Agent?
    public var previousAgent: Agent?
    public var tags: [ImportedTag]
    /// Of the last contact, if that has ended.
    public var rating: Rating?
    /// In the order of time; only the last one may be open.
    public var contacts: [ImportedContact]
    /// In the order of time. A reply may stand before the message that it answers.
    public var messages: [Message]
    public var notes: [Note]
    /// Since when the customer waits; nil if nobody does.
    public var waitingSince: Timestamp?

    public init(id: String, digest: String, members: [Customer], createdAt: Timestamp, isClosed: Bool) {
        (self.id, self.digest, self.members, self.createdAt) = (id, digest, members, createdAt)
        self.isClosed = isClosed
        (customFields, tags, contacts, messages, notes) = ([:], [], [], [], [])
    }
}

/// A tag of an imported conversation. It is known by its id, then by its name; otherwise it is made. Without a name it is one
/// that was removed, of which only the id is left.
public struct ImportedTag: Sendable, Hashable {
    public var id: String?
    public var name: String?
    public var colour: DeskTag.Colour?

    public init(id: String?, name: String?, colour: DeskTag.Colour? = nil) {
        (self.id, self.name, self.colour) = (id, name, colour)
    }
}

/// A contact of an imported conversation. What is nil of its figures is counted from its messages.
public struct ImportedContact: Sendable, Hashable {
    public var openedAt: Timestamp
    public var closedAt: Timestamp?
    /// Who of the team has closed it, answered first and answered last, by their ids.
    public var closedBy: String?
    public var firstAnswerAt: Timestamp?
    public var firstAgent: String?
    public var lastAgent: String?
    public var messagesIn: Int64?
    public var messagesOut: Int64?
    public var isReopened: Bool
    public var score: Int?
    /// Nil for those of the conversation.
    public var tags: [ImportedTag]?
    /// In milliseconds of opening hours.
    public var firstAnswerOpen: Int64?
    public var resolutionOpen: Int64?
    /// How long the customer waited for each answer of a person, in milliseconds, once its messages are counted.
    private(set) var waits: [Int64] = []

    public init(openedAt: Timestamp, closedAt: Timestamp? = nil, isReopened: Bool = false) {
        (self.openedAt, self.closedAt, self.isReopened) = (openedAt, closedAt, isReopened)
    }

    /// Counts what was not said, as the desk would have counted it while the messages came.
    ///
    /// - Parameters:
    ///   - messages: of the whole conversation.
    ///   - end: when the next contact begins; nil for the last one.
    mutating func count(_ messages: some Sequence<Message>, before end: Timestamp?) {
        var (arrived, sent, first, last) = (Int64(0), Int64(0), Message?.none, String?.none)
        var waitingSince: Timestamp?
        for message in messages
        where message.isInConversation && message.createdAt >= openedAt && end.map({ message.createdAt < $0 }) ?? true {
            if message.direction == .toAgent {
                arrived += 1
                waitingSince = waitingSince ?? message.createdAt
            } else if message.author.kind != .system {
                sent += 1
                if message.author.kind == .agent {
                    (first, last) = (first ?? message, message.author.id)
                    if let since = waitingSince { waits.append(message.createdAt.milliseconds - since.milliseconds) }
                }
                waitingSince = nil
            }
        }
        messagesIn = messagesIn ?? arrived
        messagesOut = messagesOut ?? sent
        if firstAnswerAt == nil, firstAgent == nil, let first {
            (firstAnswerAt, firstAgent) = (first.createdAt, first.author.id)
        }
        lastAgent = lastAgent ?? last
    }
}

/// What an import came to.
public enum ImportResult: Sendable, Equatable {
    /// - Parameter tags: those that were made for it.
    case imported(tags: [DeskTag])
    /// The same conversation was imported before. Nothing has changed.
    case unchanged
}
