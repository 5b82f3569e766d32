import ChatModel
import ChatStore

/// The agent's side of a service that has one.
///
/// Reading is bounded, and there twice, as that of ``ChatClient``; acting answers after the commit.
public protocol DeskService: DeskReading {
    func threads(_ filter: ThreadFilter, channel: String?, page: PageRequest) async throws(ChatError) -> PageBytes
    func thread(_ thread: DeskThread) async throws(ChatError) -> Versioned
    func messages(of thread: DeskThread, replies: ReplyFilter, page: PageRequest) async throws(ChatError) -> PageBytes
    func replies(to message: String, in thread: DeskThread, _ request: ReplyRequest) async throws(ChatError) -> PageBytes
    func message(_ message: String, in thread: DeskThread) async throws(ChatError) -> Versioned
    /// Messages of the threads that the desk knows, or of one, whose text has all the words; newest first.
    func search(for text: String, in thread: DeskThread?, page: PageRequest) async throws(ChatError) -> SearchPage

    func send(_ draft: MessageDraft, as agent: Agent, to thread: DeskThread, receipt: Receipt?) async throws(ChatError) -> Outcome
    func edit(_ message: String, in thread: DeskThread, text: String, ifMatch version: Int64?) async throws(ChatError) -> Outcome
    func remove(_ message: String, in thread: DeskThread, ifMatch version: Int64?) async throws(ChatError)
    func reportTyping(_ isTyping: Bool, as agent: Agent, in thread: DeskThread) async throws(ChatError)
    /// Marks everything up to now as read by the desk: a watermark.
    func markRead(_ thread: DeskThread, receipt: Receipt?) async throws(ChatError) -> Outcome
    /// Makes a thread of several customers of a channel; each of them is told once.
    func createThread(_ draft: DeskThreadDraft, receipt: Receipt?) async throws(ChatError) -> Outcome
    func update(_ thread: DeskThread, _ patch: DeskThreadPatch, ifMatch version: Int64?) async throws(ChatError) -> Outcome
    /// Adds customers; one who was invited joins when added as joined.
    func add(_ members: [MemberDraft], to thread: DeskThread, receipt: Receipt?) async throws(ChatError) -> Outcome
    func remove(member customer: String, from thread: DeskThread) async throws(ChatError)
    /// Removes what was said up to now, for all.
    func resetHistory(_ thread: DeskThread, receipt: Receipt?) async throws(ChatError) -> Outcome
    /// Gives the thread to an agent: one that waits leaves its queue, one that has another agent is transferred.
    func assign(_ agent: Agent, to thread: DeskThread, receipt: Receipt?) async throws(ChatError) -> Outcome
    /// Takes the agent away; a live chat waits again, where it stood.
    func release(_ thread: DeskThread, receipt: Receipt?) async throws(ChatError) -> Outcome
    func close(_ thread: DeskThread, receipt: Receipt?) async throws(ChatError) -> Outcome
    /// Ends the thread's contact: a live chat is closed with it, any other thread opens a new contact with its next message.
    func endContact(_ thread: DeskThread, receipt: Receipt?) async throws(ChatError) -> Outcome

    /// Which files the desk may upload: what any channel takes. The thread's own channel decides when a message carries one.
    func fileRestrictions() async throws(ChatError) -> FileRestrictions
    func attach(_ upload: FileUpload, receipt: Receipt?) async throws(ChatError) -> Outcome
    /// Throws `unknownAttachment`.
    func attachment(_ id: String) async throws(ChatError) -> OpenAttachment

    func channels() async throws(ChatError) -> [Channel]
    func createChannel(_ draft: ChannelDraft, receipt: Receipt?) async throws(ChatError) -> Outcome
    /// Changes what is said, and leaves the rest. Throws `unknownChannel`, `unsupportedChannelConfig`.
    func update(channel: String, _ settings: ChannelSettings) async throws(ChatError) -> Channel
    /// Throws `unknownChannel`.
    func channel(_ id: String) async throws(ChatError) -> Channel
    /// Opens a live chat to new conversations, or closes it to them; those that are open go on.
    ///
    /// Throws `unsupportedChannelConfig` for a channel that is no live chat.
    func setOnline(_ isOnline: Bool, channel: String) async throws(ChatError) -> Channel
}

/// The desk's hot reads: on the calling thread, for the server's loop alone.
public protocol DeskReading: Sendable {
    @available(*, noasync) func threads(_ filter: ThreadFilter, channel: String?, page: PageRequest) throws(ChatError) -> PageBytes
    @available(*, noasync) func thread(_ thread: DeskThread) throws(ChatError) -> Versioned
    @available(*, noasync) func messages(of thread: DeskThread, replies: ReplyFilter, page: PageRequest) throws(ChatError) -> PageBytes
    @available(*, noasync) func message(_ message: String, in thread: DeskThread) throws(ChatError) -> Versioned
    @available(*, noasync) func fileRestrictions() throws(ChatError) -> FileRestrictions
    @available(*, noasync) func channels() throws(ChatError) -> [Channel]
    @available(*, noasync) func channel(_ id: String) throws(ChatError) -> Channel
}

/// A resource's JSON with its version, and the position in the log from which to follow it.
public struct Versioned: Sendable {
    public var body: [UInt8]
    public var version: Int64
    public var offset: Int64

    public init(body: [UInt8], version: Int64, offset: Int64) {
        self.body = body
        self.version = version
        self.offset = offset
    }
}
