import Chat
import ChatModel
import ChatStore
import Formats

/// The agents' side of the embedded service. It sees the threads of all customers, except those that are still
/// pending.
///
/// A value without state of its own: any task may use any copy.
public struct LocalDesk: DeskService {
    let live: LiveStore
    var store: ChatStore { live.store }

    // MARK: Searching

    /// Searches in one thread, or in all threads that the desk knows.
    public func search(
        for text: String, where filter: SearchFilter, in thread: DeskThread?, within channels: Set<String>? = nil,
        page: PageRequest
    ) async throws(ChatError) -> SearchPage {
        var scope = SearchScope.desk(service: LocalService.serviceID, within: channels)
        if let thread { scope = .deskThread(number: try await number(of: thread)) }
        return try await store.search(scope, for: text, where: filter, page: page)
    }

    // MARK: Messages

    /// Sends a message of an agent; it answers no queue. See ``MessageWork/send(_:to:live:receipt:)``.
    public func send(
        _ draft: MessageDraft, as agent: Agent, to thread: DeskThread, under terms: AnswerTerms = AnswerTerms(),
        receipt: Receipt?
    ) async throws(ChatError) -> Outcome {
        try draft.check()
        return try await live.write { transaction, live in
            var record = try transaction.find(thread)
            let agent = try transaction.named(agent)
            transaction.actor = draft.isAdmin ? .system : Author(agent)
            let work = MessageWork(transaction: transaction, party: .agent(agent))
            // What was sent before is not sent again, so nobody's thread is disturbed.
            if terms.condition != nil || terms.latest != nil,
                let known = try work.repeated(draft, in: record, receipt)
            {
                return known
            }
            try ThreadRules.check(terms.condition, of: agent, on: record.thread)
            if let latest = terms.latest { try transaction.checkLatest(latest, of: agent, in: record) }
            if terms.assigns, !draft.isAdmin { try transaction.assign(&record, onAnswerOf: agent) }
            return try work.send(draft, to: &record, live: &live, receipt: receipt)
        }
    }

    /// Changes the text of a message of the desk, whichever agent wrote it. Throws `notAuthor` for a customer's
    /// message.
    public func edit(
        _ message: String, in thread: DeskThread, text: String, ifMatch version: Int64?, as agent: Agent? = nil
    ) async throws(ChatError) -> Outcome {
        try MessageDraft(text: text).check()
        return try await unit(thread, as: agent) { transaction, record in
            try MessageWork(transaction: transaction, party: .agent(Self.anyone))
                .edit(message, text: text, ifMatch: version, in: &record)
        }
    }

    /// Removes any message of the thread, with its attachments. Throws `parentHasReplies`.
    public func remove(
        _ message: String, in thread: DeskThread, ifMatch version: Int64?, as agent: Agent? = nil
    ) async throws(ChatError) {
        try await unit(thread, as: agent) { transaction, record in
            try MessageWork(transaction: transaction, party: .agent(Self.anyone)).remove(
                message, ifMatch: version, in: &record)
        }
    }

    /// Stands for the desk where an action has no agent: agents may edit and remove the messages of one another.
    static let anyone = Agent(id: "agent")

    // MARK: Threads

    /// Sends an ephemeral typing event to all members. Nothing is stored. Throws `illegalThreadState` for the beginning in a
    /// closed thread.
    public func reportTyping(_ isTyping: Bool, as agent: Agent, in thread: DeskThread) async throws(ChatError) {
        let (record, agent) = try await store.read { (try $0.find(thread), try $0.named(agent)) }
        guard try ThreadRules.takesTyping(isTyping, record.thread) else { return }
        let event = TypingEvent(threadID: thread.id, isTyping: isTyping, author: Author(agent))
        live.typing.report(
            TypingReports.Report(event: event, accounts: record.members.map(\.account)), by: .agent(agent.id),
            in: record.number, of: TypingReports.desk)
    }

