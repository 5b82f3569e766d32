import ChatModel
import ChatStore
import Formats

/// The agents' side of a service that has one.
///
/// Reads are bounded. A call that changes something answers after the commit. Operations on a thread throw
/// `unknownThread`, `ambiguousThread`.
///
/// Events name the agent who acts. Nil is an agent who is not named; one without a name has the name that the desk knows.
public protocol DeskService: DeskTeamService, DeskCustomers, DeskArchive {
    func threads(_ query: ThreadQuery, page: PageRequest) async throws(ChatError) -> PageBytes
    func thread(_ thread: DeskThread) async throws(ChatError) -> Versioned
    func messages(of thread: DeskThread, replies: ReplyFilter, page: PageRequest) async throws(ChatError) -> PageBytes
    /// How many of its messages were removed.
    func removedMessages(of thread: DeskThread) async throws(ChatError) -> Int
    func replies(
        to message: String, in thread: DeskThread, _ request: ReplyRequest
    ) async throws(ChatError) -> PageBytes
    func message(_ message: String, in thread: DeskThread) async throws(ChatError) -> Versioned
    /// Messages whose text has all the words, newest first: of all threads that the desk knows, or of one.
    ///
    /// - Parameter channels: only of these channels; nil for all.
    func search(
        for text: String, where filter: SearchFilter, in thread: DeskThread?, within channels: Set<String>?,
        page: PageRequest
    ) async throws(ChatError) -> SearchPage

    /// Sends a message of an agent. Throws what ``AnswerTerms`` say.
    func send(
        _ draft: MessageDraft, as agent: Agent, to thread: DeskThread, under terms: AnswerTerms, receipt: Receipt?
    ) async throws(ChatError) -> Outcome
    func edit(
        _ message: String, in thread: DeskThread, text: String, ifMatch version: Int64?, as agent: Agent?
    ) async throws(ChatError) -> Outcome
    func remove(
        _ message: String, in thread: DeskThread, ifMatch version: Int64?, as agent: Agent?
    ) async throws(ChatError)
    func reportTyping(_ isTyping: Bool, as agent: Agent, in thread: DeskThread) async throws(ChatError)
    /// Marks everything up to now as read by the desk: a watermark.
    func markRead(_ thread: DeskThread, as agent: Agent?, receipt: Receipt?) async throws(ChatError) -> Outcome
    /// Makes a thread of several customers of one channel. Each of them gets one event that tells of it.
    func createThread(
        _ draft: DeskThreadDraft, as agent: Agent?, receipt: Receipt?
    ) async throws(ChatError) -> Outcome
    /// Changes the thread's name and type. Throws `preconditionFailed` when the thread has another version.
    func update(
        _ thread: DeskThread, _ patch: DeskThreadPatch, ifMatch version: Int64?, as agent: Agent?
    ) async throws(ChatError) -> Outcome
    /// Adds customers. One who was invited before joins when added as joined.
    func add(
        _ members: [MemberDraft], to thread: DeskThread, as agent: Agent?, receipt: Receipt?
    ) async throws(ChatError) -> Outcome
    func remove(member customer: String, from thread: DeskThread, as agent: Agent?) async throws(ChatError)
    /// Removes all messages up to now, for everybody.
    func resetHistory(_ thread: DeskThread, as agent: Agent?, receipt: Receipt?) async throws(ChatError) -> Outcome
    /// Gives the thread to an agent. A thread that waits leaves its queue; one that has another agent is transferred.
    ///
    /// Throws `assignedToAnother` when the condition is not fulfilled, which is asked in the same transaction.
    ///
    /// - Parameter actor: who does it, if that is somebody else than the agent.
    func assign(
        _ agent: Agent, to thread: DeskThread, as actor: Agent?, if condition: AgentCondition?, ifMatch version: Int64?,
        receipt: Receipt?
    ) async throws(ChatError) -> Outcome
    /// Takes the thread from its agent. A live chat returns to its queue, at its old place.
    ///
    /// - Parameter condition: whose the thread must be, seen from the agent; see
    ///   ``assign(_:to:as:if:ifMatch:receipt:)``.
    func release(
        _ thread: DeskThread, as agent: Agent?, if condition: AgentCondition?, ifMatch version: Int64?,
        receipt: Receipt?
    ) async throws(ChatError) -> Outcome
    /// Removes the thread for good, with messages, files, notes and contacts; members and desk get `thread.removed`.
    /// Throws `preconditionFailed`.
    func remove(_ thread: DeskThread, ifMatch version: Int64?, as agent: Agent?) async throws(ChatError)
    /// Closes the thread for good, under the same condition.
    func close(
        _ thread: DeskThread, as agent: Agent?, if condition: AgentCondition?, ifMatch version: Int64?,
        receipt: Receipt?
    ) async throws(ChatError) -> Outcome
    /// Ends the thread's contact. A live chat is closed by it. Any other thread begins a new contact with its next
    /// message.
    func endContact(
        _ thread: DeskThread, as agent: Agent?, ifMatch version: Int64?, receipt: Receipt?
    ) async throws(ChatError) -> Outcome

