import Chat
import ChatModel
import ChatStore

/// The embedded chat service: the platform's side of a chat, in the gateway's own store.
///
/// It is complete by nature, and has a desk. Sessions reach it as
/// ``ChatService``, agents as ``DeskService``.
public struct LocalService: ChatService {
    public static let serviceID = "local"

    public let id = LocalService.serviceID
    public let name = "Parley"
    public var capabilities: Set<Capability> { Self.capabilities }
    let store: ChatStore
    private let timer: InactivityTimer
    private let positions: QueuePositions

    static let capabilities: Set<Capability> = [
        .threads, .rename, .archive, .typing, .readReceipts, .customFields, .editMessages, .deleteMessages, .attachments, .search,
        .collections, .members, .replies, .historyReset, .liveChat, .richMessages, .preChatSurvey,
    ]
    /// What takes a channel with many threads.
    private static let multithreadOnly: Set<Capability> = [.threads, .rename, .archive, .members]

    private static let channelsAtFirst = [
        ChannelDraft(id: "single", name: "Single thread", mode: .singlethread),
        ChannelDraft(id: "multi", name: "Multi thread", mode: .multithread),
        ChannelDraft(id: "live", name: "Live chat", mode: .liveChat),
    ]

    /// Makes the channels `single`, `multi` and `live`, each if the service has none of that mode yet.
    ///
    /// Throws what the store throws.
    /// - Parameter clock: by which silent customers are asked.
    public init(store: ChatStore, clock: any Clock<Duration> = ContinuousClock()) async throws(ChatError) {
        self.store = store
        positions = QueuePositions(store: store, clock: clock)
        timer = InactivityTimer(store: store, clock: clock, positions: positions)
        try await store.write { transaction in
            let known = try transaction.channels(of: Self.serviceID)
            // What this version can do more than the one that made them.
            for var channel in known where channel.capabilities != Self.capabilities(of: channel.mode) {
                channel.capabilities = Self.capabilities(of: channel.mode)
                try transaction.save(channel, of: Self.serviceID)
            }
            for draft in Self.channelsAtFirst where !known.contains(where: { $0.mode == draft.mode || $0.id == draft.id }) {
                try transaction.save(Self.channel(draft), of: Self.serviceID)
            }
        }
        HistoryEraser(store: store).start()
        try await timer.start()
        // What was not told when the gateway stopped.
        for channel in try await channels() where channel.mode == .liveChat {
            positions.resume(Queue(service: Self.serviceID, channel: channel.id))
        }
    }

    /// The agents' side.
    public var desk: LocalDesk { LocalDesk(live: LiveStore(store: store, timer: timer, positions: positions)) }

    public func channels() async throws(ChatError) -> [Channel] { try await desk.channels() }

    public func channel(_ id: String) async throws(ChatError) -> Channel {
        guard let channel = try await store.read({ try $0.channel(id, of: Self.serviceID) }) else {
            throw ChatError(.unknownChannel, "The service local has no channel \(id).", pointer: "/channel")
        }
        return channel
    }

    public func isOnline(_ account: AccountRecord) async throws(ChatError) -> Bool {
        try await store.read { transaction in
            // A chat that is open goes on, whatever the channel says to new ones.
            try transaction.channel(account.key.channel, of: Self.serviceID)?.isOnline != false
                || !transaction.openThreads(of: account.number, limit: 1).isEmpty
        }
    }

    public func connect(
        _ account: AccountRecord, channel: Channel, onLoss: @escaping @Sendable () -> Void
    ) async throws(ChatError) -> any ServiceConnection {
        LocalConnection(live: LiveStore(store: store, timer: timer, positions: positions), account: account.number, channel: channel)
    }

    /// Throws `unsupportedChannelConfig`.
    static func channel(_ draft: ChannelDraft) throws(ChatError) -> Channel {
        var channel = Channel(
            id: draft.id, name: draft.name ?? draft.id, mode: draft.mode, capabilities: capabilities(of: draft.mode))
        try draft.settings.apply(to: &channel)
        return channel
    }

    private static func capabilities(of mode: ChatMode) -> Set<Capability> {
        switch mode {
        case .singlethread: capabilities.subtracting(multithreadOnly).subtracting([.liveChat])
        case .multithread: capabilities.subtracting([.liveChat])
        case .liveChat: capabilities.subtracting(multithreadOnly)
        }
    }
}

/// Erases what stands before the lines of histories that were reset for all: in bounded units, so that no send waits long.
///
/// Nobody sees any of it from the line's commit on; this makes it go from the disk. What a stop
/// leaves is taken up when the service is made again.
struct HistoryEraser {
    let store: ChatStore

    /// Erases all there is, in a task of its own; it ends when nothing is left, or with the store.
    func start() {
        Task { [self] in await run() }
    }

    func run() async {
        while (try? await store.write({ try $0.eraseHistory() })) == true {}
    }
}
