import ChatStore

/// How complete the store's rows of a thread are: the seam between collections and whoever fills the store.
///
/// The embedded service is complete by nature (``CompleteHistory``); a remote one has chunks without holes, and a
/// background synchronization that extends them.
public protocol MessageHistory: Sendable {
    /// How complete the store's rows of a thread are now. Throws `unknownThread`.
    func completeness(of thread: String) async throws -> HistoryCompleteness

    /// Returns when the store may have more rows beyond `edge` in this direction: after the synchronization's next
    /// page, its failure, or 10 s (collections 3.3). Returns at once when nothing more can come.
    func extend(thread: Int64, _ direction: FetchDirection, beyond edge: ReadPosition) async
}

/// How complete the rows of a thread were at one moment: to be asked while something is locked, when nothing may be read.
public struct HistoryCompleteness: Sendable {
    /// The log's head at that moment.
    public let offset: Int64
    /// Between which rows around a place the store has every message of the thread.
    ///
    /// A place inside a hole gives an extent that ends there in both directions.
    public let extent: @Sendable (ReadPosition) -> HistoryExtent

    public init(offset: Int64, extent: @escaping @Sendable (ReadPosition) -> HistoryExtent) {
        self.offset = offset
        self.extent = extent
    }

    /// Nothing is ever missing.
    public static let whole = HistoryCompleteness(offset: .max) { _ in HistoryExtent() }

    /// Whether a new message joins the newest row of a view without a hole between them.
    func joins(_ newest: ReadPosition, _ place: ReadPosition) -> Bool {
        let (above, below) = (extent(newest), extent(place))
        return (above.high.map { place <= $0 } ?? true) || (below.low.map { $0 <= newest } ?? true)
    }
}

/// Where a stretch of messages without holes begins and ends.
public struct HistoryExtent: Sendable, Equatable {
    /// The oldest row that is known to be joined; nil when nothing older exists anywhere.
    public var low: ReadPosition?
    /// The newest one; nil when nothing newer exists anywhere.
    public var high: ReadPosition?

    public init(low: ReadPosition? = nil, high: ReadPosition? = nil) {
        self.low = low
        self.high = high
    }
}

/// Whether more of an account's threads may come: the same seam for thread collections (2.2a).
public protocol ThreadHistory: Sendable {
    /// Asks the service for its next page of threads and writes it into the store. Returns whether more may come;
    /// false also when the service cannot be reached.
    func extend(account: Int64) async -> Bool
}

/// Which way a fetch goes.
public enum FetchDirection: String, Sendable, CaseIterable {
    /// Towards older messages.
    case previous
    /// Towards newer messages; the only one of thread collections.
    case next
}

/// The history of a service whose rows are the truth: nothing is missing, nothing more will come.
public struct CompleteHistory: MessageHistory, ThreadHistory {
    public init() {}

    public func completeness(of thread: String) async -> HistoryCompleteness { .whole }
    public func extend(thread: Int64, _ direction: FetchDirection, beyond edge: ReadPosition) async {}
    public func extend(account: Int64) async -> Bool { false }
}
