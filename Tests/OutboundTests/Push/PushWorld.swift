import Chat
import ChatModel
import ChatStore
import HTTPClientPort
import LocalService
import Synchronization
import TestSupport
import Testing

@testable import Outbound

/// A push service: what it was sent, and what it answers.
final class ScriptedPushService: HTTPPort {
    private let state = Mutex<(calls: [HTTPCall], answers: [HTTPAnswer])>(([], []))

    var calls: [HTTPCall] { state.withLock { $0.calls } }

    /// The next answers; after them all is taken.
    func answer(_ answers: HTTPAnswer...) { state.withLock { $0.answers += answers } }

    func send(_ request: HTTPCall, limit: Int) async throws -> HTTPAnswer {
        state.withLock { state in
            state.calls.append(request)
            return state.answers.isEmpty ? HTTPAnswer(status: 201) : state.answers.removeFirst()
        }
    }
}

/// A customer with the thread `t1`, an agent, a push service, and a clock: all that pushes need.
struct PushWorld {
    let store: ChatStore
    let environment: TestEnvironment
    let clock: ManualClock
    let sessions: Sessions
    let desk: LocalDesk
    let service: ScriptedPushService
    let deliveries: Deliveries
    let devices: DeviceAdministration
    /// Devices of apps that talk to the gateway by another face.
    let registry: AppDeviceRegistry
    let ann: ChatClient

    /// - Parameters:
    ///   - apps: whose devices take pushes by APNs.
    ///   - apple: their service.
    ///   - projects: whose devices take pushes by FCM.
    ///   - google: their service.
    static func run(
        apps: [APNsAccess] = [], apple: ScriptedAPNs = ScriptedAPNs(), projects: [FCMAccess] = [],
        google: ScriptedFCM = ScriptedFCM(), isolation: isolated (any Actor)? = #isolation,
        _ body: (PushWorld) async throws -> Void
    ) async throws {
        let environment = TestEnvironment()
        try await withStore(environment: environment) { store in
            let clock = ManualClock()
            let local = try await LocalService(store: store, clock: clock)
            let sessions = Sessions(store: store, services: [local], clock: clock)
            let ann = try await sessions.create(
                service: "local", channel: "multi", customer: CustomerDraft(id: "ann"), connect: true, receipt: nil)
            _ = try await ann.createThread(ThreadDraft(id: "t1"), receipt: nil)
            _ = try await ann.send(MessageDraft(id: "first", text: "Hello"), to: "t1", receipt: nil)
            let key = try VAPIDKey(folderKey: Array(0..<32))
            let service = ScriptedPushService()
            let known = Self.apps(apps, apple, projects, google, environment)
            let sender = Self.sender(known, key, service, apple, store)
            let deliveries = Self.deliveries(sender, sessions, clock)
            let devices = DeviceAdministration(
                store: store, deliveries: deliveries,
                registrations: DeviceRegistrations(rules: CurrentAddressRules(), contact: nil, apps: known), key: key)
            try await deliveries.start()
            // The time after a start in which nothing is pushed.
            environment.advance(milliseconds: 30_000)
            clock.advance(by: .seconds(30))
            let world = PushWorld(
                store: store, environment: environment, clock: clock, sessions: sessions, desk: local.desk,
                service: service, deliveries: deliveries, devices: devices,
                registry: AppDeviceRegistry(store: store, deliveries: deliveries, apps: known), ann: ann)
            try await body(world)
            await deliveries.stop()
        }
    }

    private static func apps(
        _ apps: [APNsAccess], _ apple: ScriptedAPNs, _ projects: [FCMAccess], _ google: ScriptedFCM,
        _ environment: TestEnvironment
    ) -> PushApps {
        let environment = environment.environment
        return PushApps(
            APNsPushApp.all(apps, environment: environment) { _ in apple.connect() }
                + FCMPushApp.all(projects, environment: environment) { _ in google })
    }

    private static func sender(
        _ apps: PushApps, _ key: VAPIDKey, _ service: ScriptedPushService, _ apple: ScriptedAPNs, _ store: ChatStore
    ) -> PushSender {
        PushSender(
            browsers: WebPushSender(
                port: service, tokens: VAPIDTokens(key: key, contact: nil), environment: store.environment),
            apps: AppPushSender(apps: apps, environment: store.environment, notice: { apple.note($0) }),
            simulated: SimulatedPushSender(store: store))
    }

    /// Registers the customer's device.
    @discardableResult
    func register(_ endpoint: String = SubscriptionExample.endpoint) async throws -> Device {
        let subscription = try SubscriptionExample.json(endpoint: endpoint)
        return try await devices.register(
            DeviceRegistration(kind: .webPush, subscription: subscription), of: ann.id, account: ann.account)
    }

    func write(_ id: String, _ text: String = "It left today.") async throws {
        _ = try await desk.send(
            MessageDraft(id: id, text: text), as: Agent(id: "a1", name: "Marta"), to: DeskThread(id: "t1"), receipt: nil
        )
    }

    /// Time goes on, a second at a time.
    func pass(seconds: Int) async {
        for _ in 0..<seconds {
            await rest()
            environment.advance(milliseconds: 1000)
            clock.advance(by: .seconds(1))
        }
        await rest()
    }

    /// Whatever can be done at this time is done.
    func rest() async { await deliveries.rest() }

    /// The newest first.
    func pushes() async throws -> [Delivery] {
        try await devices.deliveries(of: ann.id, account: ann.account, state: nil, PageRequest(limit: 50, cursor: nil))
            .items
    }

    /// `pending`, or the state with its reason.
    func outcomes() async throws -> [String] {
        try await pushes().map { [$0.state.rawValue, $0.reason].compactMap(\.self).joined(separator: " ") }
    }

    func isThere(_ outcomes: [String], within seconds: Int = 50) async throws -> Bool {
        for _ in 0..<seconds {
            if try await self.outcomes() == outcomes { return true }
            await pass(seconds: 1)
        }
        Issue.record("\(try await self.outcomes()) instead of \(outcomes)")
        return false
    }
}

extension PushWorld {
    /// Registers an app on the customer's phone as the device.
    @discardableResult
    func registerApp(
        token: String = String(repeating: "0A", count: 32), topic: String? = nil
    ) async throws(ChatError) -> Device {
        try await devices.register(
            DeviceRegistration(kind: .apns, token: token, app: topic), of: ann.id, account: ann.account)
    }

    /// Of the customer's device.
    func storedSettings() async throws -> String {
        let device = try await store.read { [ann] in try $0.device(of: ann.id, account: ann.account) }
        return String(decoding: try #require(device).settings, as: UTF8.self)
    }

    /// Registers an app on the customer's other phone as the device.
    @discardableResult
    func registerAndroid(
        token: String = ScriptedFCM.token, project: String? = nil
    ) async throws(ChatError) -> Device {
        try await devices.register(
            DeviceRegistration(kind: .fcm, token: token, app: project), of: ann.id, account: ann.account)
    }

    /// Another engine on the same store, with other apps.
    func deliveries(apps: [APNsAccess], apple: ScriptedAPNs) throws -> Deliveries {
        let known = Self.apps(apps, apple, [], ScriptedFCM(), environment)
        let sender = Self.sender(known, try VAPIDKey(folderKey: Array(0..<32)), service, apple, store)
        return Self.deliveries(sender, sessions, clock)
    }

    private static func deliveries(_ sender: PushSender, _ sessions: Sessions, _ clock: ManualClock) -> Deliveries {
        Deliveries(
            store: sessions.store, clock: clock, policies: PushPolicy.all(sender, sessions.notifications),
            notifications: sessions.notifications)
    }
}
