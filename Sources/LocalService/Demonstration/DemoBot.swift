import Chat
import ChatModel
import ChatStore
import Formats

/// The bot of the demonstration. It answers customers in the demonstration's channels, and hands over to the desk when
/// it is asked for a person.
///
/// It reads the event log as the desk does, and acts as an agent does. Whether it may speak is in the thread itself
/// (``Standing``), so it goes on after a restart as before.
public struct DemoBot: Sendable {
    /// The agent that the bot acts as. Its messages have the author kind `bot`.
    public static let agent = Agent(id: "parley-bot", name: "Parley Bot", isBot: true)

    private let desk: LocalDesk
    private let pictures: DemoPictures
    private let clock: any Clock<Duration>
    private let events: AsyncStream<LogEvent>
    private let subscription: Subscription

    /// Begins to listen. Events are kept until ``run()``: the newest 256 of the demonstration's channels.
    init(desk: LocalDesk, pictures: DemoPictures, clock: any Clock<Duration>) {
        (self.desk, self.pictures, self.clock) = (desk, pictures, clock)
        let (events, continuation) = AsyncStream.makeStream(of: LogEvent.self, bufferingPolicy: .bufferingNewest(256))
        self.events = events
        subscription = desk.store.feed.subscribe { news in
            for event in news where Self.isMeant(by: event) { continuation.yield(event) }
        }
    }

    /// Whether the bot reacts to an event: to those of its own channels, and no others.
    private static func isMeant(by event: LogEvent) -> Bool {
        [.messageCreated, .threadCreated, .threadUpdated].contains(event.type) && event.audiences.contains(.desk)
            && event.owner.map { Demonstration.channels.contains($0.channel) } == true && !event.isImport
    }

    /// Answers until the task is cancelled. It can run once. Each event is handled in a child task, so that one pause
    /// delays nobody else. An error ends the reaction to its event and nothing more.
    public func run() async {
        await withDiscardingTaskGroup { group in
            for await event in events { group.addTask { await react(to: event) } }
            group.cancelAll()
        }
        subscription.cancel()
    }

    private func react(to event: LogEvent) async {
        guard let offset = event.offset, let owner = event.owner,
            let data = try? JSONParser.parse(event.data(for: .desk))
        else { return }
        do {
            if let json = data["message"] {
                let message = try Message(json: json)
                let thread = DeskThread(id: message.threadID, channel: owner.channel, customer: owner.customer)
                if message.direction == .toAgent {
                    try await answer(message, at: offset, in: thread)
                } else if message.author.kind == .agent {
                    try await giveWay(to: message.author, in: thread)
                }
            } else if let json = data["thread"] {
                let thread = try ChatThread(json: json)
                guard let answer = Self.opening(of: thread) else { return }
                try await clock.sleep(for: .milliseconds(1500))
                let name = DeskThread(id: thread.id, channel: owner.channel, customer: owner.customer)
                try await sendAnswer(answer, in: name) { record, _ in Self.opening(of: record.thread) == answer }
            }
        } catch {
            // The thread was closed meanwhile, the disk is full, or the gateway stops: nobody waits for a bot.
        }
    }

    /// What the bot says without being asked: to a live chat that begins, and where a person has handed back to it.
    private static func opening(of thread: ChatThread) -> DemoAnswer? {
        guard thread.canAddMoreMessages else { return nil }
        switch (thread.agent, thread.previousAgent) {
        case (nil, nil): return thread.queuePosition == nil ? nil : .greeting
        case (nil, let former?):
            return former.id != agent.id && thread.contactID != nil && thread.contactClosedAt == nil ? .back : nil
        // The desk has named the bot. It cannot say that its agent is a bot, so the bot takes the thread anew.
        case (let holder?, _): return holder.id == agent.id && holder != agent ? .back : nil
        }
    }

    /// Marks a customer's message as read, shows typing for 0.9 seconds, and answers. What is for a person stays
    /// unread.
    private func answer(_ message: Message, at offset: Int64, in thread: DeskThread) async throws {
        let answer =
            message.attachments.isEmpty
            ? DemoAnswer(to: message.text, postback: message.postback, now: desk.store.environment.now())
            : DemoAnswer("Thank you. I have received \(message.attachments.map(\.name).joined(separator: ", ")).")
        try await clock.sleep(for: .milliseconds(400))
        guard Standing(try await desk.store.read { try $0.find(thread) }.thread).allows(answer) else { return }
        if !answer.handsOver { _ = try await desk.markRead(thread, receipt: nil) }
        try await desk.reportTyping(true, as: Self.agent, in: thread)
        try await clock.sleep(for: .milliseconds(900))
        try await desk.reportTyping(false, as: Self.agent, in: thread)
        try await sendAnswer(answer, in: thread, replyingTo: message) { record, transaction in
            // A person who has written since then is about to get the thread: see `giveWay`.
            guard let newest = try transaction.newestMessage(in: record) else { return false }
            let isInterrupted = newest.number > offset && newest.message.author.kind == .agent
            return !isInterrupted && Standing(record.thread).allows(answer)
        }
    }

    /// Gives the thread to a person who has written without taking it. So the bot is silent from now on, and the
    /// person can hand back.
    private func giveWay(to author: Author, in thread: DeskThread) async throws {
        try await desk.live.write { transaction, live in
            var record = try transaction.find(thread)
            guard record.thread.canAddMoreMessages, Standing(record.thread) != .silent else { return }
            // The person has done it, by writing.
            transaction.actor = author
            try live.assign(&record, by: Agent(id: author.id, name: author.name), in: transaction)
        }
    }

    /// Sends an answer, if the thread still permits it when it is written. Throws `illegalThreadState` otherwise.
    private func sendAnswer(
        _ answer: DemoAnswer, in thread: DeskThread, replyingTo message: Message? = nil,
        if permits: @escaping @Sendable (ThreadRecord, WriteTransaction) throws -> Bool
    ) async throws(ChatError) {
        let upload = answer.showsPicture ? try pictures.upload() : nil
        try await desk.live.write(with: upload) { transaction, live, picture in
            var record = try transaction.find(thread)
            guard try permits(record, transaction) else {
                throw ChatError(.illegalThreadState, "The bot is silent in the thread \(thread.id).")
            }
            try answer.sendAnswer(in: &record, replyingTo: message, picture: picture, transaction, &live)
        }
    }

    /// Whether the bot may speak in a thread.
    enum Standing {
        /// Nobody has the thread, or the bot has it.
        case free
        /// The bot has handed over, and no person has come yet.
        case asked
        /// A person has it.
        case silent

        init(_ thread: ChatThread) {
            self =
                thread.agent.map { $0.id == agent.id ? .free : .silent }
                ?? (thread.previousAgent?.id == agent.id ? .asked : .free)
        }

        func allows(_ answer: DemoAnswer) -> Bool { self == .free || (self == .asked && answer.takesBack) }
    }
}
