import Synchronization

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
        if running.takePlace(holder) == nil { return .begins }
        if let refusal = waiting.takePlace(holder) { return .refused(refusal) }
        if works[holder] == nil { turns.append(holder) }
        works[holder, default: []].append(ticket)
        return .waits
    }

    /// A work begins, if it need not wait. After its end call ``leave(_:)``.
    public mutating func enterAtOnce(_ holder: Holder) -> Bool { running.takePlace(holder) == nil }

    /// Why a work of the holder would be refused now; nil when it would begin or wait.
    public func refusal(of holder: Holder) -> PlaceRefusal? {
        running.refusal(of: holder) == nil ? nil : waiting.refusal(of: holder)
    }

    /// A work of the holder has ended.
    /// - Returns: the work that begins in its place, if one waits.
    public mutating func leave(_ holder: Holder) -> Ticket? {
        running.giveBack(holder)
        guard let index = turns.firstIndex(where: { running.takePlace($0) == nil }) else { return nil }
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

/// ``WaitingLine`` for tasks: a work waits for its turn, as long as its task is not cancelled.
public final class PlaceLine: Sendable {
    private struct State {
        var line: WaitingLine
        var last: WaitingLine.Ticket = 0
        var waiting: [WaitingLine.Ticket: CheckedContinuation<Bool, Never>] = [:]
    }

    private let state: Mutex<State>

    /// - Parameters:
    ///   - limit: works at a time.
    ///   - waiting: works that may wait.
    public init(limit: Int, waiting: Int) {
        state = Mutex(State(line: WaitingLine(limit: limit, waiting: waiting)))
    }

    /// The works that run, and those that wait.
    public var counts: (running: Int, waiting: Int) {
        state.withLock { ($0.line.runningCount, $0.line.waitingCount) }
    }

    /// Why ``enter(_:)`` would refuse the holder now; nil when it would not. So a refusal need not cost a task.
    public func refusal(of holder: Holder) -> PlaceRefusal? { state.withLock { $0.line.refusal(of: holder) } }

    /// Takes a place if there is one. After the work call ``leave(_:)``. It costs less than to wait for one.
    public func enterAtOnce(_ holder: Holder) -> Bool { state.withLock { $0.line.enterAtOnce(holder) } }

    /// Waits for a place. After the work call ``leave(_:)``, on any thread.
    ///
    /// - Throws: ``PlaceRefusal`` when too many wait, and `CancellationError` when the task is cancelled before its turn.
    ///   Then there is no place to give back.
    public func enter(_ holder: Holder) async throws {
        let ticket = state.withLock { state in
            state.last += 1
            return state.last
        }
        let hasPlace = try await withTaskCancellationHandler {
            var refusal: PlaceRefusal?
            let hasPlace = await withCheckedContinuation { continuation in
                let known: Bool? = state.withLock { state in
                    // Under the lock: a cancellation comes either before, or finds the work waiting.
                    if Task.isCancelled { return false }
                    switch state.line.enter(holder, ticket) {
                    case .begins: return true
                    case .refused(let reason):
                        refusal = reason
                        return false
                    case .waits:
                        state.waiting[ticket] = continuation
                        return nil
                    }
                }
                if let known { continuation.resume(returning: known) }
            }
            if let refusal { throw refusal }
            return hasPlace
        } onCancel: {
            let waiting = state.withLock { state in
                state.line.withdraw(holder, ticket) ? state.waiting.removeValue(forKey: ticket) : nil
            }
            waiting?.resume(returning: false)
        }
        if !hasPlace { throw CancellationError() }
    }

    /// Gives the place of ``enter(_:)`` to the next work.
    public func leave(_ holder: Holder) {
        let next = state.withLock { state in state.line.leave(holder).flatMap { state.waiting.removeValue(forKey: $0) }
        }
        next?.resume(returning: true)
    }

    /// Does the work when its turn has come.
    public func holding<T: Sendable>(_ holder: Holder, _ work: @Sendable () async throws -> T) async throws -> T {
        try await enter(holder)
        defer { leave(holder) }
        return try await work()
    }
}
