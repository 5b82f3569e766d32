/// Who types where, so that an end can be told that nobody reports: after a message, a close, a disconnect.
///
/// What was reported is kept until it ends. There are two bounds: at that of one holder its oldest report gives way, at
/// that of all nothing more is kept. The end of what is not kept is told only if it is reported.
public struct TypingBook<Thread: Hashable & Sendable, Typist: Hashable & Sendable, Report: Sendable>: Sendable {
    /// Who has reported it: a connection, or all agents together.
    public typealias Holder = Int

    private struct Place: Hashable {
        var thread: Thread
        var typist: Typist
    }
    private var threads: [Thread: [Typist: (report: Report, holder: Holder, number: Int)]] = [:]
    private var holders: [Holder: Set<Place>] = [:]
    /// Reports that are kept.
    public private(set) var count = 0
    /// Numbers the reports in their order.
    private var newest = 0
    private let limit: Int
    private let limitOfOne: Int

    /// - Parameters:
    ///   - limit: of reports in all.
    ///   - limitOfOne: of reports of one holder.
    public init(limit: Int, limitOfOne: Int) {
        self.limit = limit
        self.limitOfOne = limitOfOne
    }

    /// Notes that somebody types. A repeated report takes the place of the one before.
    public mutating func begin(_ typist: Typist, in thread: Thread, of holder: Holder, _ report: Report) {
        _ = end(typist, in: thread)
        if let own = holders[holder], own.count >= limitOfOne, let oldest = own.min(by: { number($0) < number($1) }) {
            _ = end(oldest.typist, in: oldest.thread)
        }
        guard count < limit else { return }
        newest += 1
        threads[thread, default: [:]][typist] = (report, holder, newest)
        holders[holder, default: []].insert(Place(thread: thread, typist: typist))
        count += 1
    }

    /// The threads of which this typist has reported something.
    public func threads(of typist: Typist) -> [Thread] { threads.filter { $0.value[typist] != nil }.map(\.key) }

    private func number(_ place: Place) -> Int { threads[place.thread]?[place.typist]?.number ?? 0 }

    /// Ends what this typist reported of the thread, and returns it; nil if there is nothing.
    public mutating func end(_ typist: Typist, in thread: Thread) -> Report? {
        // Every message asks this, and mostly nobody types. To read first costs no memory.
        guard count > 0, let ended = threads[thread]?[typist] else { return nil }
        threads[thread]?[typist] = nil
        if threads[thread]?.isEmpty == true { threads[thread] = nil }
        holders[ended.holder]?.remove(Place(thread: thread, typist: typist))
        if holders[ended.holder]?.isEmpty == true { holders[ended.holder] = nil }
        count -= 1
        return ended.report
    }

    /// Ends what anybody reported of the thread.
    public mutating func endAll(in thread: Thread) -> [Report] {
        (threads[thread] ?? [:]).keys.compactMap { end($0, in: thread) }
    }

    /// Ends what a holder reported of any thread.
    public mutating func endAll(of holder: Holder) -> [Report] {
        (holders[holder] ?? []).compactMap { end($0.typist, in: $0.thread) }
    }
}

/// What stands in a customer's field while they type.
public enum TypingPreview {
    /// Characters (Unicode scalars) that agents are shown.
    public static let maximumLength = 1000
}
