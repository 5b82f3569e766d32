import Synchronization

/// Names that a customer gave to threads, until the platform answers: what it tells of a name meanwhile may be older.
///
/// A connection tells one name of a thread at a time, so that the last one given is the last one told. They outlive a
/// connection: one that was lost on the way is told again, unless the platform has another one by then. Lives as long as the
/// account has sessions.
final class OwnNames: Sendable {
    /// A name to be told.
    struct Telling: Sendable {
        var thread: String
        var name: String?
        fileprivate var turn: Int
    }

    private struct Name {
        var text: String?
        /// What the platform had before.
        var base: String?
        var turn: Int
        /// The connection that is telling it.
        var teller: ObjectIdentifier?
    }

    private struct State {
        /// By account and thread.
        var names: [Int64: [String: Name]] = [:]
        var turn = 0

        mutating func tidy(_ account: Int64) {
            if names[account]?.isEmpty == true { names[account] = nil }
        }
    }
    private let state = Mutex(State())

    /// Notes a name, in place of `old`. Returns what is to be told now; nil while this connection tells an earlier one.
    func give(_ name: String?, insteadOf old: String?, to thread: String, account: Int64, by teller: ObjectIdentifier) -> Telling? {
        state.withLock { state in
            state.turn += 1
            let known = state.names[account]?[thread]
            state.names[account, default: [:]][thread] = Name(text: name, base: known == nil ? old : known?.base, turn: state.turn, teller: teller)
            return known?.teller == teller ? nil : Telling(thread: thread, name: name, turn: state.turn)
        }
    }

    /// The platform has answered. Returns a name that was given since, to be told now.
    func settle(_ told: Telling, account: Int64, by teller: ObjectIdentifier) -> Telling? {
        end(told, account, teller) { $0 = nil }
    }

    /// No answer came. It may have arrived all the same (the iOS SDK awaits none): the platform's list will show.
    func lose(_ told: Telling, account: Int64, by teller: ObjectIdentifier) -> Telling? {
        end(told, account, teller) { $0?.teller = nil }
    }

    private func end(_ told: Telling, _ account: Int64, _ teller: ObjectIdentifier, _ change: (inout Name?) -> Void) -> Telling? {
        state.withLock { state in
            guard let name = state.names[account]?[told.thread], name.teller == teller else { return nil }
            guard name.turn == told.turn else { return Telling(thread: told.thread, name: name.text, turn: name.turn) }
            change(&state.names[account, default: [:]][told.thread])
            state.tidy(account)
            return nil
        }
    }

    /// The connection has gone: nobody tells what it was telling.
    func lose(of account: Int64, by teller: ObjectIdentifier) {
        state.withLock { state in
            for (thread, name) in state.names[account] ?? [:] where name.teller == teller {
                state.names[account]?[thread]?.teller = nil
            }
        }
    }

    /// What was lost, to be told now.
    func lost(of account: Int64, by teller: ObjectIdentifier) -> [Telling] {
        state.withLock { state in
            var found: [Telling] = []
            for (thread, name) in state.names[account] ?? [:] where name.teller == nil {
                state.names[account]?[thread]?.teller = teller
                found.append(Telling(thread: thread, name: name.text, turn: name.turn))
            }
            return found.sorted { $0.turn < $1.turn }
        }
    }

    /// The platform does not have the thread any more.
    func forget(_ thread: String, account: Int64) {
        state.withLock { state in
            state.names[account]?[thread] = nil
            state.tidy(account)
        }
    }

    /// The account has no sessions any more.
    func forget(account: Int64) { state.withLock { $0.names[account] = nil } }

    /// How many accounts have names that are not settled.
    var count: Int { state.withLock { $0.names.count } }

    /// The thread's name: the customer's own while it is told, or as long as the platform has the one before; else the
    /// platform's.
    func name(of thread: String, account: Int64, there: String?) -> String? {
        state.withLock { state in
            guard let own = state.names[account]?[thread] else { return there }
            if own.teller != nil || there == own.base { return own.text }
            state.names[account]?[thread] = nil
            state.tidy(account)
            return there
        }
    }
}
