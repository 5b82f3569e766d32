import Synchronization

/// Names that a customer gave to threads, until the platform answers: what it tells of a name meanwhile may be older.
///
/// One name of a thread is told at a time, so that the last one given is the last one told. They outlive a connection: one
/// that was lost on the way is told again. Lives as long as the gateway runs.
final class OwnNames: Sendable {
    /// A name to be told.
    struct Telling: Sendable {
        var thread: String
        var name: String?
        fileprivate var turn: Int
    }

    private struct Key: Hashable {
        var account: Int64
        var thread: String
    }

    private struct Name {
        var text: String?
        var turn: Int
        var isBeingTold: Bool
    }

    private struct State {
        var names: [Key: Name] = [:]
        var turn = 0
    }
    private let state = Mutex(State())

    /// Notes a name. Returns what is to be told now; nil while an earlier one is.
    func give(_ name: String?, to thread: String, account: Int64) -> Telling? {
        state.withLock { state in
            state.turn += 1
            let key = Key(account: account, thread: thread)
            let isBeingTold = state.names[key]?.isBeingTold ?? false
            state.names[key] = Name(text: name, turn: state.turn, isBeingTold: true)
            return isBeingTold ? nil : Telling(thread: thread, name: name, turn: state.turn)
        }
    }

    /// The platform has answered, or gives no answer. Returns a name that was given since, to be told now.
    func settle(_ told: Telling, account: Int64) -> Telling? {
        state.withLock { state in
            let key = Key(account: account, thread: told.thread)
            guard let name = state.names[key] else { return nil }
            if name.turn == told.turn {
                state.names[key] = nil
                return nil
            }
            return Telling(thread: told.thread, name: name.text, turn: name.turn)
        }
    }

    /// The connection went before the answer came.
    func lose(_ told: Telling, account: Int64) {
        state.withLock { $0.names[Key(account: account, thread: told.thread)]?.isBeingTold = false }
    }

    /// What earlier connections were lost with, to be told now.
    func lost(of account: Int64) -> [Telling] {
        state.withLock { state in
            var found: [Telling] = []
            for (key, name) in state.names where key.account == account && !name.isBeingTold {
                state.names[key]?.isBeingTold = true
                found.append(Telling(thread: key.thread, name: name.text, turn: name.turn))
            }
            return found.sorted { $0.turn < $1.turn }
        }
    }

    /// The thread's name: the customer's own as long as it waits for an answer, else the platform's.
    func name(of thread: String, account: Int64, there: String?) -> String? {
        state.withLock { state in
            guard let own = state.names[Key(account: account, thread: thread)] else { return there }
            return own.text
        }
    }
}
