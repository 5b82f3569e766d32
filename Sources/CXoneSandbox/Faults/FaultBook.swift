import ChatModel
import Formats
import Synchronization

/// The faults that are due, in the order in which they were asked for.
final class FaultBook: Sendable {
    private struct State {
        var faults: [Fault] = []
        /// Tokens from before are void: of a customer, or under "" of all.
        var voidBefore: [String: Timestamp] = [:]
    }
    private let state = Mutex(State())

    /// Faults that may be due at a time, and customers whose tokens are void.
    static let limit = 1000

    var all: [Fault] { state.withLock { $0.faults } }

    /// False when there are too many.
    func add(_ fault: Fault) -> Bool {
        state.withLock { state in
            guard state.faults.count < Self.limit else { return false }
            state.faults.append(fault)
            return true
        }
    }

    func removeAll() { state.withLock { $0.faults = [] } }

    /// The first fault of a kind that meets this; it is used up by one.
    func take(_ kinds: Set<Fault.Kind>, customer: String?, event: String) -> Fault? {
        state.withLock { state in
            let index = state.faults.firstIndex { fault in
                kinds.contains(fault.kind) && (fault.customer == nil || fault.customer == customer)
                    && (fault.event == nil || fault.event == event)
            }
            guard let index else { return nil }
            let fault = state.faults[index]
            state.faults[index].count -= 1
            if state.faults[index].count <= 0 { state.faults.remove(at: index) }
            return fault
        }
    }

    /// False when the tokens of too many single customers have been expired already.
    func expireTokens(of customer: String?, at time: Timestamp) -> Bool {
        state.withLock { state in
            if customer == nil {
                // It says more than what is known of single customers.
                state.voidBefore = ["": time]
                return true
            }
            if state.voidBefore.count >= Self.limit {
                // Tokens that were given out longer ago have expired by themselves.
                let earliest = time.advanced(byMilliseconds: -Int64(Sandbox.tokenLifetime) * 1000)
                state.voidBefore = state.voidBefore.filter { $0.value > earliest }
            }
            guard state.voidBefore.count < Self.limit else { return false }
            state.voidBefore[customer ?? ""] = time
            return true
        }
    }

    func isVoid(_ claims: TokenClaims) -> Bool {
        state.withLock { state in
            [state.voidBefore[claims.customer], state.voidBefore[""]].contains { $0.map { claims.issuedAt <= $0 } ?? false }
        }
    }
}
