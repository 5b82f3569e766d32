import Chat
import ChatModel
import ChatStore
import Synchronization

/// An adapter to a ``SimulatedPlatform``, whose network does what the test says, call by call.
///
/// Calls: `threads`, `threadChanges`, `messages`, `messageChanges`, `send`, `lookup`, and `send.answer`, which is what
/// becomes of the answer once the platform has taken the message.
public final class SimulatedService: ChatService {
    public let id = "simulated"
    public let name = "Simulated"
    public let capabilities: Set<Capability> = [.threads, .editMessages, .deleteMessages, .attachments]
    public let isRemote = true
    public let platform: SimulatedPlatform
    let store: ChatStore
    let clock: any Clock<Duration>
    public let calls = Journal<String>()

    private struct State {
        var script: [String: [Step]] = [:]
        var delay = Duration.zero
        var chance: (@Sendable (String) -> Step)?
        var duplicates = false
        var reorders = false
        var connections: [Int: SimulatedConnection] = [:]
    }
    private let state = Mutex(State())

    public init(platform: SimulatedPlatform, store: ChatStore, clock: any Clock<Duration>) {
        self.platform = platform
        self.store = store
        self.clock = clock
    }

    // MARK: The network

    /// What the next calls of a name do; whatever is not scripted goes well.
    public func script(_ call: String, _ steps: Step...) { state.withLock { $0.script[call, default: []] += steps } }

    /// What calls do that are not scripted.
    public func setChance(_ chance: (@Sendable (String) -> Step)?) { state.withLock { $0.chance = chance } }

    /// How long each call takes.
    public func setDelay(_ delay: Duration) { state.withLock { $0.delay = delay } }

    /// Events of a connection come twice, and neighbours swapped.
    public func setDisorder(_ isDisorderly: Bool) {
        state.withLock { ($0.duplicates, $0.reorders) = (isDisorderly, isDisorderly) }
    }

    public func count(_ call: String) -> Int { calls.entries.count { $0 == call } }

    /// All connections are gone; events that are on their way are lost.
    public func loseConnections() {
        let lost = state.withLock { state in
            defer { state.connections = [:] }
            return state.connections.values
        }
        for connection in lost { connection.lose() }
    }

    /// Returns when everything that the platform has told was written.
    public func settle() async {
        for connection in state.withLock({ Array($0.connections.values) }) { await connection.drained() }
    }

    func step(_ call: String) async throws(ChatError) {
        calls.add(call)
        var (step, delay) = state.withLock { state -> (Step, Duration) in
            if state.script[call]?.isEmpty == false { return (state.script[call]?.removeFirst() ?? .go, state.delay) }
            return (state.chance?(call) ?? .go, state.delay)
        }
        if delay > .zero { try? await clock.sleep(for: delay) }
        while case .hold(let gate, let then) = step {
            await gate.pass()
            step = then
        }
        if case .fail(let code) = step { throw ChatError(code, "as scripted") }
    }

    var disorder: (duplicates: Bool, reorders: Bool) { state.withLock { ($0.duplicates, $0.reorders) } }

    // MARK: ChatService

    public func channels() throws(ChatError) -> [Channel] { [] }
    public func channel(_ id: String) async throws(ChatError) -> Channel {
        Channel(id: id, name: id, mode: .multithread, capabilities: capabilities)
    }
    public func isOnline(_ account: AccountRecord) async throws(ChatError) -> Bool { true }

    public func connect(
        _ account: AccountRecord, channel: Channel, onLoss: @escaping @Sendable () -> Void
    ) async throws(ChatError) -> any ServiceConnection {
        try await step("connect")
        let connection = SimulatedConnection(service: self, account: account, onLoss: onLoss)
        connection.open()
        state.withLock { $0.connections[connection.device] = connection }
        return connection
    }

    func closed(_ device: Int) { state.withLock { $0.connections[device] = nil } }
}
