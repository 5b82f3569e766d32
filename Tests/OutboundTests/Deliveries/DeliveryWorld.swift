import ChatModel
import ChatStore
import TestSupport
import Testing

@testable import Outbound

/// Threads whose messages go to a webhook of the desk, on simulated time.
struct DeliveryWorld: Sendable {
    let store: ChatStore
    let environment: TestEnvironment
    let clock = ManualClock()
    let sender: ScriptedSender
    let deliveries: Deliveries

    init(_ store: ChatStore, _ environment: TestEnvironment, sender: ScriptedSender = ScriptedSender()) {
        self.store = store
        self.environment = environment
        self.sender = sender
        deliveries = Deliveries(store: store, clock: clock, policies: [sender.policy])
    }

    /// Runs a test with threads `t1`, `t2`, ... and a webhook `w1` that wants created messages, from before the start.
    static func run(
        concurrency: Int = 8, threads: Int = 3, retention: Retention = Retention(), starts: Bool = true,
        _ body: (DeliveryWorld) async throws -> Void
    ) async throws {
        let environment = TestEnvironment()
        var options = StoreOptions()
        options.retention = retention
        try await withStore(options: options, environment: environment) { store in
            try store.skipDiskSync()
            let world = DeliveryWorld(store, environment, sender: ScriptedSender(concurrency: concurrency))
            for number in 1...threads { try await world.makeThread("t\(number)") }
            try await world.makeTarget("w1")
            if starts { try await world.deliveries.start() }
            do {
                try await body(world)
            } catch {
                await world.stop()
                throw error
            }
            await world.stop()
        }
    }

    func stop() async {
        sender.answer(.targetFailed)
        sender.end(AttemptReport(.targetFailed))
        await deliveries.stop()
    }

    private func makeThread(_ id: String) async throws {
        try await store.write { transaction in
            let account = try transaction.openAccount(AccountKey(service: "local", channel: "multi", customer: "c1"))
            var record = try transaction.insert(
                ChatThread(id: id, createdAt: transaction.now, members: [account.customer]), owner: account)
            record.thread.state = .ready
            try transaction.announceToDesk(&record)
            try transaction.save(&record, logging: .threadUpdated, withDesk: true)
        }
    }

    func makeTarget(_ id: String) async throws {
        try await store.write { transaction in
            _ = try transaction.insert(
                TargetDraft(id: id, kind: .webhook, audience: .desk, settings: Array("{}".utf8)))
        }
    }

    /// Returns the offset of the message's event.
    @discardableResult
    func send(_ id: String, in thread: String = "t1", text: String = "text") async throws -> Int64 {
        try await store.write { transaction in
            let account = try transaction.openAccount(AccountKey(service: "local", channel: "multi", customer: "c1"))
            guard var record = try transaction.thread(thread, of: account.number) else {
                throw ChatError.unknownThread(thread)
            }
            let message = Message(
                id: id, threadID: thread, createdAt: transaction.now, direction: .toAgent,
                author: Author(account.customer),
                text: text, status: .delivered)
            guard let sent = try transaction.insert(message, into: &record, withDesk: true) else {
                throw ChatError(.messageIdConflict, "twice")
            }
            try transaction.save(&record, logging: .threadUpdated, withDesk: true)
            return sent.number
        }
    }

    func remove(_ id: String, in thread: String = "t1") async throws {
        try await store.write { transaction in
            let account = try transaction.openAccount(AccountKey(service: "local", channel: "multi", customer: "c1"))
            guard var record = try transaction.thread(thread, of: account.number),
                let message = try transaction.message(id, in: record)
            else { throw ChatError.unknownMessage(id) }
            try transaction.remove(message, in: &record, withDesk: true)
            try transaction.save(&record, logging: .threadUpdated, withDesk: true)
        }
    }

    func target(_ id: String = "w1") async throws -> TargetRecord {
        try #require(try await store.read { try $0.target(id) })
    }

    func health(_ id: String = "w1") async throws -> TargetHealth { try await target(id).health }

    func deliveries(_ state: DeliveryState?, of id: String = "w1") async throws -> [DeliveryRecord] {
        let number = try await target(id).number
        return try await store.read {
            try $0.deliveryPage(of: number, state: state, PageRequest(limit: 1000, cursor: nil))
        }
        .items.map(\.delivery).reversed()
    }

    /// Whatever can be done at this time is done, attempts with it.
    func rest() async { await deliveries.rest() }

    func isDelivered(_ count: Int) async throws -> Bool {
        await rest()
        return try await deliveries(.delivered).count == count
    }

    /// Lets both clocks go on.
    func advance(_ duration: Duration) {
        environment.advance(milliseconds: duration.wholeMilliseconds)
        clock.advance(by: duration)
    }

    /// Lets both clocks go on to the next moment for which somebody waits. Returns how long that was.
    @discardableResult
    func advanceToNextWaking() async -> Duration {
        guard await eventually({ clock.nextWaking != nil }), let wait = clock.nextWaking else { return .zero }
        advance(wait)
        return wait
    }
}
