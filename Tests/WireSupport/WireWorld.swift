import Chat
import ChatModel
import ChatStore
import CXoneSandbox
import CXoneService
import Foundation
import LocalService
import Logging
import TestSupport

/// Two gateways' chat parts in one process: the far one plays the platform of the near one's sessions. Time is one, and
/// moves when the test says so.
public struct WireWorld: Sendable {
    public let environment: TestEnvironment
    public let clock: ManualClock
    /// The far gateway.
    public let farStore: ChatStore
    public let local: LocalService
    public let sandbox: Sandbox
    public let farSessions: Sessions
    /// The near gateway.
    public let store: ChatStore
    public let service: CXoneService
    public let sessions: Sessions
    public let wire: MemoryWire

    public var desk: LocalDesk { local.desk }

    /// Runs a test on two empty gateways.
    ///
    /// - Parameter overSockets: between them are a server and its sockets, not memory alone.
    public static func run<T>(
        overSockets: Bool = false, isolation: isolated (any Actor)? = #isolation, _ body: (WireWorld) async throws -> T
    ) async throws -> T {
        let environment = TestEnvironment()
        return try await withMemoryFolder { folder in
            let (far, near) = (
                try await open(folder + "/far", environment), try await open(folder + "/near", environment)
            )
            let world = try await WireWorld(environment, far, near, folder)
            if overSockets { try world.wire.serve() }
            do {
                let result = try await body(world)
                await world.end()
                return result
            } catch {
                await world.end()
                throw error
            }
        }
    }

    /// An empty store's file on SQLite: to make it takes longer than many a test.
    private static let emptyStore = Task {
        try await withFolder { folder in
            let store = try openStore(folder: folder, environment: TestEnvironment().environment)
            await store.close()
            return try Data(contentsOf: URL(fileURLWithPath: folder + "/parley.sqlite"))
        }
    }

    /// In memory where there is such a place: time stands still here, and must not wait for a disk.
    private static func withMemoryFolder<T>(
        isolation: isolated (any Actor)? = #isolation, _ body: (String) async throws -> T
    ) async throws -> T {
        let memory = "/dev/shm"
        guard FileManager.default.isWritableFile(atPath: memory) else { return try await withFolder(body) }
        let folder = "\(memory)/parley-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer {
            TestDatabases.drop(in: folder)
            try? FileManager.default.removeItem(atPath: folder)
        }
        return try await body(folder)
    }

    private static func open(_ folder: String, _ environment: TestEnvironment) async throws -> ChatStore {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        if !TestDatabases.isPostgres {
            try await emptyStore.value.write(to: URL(fileURLWithPath: folder + "/parley.sqlite"))
        }
        let store = try openStore(folder: folder, environment: environment.environment)
        // Nothing here is about power cuts, and there are thousands of commits.
        try store.skipDiskSync()
        return store
    }

    private init(_ environment: TestEnvironment, _ far: ChatStore, _ near: ChatStore, _ folder: String) async throws {
        let clock = ManualClock()
        var logger = Logger(label: "sandbox")
        logger.logLevel = .critical
        (self.environment, self.clock, farStore, store) = (environment, clock, far, near)
        local = try await LocalService(store: far, clock: clock)
        sandbox = Sandbox(store: far, service: local, key: Array(repeating: 7, count: 32), clock: clock, logger: logger)
        farSessions = Sessions(store: far, services: [local], clock: clock)
        let wire = MemoryWire(to: sandbox)
        self.wire = wire
        service = CXoneService(
            store: near, clock: clock, tokens: .folder(folder + "/cxone"), sockets: wire, http: wire, foreignHTTP: wire,
            notice: { wire.notice($0) }
        )
        sessions = Sessions(store: near, services: [service], clock: clock, pace: .zero)
    }

    private func end() async {
        for client in sessions.all { try? await client.disconnect() }
        await sandbox.close()
        wire.end()
        await store.close()
        await farStore.close()
    }

    /// A session at the near gateway on a channel of the far one.
    public func session(
        on channel: String = "multi", customer: String = "c1", _ authorization: SandboxAuthorization = .anonymous,
        policy: ResendPolicy = .manual, connect: Bool = true
    ) async throws -> ChatClient {
        let key = try await service.channel(at: try wire.address(of: channel, authorization))
        return try await sessions.create(
            service: CXoneService.serviceID, channel: key, customer: CustomerDraft(id: customer), connect: connect,
            resendPolicy: policy, receipt: nil)
    }

    /// Returns when nothing goes on any more until time passes, or somebody asks for something.
    ///
    /// What follows from what cannot be awaited: that nothing can be seen to happen tells it, while all who may have
    /// something to do have had their turns. A pause would tell nothing on a machine where they wait for a processor.
    public func settle() async {
        var (calm, last) = (0, signs)
        for round in 1...2000 where calm < 3 {
            await wire.flush()
            await passThroughStores()
            for _ in 0..<30 { await Task.yield() }
            var now = signs
            // Those of this loop are no sign.
            for index in Self.unitSigns { now[index] -= round }
            calm = now == last && !wire.isUnderWay ? calm + 1 : 0
            last = now
        }
    }

    /// Returns when the stores have done what they were asked for up to now.
    private func passThroughStores() async {
        for store in [store, farStore] {
            try? await store.write { _ in }
            try? await store.read { _ in }
        }
    }

    /// What is there as long as somebody holds it: open sockets, the sandbox's sessions, sleeping tasks, readers of the
    /// logs.
    public var remains: [Int] {
        [
            wire.openCount, sandbox.sessionCount, clock.sleeperCount, store.feed.subscriberCount,
            farStore.feed.subscriberCount,
        ]
    }

    /// Counts that grow with whatever happens.
    private var signs: [Int] {
        [
            store.statistics.units, farStore.statistics.units, Int(store.feed.head), Int(farStore.feed.head),
            wire.traffic, wire.openedCount, clock.sleepCount, clock.sleeperCount,
        ]
    }

    /// Those of ``signs`` that count units.
    private static let unitSigns = 0..<2

    /// Time passes, for clocks and timestamps.
    public func pass(_ duration: Duration) {
        environment.advance(milliseconds: Int64(duration / .milliseconds(1)))
        clock.advance(by: duration)
    }
}
