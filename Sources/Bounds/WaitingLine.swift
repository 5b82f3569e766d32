/// Who waits for the places of a pool, and whose turn is next.
///
/// A holder that has its share waits, and others pass it. The holders that wait get places in turn, however many of
/// their works wait: so a holder with one work waits for one work of each other, and not for a thousand of one. How many
/// may wait is bounded in the same way, by a second pool.
///
/// ```swift
/// var line = WaitingLine(limit: 1, waiting: 10)
/// print(line.enter(.root, 1), line.enter(.root, 2))  // the first one begins, the second one waits
/// if let next = line.leave(.root) { print(next) }  // 2
/// ```
public struct WaitingLine: Sendable {
    /// Names one work. The caller chooses it, and never twice.
    public typealias Ticket = UInt64

    public enum Entry: Sendable, Hashable {
        case begins
        case waits
        case refused(PlaceRefusal)
    }

    private var running: SharedPlaces
    private var waiting: SharedPlaces
    /// The works of each holder that wait, the oldest first. No entry is empty.
    private var works: [Holder: [Ticket]] = [:]
    /// The holders in `works`. The first one that may take a place is next.
    private var turns: [Holder] = []

    /// - Parameter waiting: how many works may wait, of which each holder has its share.
    public init(limit: Int, waiting: Int) {
        running = SharedPlaces(limit: limit)
        self.waiting = SharedPlaces(limit: waiting)
    }

    public var runningCount: Int { running.taken }
    public var waitingCount: Int { waiting.taken }

    /// A work begins, waits for its turn, or is refused. After its end call ``leave(_:)``.
    public mutating func enter(_ holder: Holder, _ ticket: Ticket) -> Entry {
        if running.take(holder) == nil { return .begins }
        if let refusal = waiting.take(holder) { return .refused(refusal) }
        if works[holder] == nil { turns.append(holder) }
        works[holder, default: []].append(ticket)
        return .waits
    }

    /// A work begins, if it need not wait. After its end call ``leave(_:)``.
    public mutating func enterAtOnce(_ holder: Holder) -> Bool { running.take(holder) == nil }

    /// Why a work of the holder would be refused now; nil when it would begin or wait.
    public func refusal(of holder: Holder) -> PlaceRefusal? {
        running.refusal(of: holder) == nil ? nil : waiting.refusal(of: holder)
    }

    /// A work of the holder has ended.
    /// - Returns: the work that begins in its place, if one waits.
    public mutating func leave(_ holder: Holder) -> Ticket? {
        running.giveBack(holder)
        guard let index = turns.firstIndex(where: { running.take($0) == nil }) else { return nil }
        let next = turns.remove(at: index)
        waiting.giveBack(next)
        let ticket = works[next]?.removeFirst()
        if works[next]?.isEmpty == false { turns.append(next) } else { works[next] = nil }
        return ticket
    }

    /// A work waits no longer.
    /// - Returns: false when it does not wait: it has begun, or was never there.
    public mutating func withdraw(_ holder: Holder, _ ticket: Ticket) -> Bool {
        guard let index = works[holder]?.firstIndex(of: ticket) else { return false }
        waiting.giveBack(holder)
        works[holder]?.remove(at: index)
        if works[holder]?.isEmpty == true {
            works[holder] = nil
            turns.removeAll { $0 == holder }
        }
        return true
    }
}