    /// Marks the customers' messages as seen, for all agents at once. Logs nothing when there is nothing new.
    public func markRead(
        _ thread: DeskThread, as agent: Agent? = nil, receipt: Receipt?
    ) async throws(ChatError) -> Outcome {
        try await unit(thread, as: agent) { transaction, record in
            let outcome = Outcome(.none)
            try transaction.record(receipt, outcome)
            try transaction.markReadByDesk(&record)
            return outcome
        }
    }

    /// Runs a unit of an agent on a thread that the desk names; nil for an agent who is not named. Throws
    /// `unknownThread`, `ambiguousThread`.
    func unit<T: Sendable>(
        _ thread: DeskThread, as agent: Agent?,
        _ work: @escaping @Sendable (WriteTransaction, inout ThreadRecord) throws -> T
    ) async throws(ChatError) -> T {
        try await store.write { transaction in
            var record = try transaction.find(thread)
            try transaction.act(as: agent)
            return try work(transaction, &record)
        }
    }
}

extension ReadTransaction {
    /// The thread that the desk names, by id, and by channel and customer where these are given. Throws
    /// `unknownThread`, and `ambiguousThread` when several customers have a thread of this id.
    func find(_ thread: DeskThread) throws -> ThreadRecord { try find(thread, onService: LocalService.serviceID) }

    /// The agent, under the name that the desk knows if they come without one.
    func named(_ agent: Agent) throws -> Agent { try agent.name == nil ? self.agent(agent.id) ?? agent : agent }
}

extension WriteTransaction {
    /// The unit's changes are those of this agent; nil for an agent who is not named.
    func act(as agent: Agent?) throws {
        actor = Author(try named(agent ?? LocalDesk.anyone))
    }

    /// Makes a thread that nobody has the agent's, where its channel wants that; the caller saves it. A live chat is assigned
    /// before it is answered.
    func assign(_ record: inout ThreadRecord, onAnswerOf agent: Agent) throws {
        guard record.thread.agent == nil, record.thread.canAddMoreMessages,
            let channel = try channel(record.owner.key.channel, of: LocalService.serviceID),
            channel.mode != .liveChat, channel.assignsOnAnswer
        else { return }
        record.thread.agent = agent
    }

    /// Marks the customers' messages as seen by the desk; see ``LocalDesk/markRead(_:as:receipt:)``.
    func markReadByDesk(_ record: inout ThreadRecord) throws {
        guard
            try record.thread.deskUnreadCount > 0 || hasUnseenAside(.toAgent, in: record, after: record.deskRead)
        else { return }
        var read = record.deskRead
        _ = try markSeen(.toAgent, in: &record, read: &read, withDesk: true)
        record.readByDesk(through: read)
        try save(&record, logging: .threadUpdated, withDesk: true)
    }
}

/// Notes among agents. No customer's operation leads here.
extension LocalDesk {
    public func notes(of thread: DeskThread, page: PageRequest) async throws(ChatError) -> PageBytes {
        try await store.read { try $0.notePage(of: $0.find(thread), page) }
    }

    public func note(_ note: String, of thread: DeskThread) async throws(ChatError) -> Versioned {
        try await store.read { transaction in
            let json = try transaction.note(note, of: transaction.find(thread))
            return Versioned(body: json, version: 1, offset: try transaction.headOffset())
        }
    }

    public func addNote(
        _ text: String, by agent: Agent, to thread: DeskThread, receipt: Receipt?
    ) async throws(ChatError) -> Outcome {
        try await unit(thread, as: agent) { transaction, record in
            let agent = try transaction.named(agent)
            try transaction.noteAgent(agent)
            return try transaction.addNote(text, by: Author(agent), to: record, receipt: receipt)
        }
    }

    public func removeNote(_ note: String, of thread: DeskThread, as agent: Agent? = nil) async throws(ChatError) {
        try await unit(thread, as: agent) { transaction, record in try transaction.removeNote(note, of: record) }
    }
}

/// What the desk reads.
extension LocalDesk {
    public func threads(_ query: ThreadQuery, page: PageRequest) async throws(ChatError) -> PageBytes {
        let body = { @Sendable (transaction: ReadTransaction) throws in try transaction.deskThreadPage(query, page) }
        return query.passesOver ? try await store.read(body) : try await store.readNow(body)
    }

