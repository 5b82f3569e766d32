import ChatModel
import ChatStore
import TestSupport
import Testing

@testable import Chat

/// One session on a scripted service, with a clock that the test moves.
struct Scene: Sendable {
    let store: ChatStore
    let service: ScriptedService
    let clock: ManualClock
    let sessions: Sessions
    let client: ChatClient
    let recorder: EventRecorder

    /// Runs a test on a session that is prepared, not connected.
    static func run(
        _ service: ScriptedService = ScriptedService(), isolation: isolated (any Actor)? = #isolation,
        _ body: (Scene) async throws -> Void
    ) async throws {
        try await withStore { store in
            let clock = ManualClock()
            let sessions = Sessions(store: store, services: [service], clock: clock)
            let recorder = EventRecorder(store.feed)
            let client = try await sessions.create(
                service: "scripted", channel: "main", customer: CustomerDraft(id: "c1"), connect: false, receipt: nil)
            try await body(
                Scene(
                    store: store, service: service, clock: clock, sessions: sessions, client: client, recorder: recorder
                ))
            // Whoever still waits is released, so that nothing outlives the test.
            try? await sessions.delete(client.id)
        }
    }

    private init(
        store: ChatStore, service: ScriptedService, clock: ManualClock, sessions: Sessions, client: ChatClient,
        recorder: EventRecorder
    ) {
        self.store = store
        self.service = service
        self.clock = clock
        self.sessions = sessions
        self.client = client
        self.recorder = recorder
    }

    /// What the session's streams were told since the last call: states, each with its error and whether another
    /// attempt follows; errors' codes, counts of threads.
    func news() throws -> [String] {
        try recorder.take().filter { $0.audiences == [.session(client.id)] }.map { event in
            let json = try event.json(for: .session(client.id))
            switch event.type {
            case .chatUpdated:
                let error = json[path: "connectionError", "code"]?.string.map { " \($0)" } ?? ""
                return (json["state"]?.string ?? "?") + error + (json["nextAttemptAt"] == nil ? "" : " next")
            case .error: return "error \(json["code"]?.string ?? "?")" + (json["soft"] == .bool(true) ? " (soft)" : "")
            case .threadsLoaded: return "threads \(json["count"]?.integer ?? -1)"
            default: return event.type.rawValue
            }
        }
    }

    /// Lets a request go out, and returns once the service has it.
    func begin<T: Sendable>(
        _ call: String, _ request: @escaping @Sendable () async throws -> T
    ) async -> Task<T, any Error> {
        let before = service.count(call)
        let task = Task { try await request() }
        #expect(await eventually { service.count(call) > before })
        return task
    }

    func reaches(_ state: ChatState) async -> Bool { await eventually { client.state == state } }

    /// Waits until somebody sleeps, and lets the first of them wake. Returns how long it would have slept.
    @discardableResult
    func wakeNext() async -> Duration? {
        guard await eventually({ clock.nextWaking != nil }), let delay = clock.nextWaking else { return nil }
        clock.advance(by: delay)
        return delay
    }
}
