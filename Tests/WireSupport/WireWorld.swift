import Chat
import ChatModel
@testable import ChatStore
import CXoneSandbox
import CXoneService
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
    public static func run<T>(
        isolation: isolated (any Actor)? = #isolation, _ body: (WireWorld) async throws -> T
    ) async throws -> T {
        let environment = TestEnvironment()
        return try await withStore(environment: environment) { far in
            try await withFolder { folder in
                try await withStore(environment: environment) { near in
                    // Nothing here is about power cuts, and there are thousands of commits.
                    for store in [far, near] { try store.onWriter { try $0.run("PRAGMA synchronous = OFF") } }
                    let world = try await WireWorld(environment, far, near, folder)
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
        }
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
            store: near, clock: clock, folder: folder + "/cxone", sockets: wire, http: wire, notice: { wire.notice($0) })
        sessions = Sessions(store: near, services: [service], clock: clock, pace: .zero)
    }

    private func end() async {
        for client in sessions.all { try? await client.disconnect() }
        await sandbox.close()
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

    /// Time passes, for clocks and timestamps.
    public func pass(_ duration: Duration) {
        environment.advance(milliseconds: Int64(duration / .milliseconds(1)))
        clock.advance(by: duration)
    }
}