    public func thread(_ thread: DeskThread) async throws(ChatError) -> Versioned {
        try await store.readNow { try $0.versioned(thread) }
    }

    public func messages(
        of thread: DeskThread, replies: ReplyFilter, page: PageRequest
    ) async throws(ChatError) -> PageBytes {
        try await store.deskMessagePage(of: number(of: thread), replies: replies, page)
    }

    public func removedMessages(of thread: DeskThread) async throws(ChatError) -> Int {
        try await store.read { try $0.removedMessages(of: $0.find(thread)) }
    }

    public func replies(
        to message: String, in thread: DeskThread, _ request: ReplyRequest
    ) async throws(ChatError) -> PageBytes {
        try await store.read { try $0.replyPage(of: message, in: $0.find(thread), request) }
    }

    public func message(_ message: String, in thread: DeskThread) async throws(ChatError) -> Versioned {
        try await store.readNow { try $0.versioned(message, in: thread) }
    }

    /// The store's number of a thread that the desk names. Throws `unknownThread`, `ambiguousThread`.
    func number(of thread: DeskThread) async throws(ChatError) -> Int64 {
        try await store.readNow { try $0.find(thread).number }
    }

    public func agents() async throws(ChatError) -> [Agent] { try await store.read { try $0.agents() } }

    // MARK: Channels

    public func channels() async throws(ChatError) -> [Channel] {
        try await store.readNow { try $0.channels(of: LocalService.serviceID) }
    }

    public func channel(_ id: String) async throws(ChatError) -> Channel {
        try await store.readNow { try $0.localChannel(id) }
    }

    public func fileRestrictions() async throws(ChatError) -> FileRestrictions {
        FileRestrictions(ofAny: try await channels())
    }
}

extension FileRestrictions {
    /// The widest restrictions: a file passes if any channel that takes attachments may take it. The exact check
    /// follows when the file is sent to a thread.
    fileprivate init(ofAny channels: [Channel]) {
        let all = channels.map(\.fileRestrictions).filter(\.isAttachmentsEnabled)
        self.init(
            isAttachmentsEnabled: !all.isEmpty, maximumSize: all.map(\.maximumSize).max() ?? 0,
            allowedTypes: Set(all.flatMap(\.allowedTypes)).sorted())
    }
}

extension ReadTransaction {
    /// The thread with its version and the log's offset, all read at one moment.
    fileprivate func versioned(_ thread: DeskThread) throws -> Versioned {
        let record = try find(thread)
        return Versioned(body: record.deskJSON, version: record.deskVersion, offset: try headOffset())
    }

    /// The message with its version and the log's offset, all read at one moment. Throws `unknownMessage`.
    fileprivate func versioned(_ id: String, in thread: DeskThread) throws -> Versioned {
        guard let found = try message(id, in: find(thread)) else { throw ChatError.unknownMessage(id) }
        return Versioned(body: found.message.canonicalJSON, version: found.version, offset: try headOffset())
    }
}

/// Reports on the desk's work, counted from contacts in one query.
extension LocalDesk {
    public func report(_ query: ReportQuery) async throws(ChatError) -> DeskReport {
        guard let zone = store.environment.timeZone(query.timeZone) else {
            throw ChatError(
                .invalidParameter, "This machine knows no time zone of this name.", pointer: "?timeZone")
        }
        let length = query.until.milliseconds - query.since.milliseconds
        guard length > 0, length <= ReportQuery.longest else {
            throw ChatError(.invalidParameter, "A time of at most 366 days was expected.", pointer: "?until")
        }
        let contacts = try await store.read {
            try $0.contacts(
                from: query.since, until: query.until, within: query.channels, limit: ReportQuery.mostContacts)
        }
        guard let contacts else {
            throw ChatError(
                .invalidParameter,
                "More than \(ReportQuery.mostContacts) conversations are in this time: ask for less.", pointer: "?until"
            )
        }
        return DeskReport(contacts, query, in: zone)
    }
}
