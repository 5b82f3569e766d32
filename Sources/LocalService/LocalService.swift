import Chat
import ChatModel
import ChatStore

/// The embedded chat service: the gateway itself plays the platform's part, and its store is the only copy of each
/// chat.
///
/// It has all capabilities of the gateway, and a desk. Sessions reach it as ``ChatService``, agents as
/// ``DeskService``. It needs no network.
public struct LocalService: ChatService {
    /// The id of the service in sessions, account keys and requests. It is stored, so it never changes.
    public static let serviceID = "local"

    public let id = LocalService.serviceID
    public let name = "Parley"
    public var capabilities: Set<Capability> { Self.capabilities }
    let store: ChatStore
    private let timer: InactivityTimer
    private let positions: QueueAnnouncer
    private let typing: TypingReports
    private let snoozes: SnoozeTimer
    private let openings: Openings

    static let capabilities: Set<Capability> = [
        .threads, .rename, .archive, .typing, .readReceipts, .customFields, .editMessages, .deleteMessages,
        .attachments, .search,
        .collections, .members, .replies, .historyReset, .liveChat, .richMessages, .preChatSurvey, .menu,
        .typingPreview,
    ]
    /// Capabilities that only a multi-thread channel has.
    private static let multithreadOnly: Set<Capability> = [.threads, .rename, .archive, .members]

    /// The channels of a new database, one for each mode.
    private static let channelsAtFirst = [
        ChannelDraft(id: "single", name: "Ask a question", mode: .singlethread),
        ChannelDraft(id: "multi", name: "My requests", mode: .multithread),
        ChannelDraft(id: "live", name: "Talk to us now", mode: .liveChat),
    ]

    /// Prepares the channels, and takes up the work that the last stop left: history to erase, due times and queue
    /// positions.
    ///
    /// It makes the channels `single`, `multi` and `live`, each only if no channel has its mode or id, and gives
    /// known channels the capabilities of this version. Throws what the store throws.
    ///
    /// - Parameter clock: measures the waits for silent customers; tests pass a clock that they move.
    public init(store: ChatStore, clock: any Clock<Duration> = ContinuousClock()) async throws(ChatError) {
        self.store = store
        positions = QueueAnnouncer(store: store, clock: clock)
        typing = TypingReports(feed: store.feed)
        openings = Openings(store: store, clock: clock)
        timer = InactivityTimer(store: store, clock: clock, positions: positions, typing: typing)
        snoozes = SnoozeTimer(store: store, clock: clock)
        try await store.write { transaction in
            let known = try transaction.channels(of: Self.serviceID)
            // An older version may have made the channel. Its stored capabilities are brought up to date.
            for var channel in known where channel.capabilities != Self.capabilities(of: channel.mode) {
                channel.capabilities = Self.capabilities(of: channel.mode)
                try transaction.save(channel, of: Self.serviceID)
            }
            for draft in Self.channelsAtFirst
            where !known.contains(where: { $0.mode == draft.mode || $0.id == draft.id }) {
                try transaction.save(Self.channel(draft), of: Self.serviceID)
            }
        }
        HistoryEraser(store: store).start()
        TagEraser(store: store).start()
        try await timer.start()
        try await snoozes.start()
        let channels = try await channels()
        openings.start(channels)
        // The last stop may have left positions in a queue that were not told.
        for channel in channels where channel.mode == .liveChat {
            positions.resume(Queue(service: Self.serviceID, channel: channel.id))
        }
    }

    /// Tells the threads far behind in a queue their new positions, in the background.
    func tellPositions(in queue: Queue) { positions.enqueue(queue) }

    /// The agents' side. Each call returns a new value on the same store and timers.
    public var desk: LocalDesk { LocalDesk(live: live) }

    private var live: LiveStore {
        LiveStore(
            store: store, timer: timer, positions: positions, typing: typing, snoozes: snoozes, openings: openings)
    }

    public func channels() async throws(ChatError) -> [Channel] { try await desk.channels() }

