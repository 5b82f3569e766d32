import ChatModel
import ChatStore

/// Tells how complete the store's rows of a thread are, and can bring more. Collections use it without knowing which
/// service is behind.
///
/// The embedded service is always complete (``CompleteHistory``). A remote one has chunks without holes, which the
/// synchronization extends (``ChunkedHistory``).
public protocol MessageHistory: Sendable {
    /// How complete the store's rows of a thread are now. Throws `unknownThread`.
    func completeness(of thread: String) async throws -> HistoryCompleteness

    /// Asks for more rows beyond `edge` in this direction. Returns after the synchronization's next page, after its
    /// failure, or after 10 s (collections 3.3); at once when nothing more can come.
    func extend(thread: Int64, _ direction: FetchDirection, beyond edge: MessagePosition) async
}

/// How complete the rows of a thread were at one moment. It can be asked while a view is locked, when the store must
/// not be read.
public struct HistoryCompleteness: Sendable {
    /// The log's head at that moment.
    public let offset: Int64
    /// The stretch around a place in which the store has every message of the thread. For a place inside a hole the
    /// stretch is empty: both ends are that place.
    public let extent: @Sendable (MessagePosition) -> HistoryExtent

    public init(offset: Int64, extent: @escaping @Sendable (MessagePosition) -> HistoryExtent) {
        self.offset = offset
        self.extent = extent
    }

    /// Nothing is ever missing.
    public static let whole = HistoryCompleteness(offset: .max) { _ in HistoryExtent() }

    /// Whether no message can be missing between the newest row of a view and a new message.
    func joins(_ newest: MessagePosition, _ place: MessagePosition) -> Bool {
        let (above, below) = (extent(newest), extent(place))
        return (above.high.map { place <= $0 } ?? true) || (below.low.map { $0 <= newest } ?? true)
    }
}

/// A stretch of a thread without holes.
public struct HistoryExtent: Sendable, Equatable {
    /// Where the stretch begins; nil when the thread has nothing older at all.
    public var low: MessagePosition?
    /// Where it ends; nil when the thread has nothing newer at all.
    public var high: MessagePosition?

    public init(low: MessagePosition? = nil, high: MessagePosition? = nil) {
        self.low = low
        self.high = high
    }
}

/// Tells whether an account may have more threads than the store: ``MessageHistory`` for thread collections (2.2a).
public protocol ThreadHistory: Sendable {
    /// Asks the service for its next page of threads and stores it. Returns whether more may come; false also when the
    /// service cannot be reached.
    func extend(account: Int64) async -> Bool
}

/// Which way a fetch goes.
public enum FetchDirection: String, Sendable, CaseIterable {
    /// Towards older messages.
    case previous
    /// Towards newer messages; the only one of thread collections.
    case next
}

/// The history of a service whose rows are all in the store: nothing is missing, and nothing more will come.
public struct CompleteHistory: MessageHistory, ThreadHistory {
    public init() {}

    public func completeness(of thread: String) async -> HistoryCompleteness { .whole }
    public func extend(thread: Int64, _ direction: FetchDirection, beyond edge: MessagePosition) async {}
    public func extend(account: Int64) async -> Bool { false }
}

/// The history of a remote service's account. The store has it in chunks: inside a chunk no message is missing, between
/// two chunks any may be. The synchronization extends them.
public struct ChunkedHistory: MessageHistory, ThreadHistory {
    let store: ChatStore
    let account: RemoteAccount

    public func completeness(of thread: String) async throws -> HistoryCompleteness {
        let number = account.number
        let (chunks, offset) = try await store.read { transaction in
            guard let record = try transaction.thread(thread, of: number) else { throw ChatError.unknownThread(thread) }
            return (try transaction.chunks(of: record.number), try transaction.headOffset())
        }
        return HistoryCompleteness(offset: offset) { extent(chunks, around: $0) }
    }

    /// The extent around a place, computed from chunks that were read in the same transaction as the rows that it is
    /// applied to.
    func extent(_ chunks: [Chunk], around place: MessagePosition) -> HistoryExtent {
        let isInHole = HistoryExtent(low: place, high: place)
        guard
            let chunk = chunks.chunk(around: place)
                // Without a connection nothing will fill the hole. So the rows below it are shown as they are.
                ?? (account.source == nil ? chunks.last { $0.low < place.createdAt } : nil)
        else { return isInHole }
        // At the lower edge a message of the same time may be missing, so the extent begins after it. At the upper edge
        // such a message would come later in the list.
        return HistoryExtent(
            low: chunk.isOldest ? nil : MessagePosition(createdAt: chunk.low + 1, number: .min),
            high: chunk.isOpen ? nil : MessagePosition(createdAt: chunk.high, number: .max))
    }

    public func extend(thread: Int64, _ direction: FetchDirection, beyond edge: MessagePosition) async {
        await account.synchronizer.extend(thread: thread, direction, beyond: edge)
    }

    public func extend(account number: Int64) async -> Bool {
        await account.synchronizer.extendThreads()
    }
}
