import ChatModel
import CXoneWire
import Synchronization

/// Names that a customer gave to threads and that the platform has not confirmed yet. Meanwhile the platform may
/// still tell the old name, which must not be shown.
///
/// A connection tells one name of a thread at a time, so that the last one given is the last one told. A name
/// whose connection was lost is told again by the next one, unless the platform has a new name by then. Kept in
/// memory, until the account's last session ends. May be used from any task.
final class OwnNames: Sendable {
    /// A name to be told.
    struct Telling: Sendable {
        var thread: String
        var name: String?
        fileprivate var turn: Int
    }

    private struct Name {
        var text: String?
        /// The platform's name when the first unconfirmed name was given, and the turn of that.
        var base: String?
        var firstTurn: Int
        var turn: Int
        /// The connection that is telling it.
        var teller: ObjectIdentifier?
    }

    /// A name in a unit of work that may still fail.
    private struct Offer {
        var id: OfferID
        var thread: String
        var text: String?
        var old: String?
        var turn: Int
    }

    private struct State {
        /// By account and thread.
        var names: [Int64: [String: Name]] = [:]
        /// By account, in the order of their units.
        var offers: [Int64: [Offer]] = [:]
        var turn = 0

        mutating func remove(_ id: OfferID, of account: Int64) -> Offer? {
            guard let index = offers[account]?.firstIndex(where: { $0.id == id }) else { return nil }
            defer { tidy(account) }
            return offers[account]?.remove(at: index)
        }

        mutating func tidy(_ account: Int64) {
            if names[account]?.isEmpty == true { names[account] = nil }
            if offers[account]?.isEmpty == true { offers[account] = nil }
        }
    }
    private let state = Mutex(State())

    /// Notes a name in place of `old`, inside the unit that stores it. It is shown from now on, and told once the unit is
    /// committed: ``commit(_:account:by:)`` or ``drop(_:account:)`` must follow.
    func offer(_ name: String?, insteadOf old: String?, to thread: String, account: Int64, as id: OfferID) {
        state.withLock { state in
            // The unit may run twice.
            state.offers[account]?.removeAll { $0.id == id }
            state.turn += 1
            state.offers[account, default: []].append(
                Offer(id: id, thread: thread, text: name, old: old, turn: state.turn))
        }
    }

    /// The name was committed. Returns what the caller must tell now. Nil: this connection is telling an earlier name
    /// of the thread, and tells this one after that; or a later name is known already; or nothing was offered.
    func commit(_ id: OfferID, account: Int64, by teller: ObjectIdentifier) -> Telling? {
        state.withLock { state -> Telling? in
            guard let offer = state.remove(id, of: account) else { return nil }
            let known = state.names[account]?[offer.thread]
            if var later = known, later.turn > offer.turn {
                // Those who wait for one commit may come in any order.
                if later.firstTurn > offer.turn { (later.base, later.firstTurn) = (offer.old, offer.turn) }
                state.names[account]?[offer.thread] = later
                return nil
            }
            state.names[account, default: [:]][offer.thread] = Name(
                text: offer.text, base: known == nil ? offer.old : known?.base,
                firstTurn: known?.firstTurn ?? offer.turn, turn: offer.turn, teller: teller)
            return known?.teller == teller ? nil : Telling(thread: offer.thread, name: offer.text, turn: offer.turn)
        }
    }

    /// The name was not committed: it is neither shown nor told.
    func drop(_ id: OfferID, account: Int64) { state.withLock { _ = $0.remove(id, of: account) } }

    /// The platform has answered, by success or refusal. Returns a name that was given meanwhile and must be told
    /// now.
    func settle(_ told: Telling, account: Int64, by teller: ObjectIdentifier) -> Telling? {
        end(told, account, teller) { $0 = nil }
    }

