import Chat
import ChatStore
import Synchronization

/// One thing that must be well, with its name in the answer.
struct HealthCheck: Sendable, Equatable {
    var name: String
    var isWell: Bool
    /// Why the check failed, if that is known; shown to the caller.
    var fault: String?

    init(_ name: String, _ isWell: Bool) { (self.name, self.isWell) = (name, isWell) }
    init(_ name: String, fault: String?) { (self.name, self.isWell, self.fault) = (name, fault == nil, fault) }

    /// The name, and why the check failed.
    var failure: String { fault.map { "\(name) (\($0))" } ?? name }
}

/// A check that may take long: a commit waits for another machine, or a disk does not answer.
///
/// Nobody waits longer than ``patience``, so that a balancer gets an answer before it gives the gateway up. All who ask
/// while the check runs share one run: however often they ask, one run at most waits.
final class SharedCheck: Sendable {
    static let patience = Duration.milliseconds(800)

    private let name: String
    private let look: @Sendable () async -> HealthCheck
    private let running = Mutex<Answer<HealthCheck>?>(nil)

    /// - Parameter look: what is done to find out; it may take as long as it likes.
    init(_ name: String, look: @escaping @Sendable () async -> HealthCheck) {
        self.name = name
        self.look = look
    }

    func check(on clock: any Clock<Duration>) async -> HealthCheck {
        let answer = running.withLock { running in
            if let running { return running }
            let answer = Answer<HealthCheck>()
            running = answer
            Task { [self] in
                let result = await look()
                // Before the answer: whoever asks after it starts a new run.
                self.running.withLock { $0 = nil }
                answer.give(result)
            }
            return answer
        }
        return await answer.value(within: Self.patience, on: clock)
            ?? HealthCheck(name, fault: "no answer within \(Self.patience / .milliseconds(1)) ms")
    }
}

/// What ``HealthRoutes`` asks of the store.
struct StoreHealth: Sendable {
    let store: SharedCheck
    let files: SharedCheck

    init(_ store: ChatStore) {
        self.store = SharedCheck("store") { HealthCheck("store", fault: await store.writeFault()) }
        files = SharedCheck("files") { HealthCheck("files", fault: await store.fileFault()) }
    }
}