    /// The channel with its current settings. Throws `unknownChannel` with a pointer to the member `channel`.
    public func channel(_ id: String) async throws(ChatError) -> Channel {
        guard let channel = try await store.read({ try $0.channel(id, of: Self.serviceID) }) else {
            throw ChatError(.unknownChannel, "The service local has no channel \(id).", pointer: "/channel")
        }
        return channel
    }

    /// The menu that the desk has given to the channel. Throws `unknownChannel`.
    public func menu(of channel: String) async throws(ChatError) -> [MenuItem] { try await self.channel(channel).menu }

    /// Whether the account may chat on its channel now: always except on a live chat channel that is offline or closed, and
    /// there too while the account has an open chat.
    public func isOnline(_ account: AccountRecord) async throws(ChatError) -> Bool {
        let (openings, now) = (openings, store.environment.now())
        return try await store.read { transaction in
            // The channel's state holds for new chats only. An open chat goes on.
            try transaction.channel(account.key.channel, of: Self.serviceID).map { openings.takesChats($0, at: now) }
                != false || !transaction.openThreads(of: account.number, limit: 1).isEmpty
        }
    }

    /// Whether the channel is open now, by the hours and the agents.
    public func opening(of channel: Channel) -> Opening? { openings.opening(of: channel) }

    /// Returns a connection at once. It is never lost, so `onLoss` is never called.
    public func connect(
        _ account: AccountRecord, channel: Channel, onLoss: @escaping @Sendable () -> Void
    ) async throws(ChatError) -> any ServiceConnection {
        LocalConnection(live: live, account: account.number, channel: channel, holder: typing.newHolder())
    }

    /// A channel of this draft with the capabilities of its mode. Throws `unsupportedChannelConfig` for settings that
    /// the mode does not allow.
    static func channel(_ draft: ChannelDraft) throws(ChatError) -> Channel {
        var channel = Channel(
            id: draft.id, name: draft.name ?? draft.id, mode: draft.mode, capabilities: capabilities(of: draft.mode))
        try draft.settings.apply(to: &channel)
        return channel
    }

    /// What a channel of a mode can do.
    private static func capabilities(of mode: ChatMode) -> Set<Capability> {
        switch mode {
        case .singlethread: capabilities.subtracting(multithreadOnly).subtracting([.liveChat])
        case .multithread: capabilities.subtracting([.liveChat])
        case .liveChat: capabilities.subtracting(multithreadOnly)
        }
    }
}

/// Deletes messages that are hidden since a history was reset for all, and what removed threads have left, in bounded
/// units, so that no send waits long.
///
/// Nobody sees them after the commit of reset or removal; this removes them from the disk. Work that a stop interrupts goes on
/// when the service is made again.
struct HistoryEraser {
    let store: ChatStore

    /// Erases everything in a task of its own. The task ends when nothing is left, or when a unit fails, as all do
    /// while the store closes.
    func start() {
        Task { [self] in await run() }
    }

    /// Returns when nothing is left to erase, or a unit has failed.
    func run() async {
        while (try? await store.write({ try $0.eraseHistory() })) == true {}
    }

    /// Takes a few steps, or fewer if nothing is left to erase. Returns whether there may be more; throws what the store
    /// throws.
    func erase(steps: Int) async throws(ChatError) -> Bool {
        for _ in 0..<steps {
            guard try await store.write({ try $0.eraseHistory() }) else { return false }
        }
        return true
    }

    /// Returns when nothing is left to erase. Throws what the store throws.
    func finish() async throws(ChatError) { while try await erase(steps: 1) {} }
}

extension LocalService {
    /// Removes all threads that the account owns, with everything in them. Members and the desk get `thread.removed`.
    /// Returns how many there were, when nothing of them is left; throws what the store throws.
    public func removeThreads(of account: Int64) async throws(ChatError) -> Int {
        var count = 0
        while let queue = try await store.write({ try $0.removeOldestThread(of: account) }) {
            count += 1
            if let queue = queue?.unfinished { tellPositions(in: queue) }
        }
        if count > 0 { try await HistoryEraser(store: store).finish() }
        return count
    }