    /// No answer came. The name may have arrived all the same; the platform's next list of threads decides.
    /// Returns a name that was given meanwhile and must be told now.
    func lose(_ told: Telling, account: Int64, by teller: ObjectIdentifier) -> Telling? {
        end(told, account, teller) { $0?.teller = nil }
    }

    private func end(
        _ told: Telling, _ account: Int64, _ teller: ObjectIdentifier, _ change: (inout Name?) -> Void
    ) -> Telling? {
        state.withLock { state in
            guard let name = state.names[account]?[told.thread], name.teller == teller else { return nil }
            guard name.turn == told.turn else { return Telling(thread: told.thread, name: name.text, turn: name.turn) }
            change(&state.names[account, default: [:]][told.thread])
            state.tidy(account)
            return nil
        }
    }

    /// The connection has ended. The names that it was telling wait for another one.
    func lose(of account: Int64, by teller: ObjectIdentifier) {
        state.withLock { state in
            for (thread, name) in state.names[account] ?? [:] where name.teller == teller {
                state.names[account]?[thread]?.teller = nil
            }
        }
    }

    /// Names that no connection tells, in the order in which they were given. The caller must tell them: they are
    /// its own from now on.
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

    /// The platform does not have these threads any more.
    func forget(_ threads: Set<String>, account: Int64) {
        state.withLock { state in
            for thread in threads { state.names[account]?[thread] = nil }
            state.offers[account]?.removeAll { threads.contains($0.thread) }
            state.tidy(account)
        }
    }

    /// The account has no sessions any more.
    func forget(account: Int64) { state.withLock { ($0.names[account], $0.offers[account]) = (nil, nil) } }

    /// How many accounts have names that are not settled.
    var count: Int { state.withLock { Set($0.names.keys).union($0.offers.keys).count } }

    /// The name to show: the customer's own while it is being told, or while the platform still has the name from
    /// before. Otherwise the platform's, and the own one is forgotten.
    func name(of thread: String, account: Int64, there: String?) -> String? {
        state.withLock { state in
            if let offered = state.offers[account]?.last(where: { $0.thread == thread }) { return offered.text }
            guard let own = state.names[account]?[thread] else { return there }
            if own.teller != nil || there == own.base { return own.text }
            state.names[account]?[thread] = nil
            state.tidy(account)
            return there
        }
    }
}

/// Tells the platform the names that the customer gives to threads.
struct NameTeller: Sendable {
    let account: ConnectedAccount
    /// Reads a thread whose name the platform refused.
    let readAnew: @Sendable (String) async -> Void

    /// Sends `UpdateThread`; an empty name means none. Returns when the event is sent, not when it is answered. A
    /// name that was given meanwhile is told after the answer.
    func send(_ telling: OwnNames.Telling) async {
        let (names, number, me) = (account.service.ownNames, account.number, ObjectIdentifier(account))
        let event = ClientEvent.updateThread(ThreadReference(id: telling.thread, name: telling.name ?? ""))
        do throws(ChatError) {
            try await account.link.ask(event) { [self] answer in
                var refusal: ChatError?
                if case .failure(let error) = answer { refusal = error }
                let isLost = refusal?.code == .notConnected || refusal?.code == .eventTimeout
                let next =
                    isLost
                    ? names.lose(telling, account: number, by: me) : names.settle(telling, account: number, by: me)
                if let next { Task { await send(next) } }
                guard let refusal, !isLost else { return }
                account.publish(refusal)
                // The platform kept another name: it is read and shown.
                if next == nil { Task { await readAnew(telling.thread) } }
            }
        } catch {
            // `lose` returns only a name that was given meanwhile, so the recursion ends when no new one is
            // given.
            if let next = names.lose(telling, account: number, by: me) { await send(next) }
        }
    }

    /// Tells again the names whose telling got no answer. Called after the list was read: names that the list
    /// shows to have arrived are settled by then.
    func sendAgain() async {
        for telling in account.service.ownNames.lost(of: account.number, by: ObjectIdentifier(account)) {
            await send(telling)
        }
    }
}
