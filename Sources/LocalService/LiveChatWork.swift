import Chat
import ChatModel
import ChatStore
import Formats

/// What one unit of the store changes in live chats: queue, contact and due times; and in all threads, who has ceased to
/// type.
///
/// Its functions run inside the unit. They also collect what may only happen after the commit, which
/// ``publish(to:_:_:_:_:)`` then does: tell queue positions and ends of typing, and set the timer.
struct LiveChatWork: Sendable {
    /// The queue positions that customers are told after the commit.
    private(set) var places: [QueuePlace] = []
    /// Queues in which threads far behind were not told their new positions in this unit: ``QueueAnnouncer`` does it
    /// later.
    private(set) var unfinished: Set<Queue> = []
    /// The earliest due time that this unit has stored; nil if it has stored none.
    private(set) var due: Timestamp?
    /// Who has ceased to type by what the unit did.
    private(set) var typingEnds: [TypingReports.End] = []
    /// The earliest end of a snooze that this unit has stored; nil if it has stored none.
    var snoozeEnd: Timestamp?

    /// Opens the contact of a new live chat and puts the thread into its channel's queue. The caller saves the
    /// thread.
    mutating func begin(_ record: inout ThreadRecord, in transaction: WriteTransaction) throws {
        try transaction.openContact(for: &record, at: record.thread.createdAt)
        record.thread.waitingSince = record.thread.createdAt
        noteQueue(try transaction.joinQueue(&record, since: record.thread.createdAt))
    }

    /// Notes what is to be told of a queue after the commit.
    private mutating func noteQueue(_ change: QueueChange?) {
        guard let change else { return }
        places += change.places
        if let queue = change.unfinished { unfinished.insert(queue) }
    }

    /// Assigns the thread to an agent, who may take it over from another one. The thread leaves the queue, and the
    /// time of silence starts if the channel has limits. Nothing happens when the agent has the thread already.
    mutating func assign(_ record: inout ThreadRecord, by agent: Agent, in transaction: WriteTransaction) throws {
        guard record.thread.agent != agent else { return }
        if let former = record.thread.agent, former.id != agent.id { record.thread.previousAgent = former }
        record.thread.agent = agent
        try transaction.noteAgent(agent)
        noteQueue(try transaction.leaveQueue(&record))
        try transaction.noteWaiting(afterAgentOf: &record)
        // A popup that is shown stays, with its countdown.
        if record.thread.inactivityPopup == nil, let limits = try transaction.inactivity(of: record) {
            try watch(record, limits, in: transaction)
        }
        try save(&record, in: transaction)
    }

    /// Takes the thread from its agent. A live chat goes back into the queue, at the place that its creation time
    /// gives it.
    ///
    /// - Parameter waits: whether the thread's channel has a queue.
    mutating func release(_ record: inout ThreadRecord, waits: Bool, in transaction: WriteTransaction) throws {
        guard let former = record.thread.agent else { return }
        record.thread.previousAgent = former
        record.thread.agent = nil
        try forget(&record, in: transaction)
        if waits { noteQueue(try transaction.joinQueue(&record, since: record.thread.createdAt)) }
        try transaction.noteWaiting(afterAgentOf: &record)
        try save(&record, in: transaction)
    }

    /// Closes the thread and its contact, and takes it out of the queue. `agent` keeps its value, so the last agent
    /// stays visible.
    mutating func close(_ record: inout ThreadRecord, in transaction: WriteTransaction) throws {
        record.thread.state = .closed
        record.thread.waitingSince = nil
        record.endSnooze()
        try transaction.closeContact(of: &record)
        noteQueue(try transaction.leaveQueue(&record))
        try forget(&record, in: transaction)
        endTyping(.all(thread: record.number))
        try save(&record, in: transaction)
    }

    /// Notes an end of typing.
    mutating func endTyping(_ end: TypingReports.End) { typingEnds.append(end) }

    /// Closes the contact and removes the agent of a thread that stays open. The next message opens a new contact.
    /// Nothing happens when no contact is open.
    mutating func endContact(of record: inout ThreadRecord, in transaction: WriteTransaction) throws {
        guard record.thread.contactID != nil, record.thread.contactClosedAt == nil else { return }
        try transaction.closeContact(of: &record)
        record.thread.waitingSince = nil
        record.team.remindedAt = nil
        if let former = record.thread.agent { record.thread.previousAgent = former }
        record.thread.agent = nil
        try save(&record, in: transaction)
    }

    /// Removes the thread for good; see ``LocalDesk/remove(_:ifMatch:as:)``.
    mutating func remove(_ record: ThreadRecord, in transaction: WriteTransaction) throws {
        noteQueue(try transaction.remove(record))
    }

    /// Notes a due time; the earliest one counts.
    mutating func isDue(at time: Timestamp) { due = min(due ?? time, time) }

    /// Saves the thread with a later `updatedAt`, and logs `thread.updated` for its members and the desk.
    func save(_ record: inout ThreadRecord, in transaction: WriteTransaction) throws {
        record.thread.updatedAt = record.thread.nextUpdate(transaction.now)
        try transaction.save(&record, logging: .threadUpdated, withDesk: true)
    }

