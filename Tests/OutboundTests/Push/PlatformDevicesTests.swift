import Chat
import ChatModel
import ChatStore
import Synchronization
import TestSupport
import Testing

@testable import Outbound

/// Devices of apps to which a session's platform pushes.
@Suite struct PlatformDevicesTests {
    /// Platforms that push, and that remember who was told of a device.
    private final class Platforms: DevicePlatforms {
        let pushes: Bool
        private let told = Mutex<[Int64]>([])

        init(pushes: Bool = true) { self.pushes = pushes }

        var accounts: [Int64] { told.withLock { $0 } }

        func pushesToApps(of account: Int64) async throws(ChatError) -> Bool { pushes }
        func tellDevice(of account: Int64) async { told.withLock { $0.append(account) } }
    }

    private func devices(_ world: PushWorld, _ platforms: Platforms) -> PlatformDevices {
        PlatformDevices(store: world.store, platforms: platforms, own: world.devices)
    }

    private static let registration = DeviceRegistration(kind: .apns, token: "0A1B", os: "iOS", osVersion: "18.1")

    @Test func anAppsDeviceIsPassedOnAndNotPushedTo() async throws {
        try await PushWorld.run { world in
            let (ann, platforms) = (world.ann, Platforms())
            let devices = devices(world, platforms)
            let made = try await devices.register(Self.registration, of: ann.id, account: ann.account)
            #expect(made.kind == .apns && made.pushedBy == .platform && made.state == .active)
            #expect(try await devices.device(of: ann.id, account: ann.account).id == made.id)
            #expect(platforms.accounts == [ann.account])
            let account = ann.account
            let told = try await world.store.read { try $0.deviceForPlatform(of: account) }
            #expect(told == PlatformDevice(token: "0a1b", os: "iOS", osVersion: "18.1"))
            try await world.write("m1")
            await world.pass(seconds: 10)
            #expect(world.service.calls.isEmpty)
            let watched = try await world.store.read { try $0.audiencesWithDevices() }
            #expect(watched.isEmpty)
            let pending = try await world.store.read { try $0.pendingPushes(ofTargetsAfter: 0).devices }
            #expect(pending.isEmpty)
            #expect(
                try await devices.deliveries(
                    of: ann.id, account: ann.account, state: nil, PageRequest(limit: 5, cursor: nil)
                ).items.isEmpty)
            await #expect {
                _ = try await devices.test(ann.id, account: ann.account)
            } throws: {
                ($0 as? ChatError)?.code == .pushNotConfigured
            }
        }
    }

    @Test func theSystemOfAnAppsDeviceIsKeptForThePlatform() async throws {
        try await PushWorld.run { world in
            let (ann, devices) = (world.ann, devices(world, Platforms()))
            let registration = DeviceRegistration(kind: .fcm, token: ScriptedFCM.token)
            let made = try await devices.register(registration, of: ann.id, account: ann.account)
            #expect(made.kind == .fcm && made.pushedBy == .platform)
            #expect(try await devices.device(of: ann.id, account: ann.account).kind == .fcm)
            let account = ann.account
            let told = try await world.store.read { try $0.deviceForPlatform(of: account) }
            #expect(told == PlatformDevice(kind: .fcm, token: ScriptedFCM.token, os: nil, osVersion: nil))
        }
    }

    /// A push that waits for a browser is none for the platform's device that takes the browser's place.
    @Test func whatWaitsForABrowserIsDroppedWhenTheAppTakesItsPlace() async throws {
        try await PushWorld.run { world in
            let ann = world.ann
            let devices = devices(world, Platforms())
            try await world.register()
            try await world.write("m1")
            await world.pass(seconds: 1)
            #expect(try await world.outcomes() == ["pending"])
            _ = try await devices.register(Self.registration, of: ann.id, account: ann.account)
            await world.pass(seconds: 30)
            #expect(world.service.calls.isEmpty)
            let (account, kept) = (ann.account, try await world.outcomes())
            #expect(kept == ["dropped replaced"])
            let told = try await world.store.read { try $0.deviceForPlatform(of: account) }
            #expect(told?.token == "0a1b")
        }
    }

    @Test func theSessionHasOneDeviceWhoeverPushesToIt() async throws {
        try await PushWorld.run { world in
            let (ann, platforms) = (world.ann, Platforms())
            let devices = devices(world, platforms)
            let first = try await devices.register(Self.registration, of: ann.id, account: ann.account)
            let browser = DeviceRegistration(kind: .webPush, subscription: try SubscriptionExample.json())
            let second = try await devices.register(browser, of: ann.id, account: ann.account)
            #expect(second.id == first.id && second.kind == .webPush && second.pushedBy == .gateway)
            #expect(platforms.accounts.count == 2)
            let account = ann.account
            let passedOn = try await world.store.read { try $0.deviceForPlatform(of: account) }
            #expect(passedOn == nil)
            _ = try await devices.register(Self.registration, of: ann.id, account: ann.account)
            try await devices.removeDevice(of: ann.id, account: ann.account)
            #expect(platforms.accounts.count == 4)
            await #expect {
                _ = try await devices.device(of: ann.id, account: ann.account)
            } throws: {
                ($0 as? ChatError)?.code == .unknownDevice
            }
        }
    }

    @Test func aDeviceOnWhichSomebodyElseLogsInIsTakenAwayFirst() async throws {
        try await PushWorld.run { world in
            let (ann, platforms) = (world.ann, Platforms())
            let devices = devices(world, platforms)
            let bob = try await world.sessions.create(
                service: "local", channel: "multi", customer: CustomerDraft(id: "bob"), connect: true, receipt: nil)
            _ = try await devices.register(Self.registration, of: ann.id, account: ann.account)
            _ = try await devices.register(Self.registration, of: bob.id, account: bob.account)
            #expect(platforms.accounts == [ann.account, ann.account, bob.account])
            await #expect {
                _ = try await devices.device(of: ann.id, account: ann.account)
            } throws: {
                ($0 as? ChatError)?.code == .unknownDevice
            }
        }
    }

    @Test(arguments: ["", "0", "xy", "0a1b-", String(repeating: "0a", count: 101)])
    func aTokenIsHexadecimal(token: String) async throws {
        try await PushWorld.run { world in
            let devices = devices(world, Platforms())
            await #expect {
                _ = try await devices.register(
                    DeviceRegistration(kind: .apns, token: token), of: world.ann.id, account: world.ann.account)
            } throws: {
                ($0 as? ChatError)?.code == .invalidSubscription
            }
        }
    }

    @Test func otherServicesHaveTheGatewaysOwnDevices() async throws {
        try await PushWorld.run { world in
            let devices = devices(world, Platforms(pushes: false))
            await #expect {
                _ = try await devices.register(Self.registration, of: world.ann.id, account: world.ann.account)
            } throws: {
                ($0 as? ChatError)?.code == .pushNotConfigured
            }
        }
    }
}