    /// Notes among agents, newest first. They are no messages, and no customer's operation shows one.
    func notes(of thread: DeskThread, page: PageRequest) async throws(ChatError) -> PageBytes
    /// Throws `unknownNote`.
    func note(_ note: String, of thread: DeskThread) async throws(ChatError) -> Versioned
    /// Adds a note, also to a closed thread.
    func addNote(
        _ text: String, by agent: Agent, to thread: DeskThread, receipt: Receipt?
    ) async throws(ChatError) -> Outcome
    /// Removes a note with its text. Throws `unknownNote`.
    func removeNote(_ note: String, of thread: DeskThread, as agent: Agent?) async throws(ChatError)

    /// What the desk may upload: everything that any channel takes. The thread's own channel is asked when a message
    /// carries the file.
    func fileRestrictions() async throws(ChatError) -> FileRestrictions
    func attach(_ upload: FileUpload, receipt: Receipt?) async throws(ChatError) -> Outcome
    /// Throws `unknownAttachment`.
    ///
    /// - Parameter channels: only files of conversations of these channels, and those that are not sent yet; nil for all.
    func attachment(_ id: String, within channels: Set<String>?) async throws(ChatError) -> OpenAttachment

    /// The agents who have taken, answered or noted something, the one who did so last first; at most 200.
    func agents() async throws(ChatError) -> [Agent]

    func channels() async throws(ChatError) -> [Channel]
    func createChannel(_ draft: ChannelDraft, receipt: Receipt?) async throws(ChatError) -> Outcome
    /// Changes the settings that are given. Throws `unknownChannel`, `unsupportedChannelConfig`, `invalidParameter`
    /// when the channel would be too large.
    func update(channel: String, _ settings: ChannelSettings) async throws(ChatError) -> Channel
    /// Throws `unknownChannel`.
    func channel(_ id: String) async throws(ChatError) -> Channel
    /// Opens a live chat for new conversations, or closes it to them. Conversations that are open go on.
    ///
    /// Throws `unknownChannel`, `unsupportedChannelConfig` for a channel that is no live chat.
    func setOnline(_ isOnline: Bool, channel: String) async throws(ChatError) -> Channel
    /// Takes note that agents have come or gone: channels may open or close by it.
    ///
    /// - Parameter hasStaff: whether an agent is there now for a channel. It may be asked at any time, on any thread.
    func staffChanged(_ hasStaff: @escaping @Sendable (_ channel: String) -> Bool)
    /// Whether the channel is open now.
    func opening(of channel: Channel) -> Opening?
}

/// A resource's JSON as it was at one moment.
public struct Versioned: Sendable {
    public var body: [UInt8]
    public var version: Int64
    /// The log's position at that moment: where to follow changes from.
    public var offset: Int64

    public init(body: [UInt8], version: Int64, offset: Int64) {
        self.body = body
        self.version = version
        self.offset = offset
    }
}

extension ChatError {
    /// For a channel that the embedded service does not have, or not for whoever asks.
    public static func unknownChannel(_ id: String) -> ChatError {
        ChatError(.unknownChannel, "The service local has no channel \(id).")
    }
}

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

/// How the desk names a thread: by its id, and by channel and customer where two customers chose the same id.
public struct DeskThread: Sendable, Hashable {
    public var id: String
    public var channel: String?
    public var customer: String?
    /// Only threads of these channels are there; nil for all.
    public var channels: Set<String>?

    public init(id: String, channel: String? = nil, customer: String? = nil, within channels: Set<String>? = nil) {
        self.id = id
        self.channel = channel
        self.customer = customer
        self.channels = channels
    }
}

extension ReadTransaction {
    /// The thread that the desk means.
    ///
    /// Throws `unknownThread`, also for a thread that is still pending, because the desk does not see it before its
    /// first message. Throws `ambiguousThread` when several threads match.
    ///
    /// - Parameter service: only this service's threads; nil searches all.
    public func find(_ thread: DeskThread, onService service: String? = nil) throws -> ThreadRecord {
        let found = try deskThreads(
            thread.id, onService: service, channel: thread.channel, customer: thread.customer, within: thread.channels)
        guard let first = found.first else {
            throw ChatError(.unknownThread, "The desk has no thread \(thread.id).")
        }
        guard found.count == 1 else {
            throw ChatError(
                .ambiguousThread,
                "Several customers have a thread \(thread.id): add the parameters channel and customer.")
        }
        return first
    }
}

/// Whose a thread must be, so that what an agent asks for is done: several agents and programs may work at one desk.
public enum AgentCondition: String, Sendable, CaseIterable {
    /// A claim that only the first one wins.
    case nobodys = "none"
    /// That of the agent who acts.
    case mine = "me"
    case mineOrNobodys = "meOrNone"
}