    /// Does what has to follow the commit: sets the timer, tells queue positions and ends of typing, and starts the rest of
    /// long queues.
    ///
    /// The positions go out as ephemeral events. The logged `thread.updated` events have them too.
    func publish(
        to feed: EventFeed, _ timer: InactivityTimer, _ positions: QueueAnnouncer, _ typing: TypingReports,
        _ snoozes: SnoozeTimer? = nil
    ) {
        if let due { timer.set(due) }
        if let snoozeEnd { snoozes?.set(snoozeEnd) }
        feed.publish(places)
        for queue in unfinished { positions.enqueue(queue) }
        typing.endReports(typingEnds)
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

/// The store of the embedded service together with what has to run after its commits.
struct LiveStore: Sendable {
    let store: ChatStore
    let timer: InactivityTimer
    let positions: QueueAnnouncer
    let typing: TypingReports
    let snoozes: SnoozeTimer
    let openings: Openings

    /// Runs a unit that may change live chats; after its commit, tells customers and sets the timer. Nothing is told
    /// when the unit throws.
    func write<T: Sendable>(
        reading reads: [WantedRows] = [],
        _ unit: @escaping @Sendable (WriteTransaction, inout LiveChatWork) throws -> T
    ) async throws(ChatError) -> T {
        // What is noted for later stands in a new value at each run.
        let (result, live) = try await store.write(isRepeatable: true, reading: reads) { transaction in
            var live = LiveChatWork()
            return (try unit(transaction, &live), live)
        }
        live.publish(to: store.feed, timer, positions, typing, snoozes)
        return result
    }
}

/// Silent customers of live chats: first a popup asks whether they are there, then the chat is closed.
///
/// Only threads that an agent has taken are watched, and only when their channel had limits at that time. A customer
/// who waits in the queue is never asked.
extension LiveChatWork {
    /// Restarts the time of silence after a message. A message of an agent does so only while no popup is shown: it
    /// does not answer the popup for the customer.
    ///
    /// The caller saves the thread.
    mutating func heard(_ isCustomer: Bool, _ record: inout ThreadRecord, in transaction: WriteTransaction) throws {
        guard record.thread.agent != nil, isCustomer || record.thread.inactivityPopup == nil,
            try transaction.isWatched(record), let limits = try transaction.inactivity(of: record)
        else { return }
        record.thread.inactivityPopup = nil
        try watch(record, limits, in: transaction)
    }

    /// Applies the customer's answer to the popup: `refresh` goes on with the chat, `expire` closes it. The thread is
    /// saved.
    ///
    /// Throws `illegalThreadState` when no popup is shown.
    mutating func answer(
        _ answer: InactivityAnswer, _ record: inout ThreadRecord, in transaction: WriteTransaction
    ) throws {
        guard record.thread.inactivityPopup != nil else {
            throw ChatError(
                .illegalThreadState, "The thread \(record.thread.id) has no inactivity popup to answer.")
        }
        switch answer {
        case .refresh:
            try heard(true, &record, in: transaction)
            try save(&record, in: transaction)
        case .expire: try close(&record, in: transaction)
        }
    }

    /// Handles a thread whose due time has come: shows the popup, or closes the thread when the popup got no answer
    /// in time.
    ///
    /// When the channel has no limits any more, or the thread is closed or has no agent, the watch ends and a popup
    /// is withdrawn.
    mutating func expire(_ record: inout ThreadRecord, in transaction: WriteTransaction) throws {
        guard let limits = try transaction.inactivity(of: record), record.thread.canAddMoreMessages,
            record.thread.agent != nil
        else {
            // The channel has no limits now, or nobody handles the thread.
            let wasShown = record.thread.inactivityPopup != nil
            try forget(&record, in: transaction)
            if wasShown { try save(&record, in: transaction) }
            return
        }
        guard record.thread.inactivityPopup == nil else { return try close(&record, in: transaction) }
        let popup = InactivityPopup(limits, in: transaction)
        record.thread.inactivityPopup = popup
        try watch(record, until: popup.endsAt, in: transaction)
        try save(&record, in: transaction)
        try transaction.log(popup, in: record)
    }

    /// Starts the time of silence: the popup is due after `secondsUntilPopup`.
    mutating func watch(_ record: ThreadRecord, _ limits: InactivityLimits, in transaction: WriteTransaction) throws {
        let time = transaction.now.advanced(bySeconds: limits.secondsUntilPopup)
        try watch(record, until: time, in: transaction)
    }

    /// Stores the thread's due time, and notes it so that ``publish(to:_:_:_:_:)`` sets the timer after the commit.
    private mutating func watch(_ record: ThreadRecord, until time: Timestamp, in transaction: WriteTransaction) throws
    {
        try transaction.watch(record, until: time)
        isDue(at: time)
    }

    /// Ends the watch of a thread and removes its popup. The caller saves the thread.
    func forget(_ record: inout ThreadRecord, in transaction: WriteTransaction) throws {
        record.thread.inactivityPopup = nil
        try transaction.watch(record, until: nil)
    }
}

extension ReadTransaction {
    /// The limits that the thread's channel has now; nil if it has none or is no live chat.
    func inactivity(of record: ThreadRecord) throws -> InactivityLimits? {
        let channel = try channel(record.owner.key.channel, of: LocalService.serviceID)
        return channel?.mode == .liveChat ? channel?.inactivity : nil
    }
}

extension InactivityPopup {
    /// The popup for these limits. Its two buttons share one `workflowJobId`, as those of CXone do.
    fileprivate init(_ limits: InactivityLimits, in transaction: WriteTransaction) {
        let makeID = transaction.environment.makeID
        let job = makeID()
        // The postback of the popups of CXone: its clients read the member `isExpired`.
        func button(_ text: String, isExpired: Bool) -> Button {
            Button(
                id: makeID(), text: text,
                postback: "{\"type\":\"sessionExpiration\",\"isExpired\":\(isExpired),\"workflowJobId\":\"\(job)\"}")
        }
        self.init(
            title: "Your chat will expire in", message: "You were inactive. Continue?", startedAt: transaction.now,
            numberOfSeconds: limits.secondsUntilEnd, refreshButton: button("Continue", isExpired: false),
            expireButton: button("End chat", isExpired: true))
    }
}
