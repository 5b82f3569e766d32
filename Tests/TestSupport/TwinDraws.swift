import ChatModel
import ChatStore
import Formats
import Synchronization

/// Gives the second of two engines the times, ids and numbers that the first one got.
final class TwinDraws: Sendable {
    private struct State {
        /// The time of the group that is being committed.
        var now: Timestamp?
        /// The unit that runs, by its number in the group.
        var unit = 0
        /// What each unit of the group has drawn.
        var ids: [Int: [String]] = [:]
        /// How many of them the unit has got again.
        var taken = 0
        /// What was drawn when the first engine was opened, until the second one is.
        var numbers: [Double] = []
    }
    private let state = Mutex(State())
    private let base: ModelEnvironment

    init(_ base: ModelEnvironment) { self.base = base }

    var first: ModelEnvironment {
        ModelEnvironment(
            now: now,
            makeID: { [self] in
                let id = base.makeID()
                state.withLock { $0.ids[$0.unit, default: []].append(id) }
                return id
            },
            random: { [self] in
                let number = base.random()
                state.withLock { $0.numbers.append(number) }
                return number
            }, timeZone: base.timeZone)
    }

    var second: ModelEnvironment {
        ModelEnvironment(
            now: now,
            makeID: { [self] in
                state.withLock { state in
                    let ids = state.ids[state.unit] ?? []
                    defer { state.taken += 1 }
                    return state.taken < ids.count ? ids[state.taken] : "never drawn"
                }
            },
            random: { [self] in state.withLock { $0.numbers.isEmpty ? 0 : $0.numbers.removeFirst() } },
            timeZone: base.timeZone)
    }

    private var now: @Sendable () -> Timestamp { { [self] in state.withLock { $0.now } ?? base.now() } }

    /// Begins a group.
    func stopTime() {
        let now = base.now()
        state.withLock { ($0.now, $0.ids) = (now, [:]) }
    }

    func letTimeGo() { state.withLock { $0.now = nil } }

    /// A unit as the first engine runs it, which may do so more than once.
    func recording(_ unit: GroupCommit.Unit, number: Int) -> GroupCommit.Unit {
        with(unit) { ($0.unit, $0.ids[number]) = (number, []) }
    }

    /// The same as the second one runs it.
    func repeating(_ unit: GroupCommit.Unit, number: Int) -> GroupCommit.Unit {
        with(unit) { ($0.unit, $0.taken) = (number, 0) }
    }

    private func with(
        _ unit: GroupCommit.Unit, _ begin: @escaping @Sendable (inout State) -> Void
    ) -> GroupCommit.Unit {
        var changed = unit
        changed.run = { [self] transaction in
            state.withLock { begin(&$0) }
            try unit.run(transaction)
        }
        return changed
    }
}
