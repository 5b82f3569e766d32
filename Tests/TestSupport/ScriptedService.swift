import Chat
import ChatModel
import ChatStore
import Synchronization

/// What one call of a scripted service does.
public enum Step: Sendable {
    case go
    case fail(ChatError.Code)
    /// Answers when the gate is opened, then as the other step says.
    indirect case hold(Gate, then: Step)

    public static func hold(_ gate: Gate) -> Step { .hold(gate, then: .go) }
}

/// Holds whoever comes until it is opened.
public final class Gate: Sendable {
    private let state = Watched<(isOpen: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))

    public init() {}

    public func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for one in waiting { one.resume() }
    }

    public func pass() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.change { state in
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }
}

/// A remote service that does what the test says, call by call; whatever is not scripted goes well.
public final class ScriptedService: ChatService {
    public let id = "scripted"
    public let name = "Scripted"
    public let capabilities: Set<Capability>
    public let mode: ChatMode
    public let isRemote: Bool
    public let takesAuthorization: Bool
    /// The calls that came, in order.
    public let calls = Journal<String>()

    private struct State {
        var script: [String: [Step]] = [:]
        var isOnline = true
        var losses: [@Sendable () -> Void] = []
    }
    private let state = Mutex(State())

    /// - Parameters:
    ///   - isRemote: its answers are waited for 10 s.
    ///   - takesAuthorization: its customers log in.
    public init(
        mode: ChatMode = .multithread, capabilities: Set<Capability> = [.threads], isRemote: Bool = false,
        takesAuthorization: Bool = false
    ) {
        self.mode = mode
        self.capabilities = capabilities
        self.isRemote = isRemote
        self.takesAuthorization = takesAuthorization
    }

    /// What the next calls of a name do.
    public func script(_ call: String, _ steps: Step...) { state.withLock { $0.script[call, default: []] += steps } }

    public func setOnline(_ isOnline: Bool) { state.withLock { $0.isOnline = isOnline } }

    /// The connection of this attempt, counted from 0, is gone.
    public func lose(_ attempt: Int? = nil) {
        state.withLock { $0.losses[attempt ?? ($0.losses.count - 1)] }()
    }

    public func count(_ call: String) -> Int { calls.entries.count { $0 == call } }

    public func step(_ call: String) async throws(ChatError) {
        calls.add(call)
        var step = state.withLock { state -> Step in
            guard state.script[call]?.isEmpty == false else { return .go }
            return state.script[call]?.removeFirst() ?? .go
        }
        while case .hold(let gate, let then) = step {
            await gate.pass()
            step = then
        }
        if case .fail(let code) = step { throw ChatError(code, "as scripted") }
    }

    public func channels() throws(ChatError) -> [Channel] { [] }

    public func channel(_ id: String) async throws(ChatError) -> Channel {
        try await step("channel")
        var channel = Channel(id: id, name: id, mode: mode, capabilities: capabilities)
        if capabilities.contains(.preChatSurvey) {
            channel.preChatSurvey = PreChatSurvey(
                name: "Survey",
                fields: [CustomFieldDefinition(ident: "topic", label: "Topic", kind: .text, isRequired: true)])
        }
        return channel
    }

    public func authorize(_ account: AccountRecord, by authorization: Authorization) async throws(ChatError) {
        try await step("authorize")
    }

    public func prepare(_ account: AccountRecord, channel: Channel) async throws(ChatError) {
        try await step("prepare")
    }

    public func isOnline(_ account: AccountRecord) async throws(ChatError) -> Bool {
        try await step("isOnline")
        return state.withLock { $0.isOnline }
    }

    public func connect(
        _ account: AccountRecord, channel: Channel, onLoss: @escaping @Sendable () -> Void
    ) async throws(ChatError) -> any ServiceConnection {
        state.withLock { $0.losses.append(onLoss) }
        try await step("connect")
        return ScriptedConnection(service: self)
    }
}

public struct ScriptedConnection: ServiceConnection {
    let service: ScriptedService

    private func outcome(_ call: String) async throws(ChatError) -> Outcome {
        try await service.step(call)
        return Outcome(.ok, id: call)
    }

    public func recoverThread() async throws(ChatError) -> Int {
        try await service.step("recoverThread")
        return 1
    }
    public func loadThreads() async throws(ChatError) -> Int {
        try await service.step("loadThreads")
        return 3
    }
    public func load(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await outcome("load")
    }
    public func createThread(_ draft: ThreadDraft, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await outcome("createThread")
    }
    public func rename(_ thread: String, to name: String?, ifMatch version: Int64?) async throws(ChatError) -> Outcome {
        try await outcome("rename")
    }
    public func archive(_ thread: String, ifMatch version: Int64?, receipt: Receipt?) async throws(ChatError) -> Outcome
    {
        try await outcome("archive")
    }
    public func markRead(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await outcome("markRead")
    }
    public func reportTyping(_ isTyping: Bool, text: String?, in thread: String) async throws(ChatError) {
        try await service.step("reportTyping")
    }
    public func setCustomFields(
        _ fields: [String: String], of thread: String, ifMatch version: Int64?
    ) async throws(ChatError) -> [String: String] {
        try await service.step("setCustomFields")
        return fields
    }
    public func send(_ draft: MessageDraft, to thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await outcome("send")
    }
    public func edit(
        _ message: String, in thread: String, text: String, ifMatch version: Int64?
    ) async throws(ChatError) -> Outcome { try await outcome("edit") }
    public func remove(_ message: String, in thread: String, ifMatch version: Int64?) async throws(ChatError) {
        try await service.step("remove")
    }
    public func setCustomer(_ draft: CustomerDraft, ifMatch version: Int64?) async throws(ChatError) -> Customer {
        try await service.step("setCustomer")
        return Customer(id: "c1")
    }
    public func setCustomerCustomFields(
        _ fields: [String: String], ifMatch version: Int64?
    ) async throws(ChatError) -> [String: String] {
        fields
    }
    public func close() async { try? await service.step("close") }
}