    /// Removes the threads that an account owns, also those that it has left, and in threads of others what its customer
    /// wrote, and its membership. The others are told. It may be cut off anywhere: called again it goes on.
    public func erase(_ account: AccountRecord) async throws(ChatError) {
        _ = try await removeThreads(of: account.number)
        try await store.eraseThreads(ownedBy: account.number)
        while let thread = try await store.read({ try $0.joinedThread(of: account.number) }) {
            for isInThread in [true, false] {
                try await eraseMessages(of: account, in: thread, isInThread: isInThread)
            }
            try await store.write { transaction in
                guard var record = try transaction.thread(number: thread) else { return }
                try transaction.leave(account.number, &record)
            }
        }
        try await eraseMessages(inThreadsLeftBy: account)
    }

    /// Rows that are looked at in one step, and messages that one unit changes.
    private static let portion = 1000
    private static let batch = 50

    private func eraseMessages(
        of account: AccountRecord, in thread: Int64, isInThread: Bool
    ) async throws(ChatError) {
        var place: MessagePosition? = .start
        while let last = place {
            let found = try await store.read {
                try $0.messages(
                    of: account.key.customer, in: thread, isInThread: isInThread, after: last, limit: Self.portion)
            }
            for start in stride(from: 0, to: found.ids.count, by: Self.batch) {
                let ids = found.ids[start..<min(start + Self.batch, found.ids.count)]
                try await store.write { transaction in
                    guard var record = try transaction.thread(number: thread) else { return }
                    let work = MessageWork(transaction: transaction, party: .customer(account))
                    for id in ids { try work.erase(id, in: &record) }
                }
            }
            place = found.next
        }
    }

    /// What the customer wrote in threads of others that it has left since.
    private func eraseMessages(inThreadsLeftBy account: AccountRecord) async throws(ChatError) {
        var number: Int64? = 0
        while let last = number {
            let found = try await store.read { try $0.messages(of: account, after: last, limit: Self.portion) }
            for message in found.messages {
                try await store.write { transaction in
                    guard var record = try transaction.thread(number: message.thread) else { return }
                    try MessageWork(transaction: transaction, party: .customer(account)).erase(message.id, in: &record)
                }
            }
            number = found.next
        }
    }
}

extension LocalDesk {
    /// Removes the thread with everything in it: messages, files, notes, contacts, and what the log has of them. It is
    /// gone for members and desk when this returns. What it has left is erased by then, too, unless that is much:
    /// ``HistoryEraser`` goes on with it.
    public func remove(
        _ thread: DeskThread, ifMatch version: Int64?, as agent: Agent? = nil
    ) async throws(ChatError) {
        try await live.write { transaction, live in
            let record = try transaction.find(thread)
            try VersionRule.check(version, record.deskVersion)
            try transaction.act(as: agent)
            try live.remove(record, in: transaction)
        }
        let eraser = HistoryEraser(store: store)
        if try await eraser.erase(steps: 16) { eraser.start() }
    }
}

extension LocalService {
    /// See ``ChatStore/WriteTransaction/join(_:to:prepare:)``. Where a channel has one conversation at a time and the
    /// account has one that is open, the anonymous one is closed first; one in which nobody has written stays behind.
    public func join(
        _ former: AccountRecord, to account: inout AccountRecord, in transaction: WriteTransaction
    ) throws -> Joining {
        let channel = try transaction.channel(account.key.channel, of: Self.serviceID)
        let isFull =
            try channel?.mode != .multithread && !transaction.openThreads(of: account.number, limit: 1).isEmpty
        var live = LiveChatWork()
        transaction.actor = Author(account.customer)
        let joined = try transaction.join(former, to: &account) { record in
            live.endTyping(.of(.account(former.number), thread: record.number))
            guard isFull, record.thread.canAddMoreMessages else { return true }
            if record.thread.state == .pending { return false }
            try live.close(&record, in: transaction)
            return true
        }
        let after = desk.live
        return Joining(threads: joined.ids) { [live] in
            live.publish(to: after.store.feed, after.timer, after.positions, after.typing)
        }
    }
}
