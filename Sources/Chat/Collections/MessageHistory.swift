import ChatStore

/// How complete the store's rows of a thread are: the seam between collections and whoever fills the store.
///
/// The embedded service is complete by nature (``CompleteHistory``); a remote one has chunks without holes, and a
/// background synchronization that extends them.
public protocol MessageHistory: Sendable {
    /// Between which rows around a place the store has every message of the thread.
    ///
    /// A place inside a hole gives an extent that ends there in both directions. Synchronous and bounded.
    func extent(of thread: Int64, around place: ReadPosition) throws -> HistoryExtent

    /// Returns when the store may have more rows beyond `edge` in this direction: after the synchronization's next
    /// page, its failure, or 10 s (collections 3.3). Returns at once when nothing more can come.
    func extend(thread: Int64, _ direction: FetchDirection, beyond edge: ReadPosition) async
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

    public func extent(of thread: Int64, around place: ReadPosition) -> HistoryExtent { HistoryExtent() }
    public func extend(thread: Int64, _ direction: FetchDirection, beyond edge: ReadPosition) async {}
    public func extend(account: Int64) async -> Bool { false }
}
