import ChatModel
import ChatStore
import Formats

/// What a team does with the desk's threads so that nobody is forgotten and nobody is answered twice. Customers see nothing
/// of it but that a thread is open again.
///
/// Operations on a thread throw `unknownThread`, `ambiguousThread`, and answer with the thread as the desk reads it.
public protocol DeskTeamService: Sendable {
    /// Counts the open threads by where they are. See ``ReadTransaction/deskCounts(of:within:)``.
    func counts(of agent: String?, within channels: Set<String>?) async throws(ChatError) -> DeskCounts

    /// Opens a closed thread again, and a contact that goes on with its last one. Throws `illegalThreadState` for an open one
    /// and for a live chat.
    func reopen(
        _ thread: DeskThread, as agent: Agent?, ifMatch version: Int64?, receipt: Receipt?
    ) async throws(ChatError) -> Outcome
    /// Lays the thread aside until a time. Throws `illegalThreadState` for a closed thread, `invalidParameter` for a time
    /// outside ``Snooze/lengths``.
    func snooze(
        _ thread: DeskThread, _ draft: SnoozeDraft, as agent: Agent?, ifMatch version: Int64?
    ) async throws(ChatError) -> Outcome
    /// Ends a snooze. A thread that is not snoozed stays as it is.
    func wake(_ thread: DeskThread, as agent: Agent?, ifMatch version: Int64?) async throws(ChatError) -> Outcome
    /// Gives the thread these tags, in place of those that it has. Throws `unknownTag`.
    func setTags(
        _ tags: [String], of thread: DeskThread, as agent: Agent?, ifMatch version: Int64?
    ) async throws(ChatError) -> Outcome

    /// Counts the desk's work. Throws `invalidParameter` for an unknown time zone, for more time than
    /// ``ReportQuery/longest`` and for more contacts than ``ReportQuery/mostContacts``.
    func report(_ query: ReportQuery) async throws(ChatError) -> DeskReport

    /// All tags in their order.
    func tags() async throws(ChatError) -> [DeskTag]
    /// Throws `unknownTag`.
    func tag(_ id: String) async throws(ChatError) -> DeskTag
    /// Throws `tooManyTags`, `tagExists`.
    func addTag(_ name: String, _ colour: DeskTag.Colour, receipt: Receipt?) async throws(ChatError) -> Outcome
    /// Changes what is given. Throws `unknownTag`, `tagExists`.
    func updateTag(
        _ id: String, name: String?, colour: DeskTag.Colour?, position: Int?
    ) async throws(ChatError) -> DeskTag
    /// Removes the tag, and takes it off all threads in the background. Throws `unknownTag`.
    func removeTag(_ id: String) async throws(ChatError)
}

/// How long a thread is laid aside.
public struct SnoozeDraft: Sendable, Hashable {
    public var until: Timestamp
    public var wakesOnReply: Bool

    public init(until: Timestamp, wakesOnReply: Bool) {
        self.until = until
        self.wakesOnReply = wakesOnReply
    }
}

/// Under which conditions an agent's message is sent. They are looked at in the unit that sends it.
public struct AnswerTerms: Sendable, Hashable {
    /// Whose the thread must be; otherwise `assignedToAnother`.
    public var condition: AgentCondition?
    /// The newest message or note that the agent has seen. When another agent has said something since,
    /// `answeredMeanwhile`; when the thread has no such message or note, `unknownMessage`.
    public var latest: String?
    /// Whether a thread without an agent becomes the sender's, where its channel wants that.
    public var assigns: Bool

    public init(condition: AgentCondition? = nil, latest: String? = nil, assigns: Bool = false) {
        self.condition = condition
        self.latest = latest
        self.assigns = assigns
    }
}
