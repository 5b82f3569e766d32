import Chat
import ChatModel
import ChatStore
import Formats

/// What a unit does to live chats: their queue and contacts; and what is to be told once it is committed.
struct LiveWork: Sendable {
    private(set) var places: [QueuePlace] = []
    /// Queues whose last threads have not been told their positions yet.
    private(set) var unfinished: Set<Queue> = []
    /// When the first of the silent customers is to be asked, or asked no longer.
    private(set) var due: Timestamp?

    /// A new chat: a contact that waits for an agent. Saving it is the caller's.
    mutating func begin(_ record: inout ThreadRecord, in transaction: WriteTransaction) throws {
        try transaction.openContact(for: &record)
        note(try transaction.joinQueue(&record, since: record.thread.createdAt))
    }

    private mutating func note(_ change: QueueChange?) {
        guard let change else { return }
        places += change.places
        if let queue = change.unfinished { unfinished.insert(queue) }
    }

    /// An agent takes the thread, or takes it over.
    mutating func take(_ record: inout ThreadRecord, by agent: Agent, in transaction: WriteTransaction) throws {
        guard record.thread.agent != agent else { return }
        if let former = record.thread.agent, former.id != agent.id { record.thread.previousAgent = former }
        record.thread.agent = agent
        note(try transaction.leaveQueue(&record))
        // Who is asked already has been silent for longer: the countdown goes on.
        if record.thread.inactivityPopup == nil, let limits = try transaction.inactivity(of: record) {
            try watch(record, limits, in: transaction)
        }
        try save(&record, in: transaction)
    }

    /// The agent lets the thread go: a live chat waits again.
    ///
    /// - Parameter waits: whether its channel has a queue.
    mutating func release(_ record: inout ThreadRecord, waits: Bool, in transaction: WriteTransaction) throws {
        guard let former = record.thread.agent else { return }
        record.thread.previousAgent = former
        record.thread.agent = nil
        try forget(&record, in: transaction)
        if waits { note(try transaction.joinQueue(&record, since: record.thread.createdAt)) }
        try save(&record, in: transaction)
    }

    /// Closes the thread with its contact; its agent stays named.
    mutating func close(_ record: inout ThreadRecord, in transaction: WriteTransaction) throws {
        record.thread.state = .closed
        try transaction.closeContact(of: &record)
        note(try transaction.leaveQueue(&record))
        try forget(&record, in: transaction)
        try save(&record, in: transaction)
    }

    /// Ends the contact of a thread that goes on: its next message opens another one.
    mutating func endContact(of record: inout ThreadRecord, in transaction: WriteTransaction) throws {
        guard record.thread.contactID != nil, record.thread.contactClosedAt == nil else { return }
        try transaction.closeContact(of: &record)
        if let former = record.thread.agent { record.thread.previousAgent = former }
        record.thread.agent = nil
        try save(&record, in: transaction)
    }

    /// Something is to happen then, at the latest.
    mutating func isDue(at time: Timestamp) { due = min(due ?? time, time) }

    /// Saves the thread with a new time, and tells all of it.
    func save(_ record: inout ThreadRecord, in transaction: WriteTransaction) throws {
        record.thread.updatedAt = record.thread.nextUpdate(transaction.now)
        try transaction.save(&record, logging: .threadUpdated, withDesk: true)
    }

    /// Tells the customers where they stand (the threads' own events have said it already), and has the timer set.
    func publish(to feed: EventFeed, _ timer: InactivityTimer, _ positions: QueuePositions) {
        if let due { timer.set(due) }
        feed.publish(places)
        for queue in unfinished { positions.tell(queue) }
    }
}

extension EventFeed {
    /// Tells customers where they stand.
    func publish(_ places: [QueuePlace]) {
        for place in places {
            let event = QueueUpdatedEvent(threadID: place.threadID, queuePosition: place.position)
            publish(event, to: place.accounts.map { .account($0) })
        }
    }
}

/// The store of the embedded service, and what follows its commits.
struct LiveStore: Sendable {
    let store: ChatStore
    let timer: InactivityTimer
    let positions: QueuePositions

    /// Runs a unit that may change live chats, and tells what it did.
    func write<T: Sendable>(
        _ unit: @escaping @Sendable (WriteTransaction, inout LiveWork) throws -> T
    ) async throws(ChatError) -> T {
        let (result, live) = try await store.write { transaction in
            var live = LiveWork()
            return (try unit(transaction, &live), live)
        }
        live.publish(to: store.feed, timer, positions)
        return result
    }
}
