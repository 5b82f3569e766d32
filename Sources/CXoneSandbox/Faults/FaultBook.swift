import ChatModel
import Formats
import Synchronization

/// The faults that have not happened yet, in the order in which they were added. In memory only; may be used from
/// any task.
final class FaultBook: Sendable {
    private struct State {
        var faults: [Fault] = []
        /// Tokens that were issued up to this time are void. By customer; the key "" stands for all customers.
        var voidBefore: [String: Timestamp] = [:]
    }
    private let state = Mutex(State())

    /// The most faults that wait, and the most customers whose tokens are void.
    static let limit = 1000

    /// In the order in which they were added; for the API.
    var all: [Fault] { state.withLock { $0.faults } }

    /// Adds a fault after the others. False when ``limit`` faults wait already.
    func add(_ fault: Fault) -> Bool {
        state.withLock { state in
            guard state.faults.count < Self.limit else { return false }
            state.faults.append(fault)
            return true
        }
    }

    /// Removes the faults that wait. Tokens that were made void stay so.
    func removeAll() { state.withLock { $0.faults = [] } }

    /// The first fault of these kinds that fits the customer and the event. Its count goes down by one; at 0 it
    /// is removed. A fault without customer or event fits any.
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

    /// Makes all tokens void that were issued up to the time; nil: those of all customers. False when too many
    /// single customers are noted already.
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

    /// Whether a token was issued before its customer's tokens, or all tokens, were made void.
    func isVoid(_ claims: TokenClaims) -> Bool {
        state.withLock { state in
            [state.voidBefore[claims.customer], state.voidBefore[""]].contains {
                $0.map { claims.issuedAt <= $0 } ?? false
            }
        }
    }
}
