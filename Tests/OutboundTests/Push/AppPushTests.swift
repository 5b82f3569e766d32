import Chat
import ChatModel
import ChatStore
import Formats
import HTTPClientPort
import TestSupport
import Testing

@testable import Outbound

/// Pushes to apps: from the message to APNs, on a clock of the tests'.
@Suite struct AppPushTests {
    private static let token = String(repeating: "0A", count: 32)

    private func run(_ apps: [APNsAccess]? = nil, _ body: (PushWorld, ScriptedAPNs) async throws -> Void) async throws {
        let apple = ScriptedAPNs()
        try await PushWorld.run(apps: try apps ?? [APNsAccess.example()], apple: apple) { try await body($0, apple) }
    }

    @Test func aMessageGoesToTheApp() async throws {
        try await run { world, apple in
            let device = try await world.registerApp()
            #expect(device.kind == .apns && device.app == "com.example.app" && device.endpointHost == nil)
            try await world.write("m1")
            #expect(try await world.isThere(["delivered"]))
            let call = try #require(apple.calls.first)
            #expect(
                call.method == "POST" && call.url == "https://api.push.apple.com/3/device/" + Self.token.lowercased())
            #expect(call.header("apns-topic") == "com.example.app" && call.header("apns-collapse-id") == "m1")
            #expect(call.header("apns-id")?.utf8.count == 36)
            let expiration = try #require(call.header("apns-expiration").flatMap { Int64($0) })
            #expect(abs(expiration - world.environment.now.milliseconds / 1000 - 86_400) < 10)
            let body = try JSONParser.parse(call.body ?? [])
            #expect(body["aps"]?["badge"]?.integer == 1)
            #expect(body["threadId"]?.string == "t1")
            // Apple reads what the push says, so it says nothing unless the channel wants it to.
            let text = String(decoding: call.body ?? [], as: UTF8.self)
            #expect(!text.contains("It left today.") && !text.contains("Marta"))
        }
    }

    @Test func theBadgeCountsAllThatIsUnread() async throws {
        try await run { world, apple in
            try await world.registerApp()
            for number in 1...3 { try await world.write("m\(number)") }
            #expect(try await world.isThere(["delivered", "delivered", "delivered"]))
            #expect(try apple.calls.map { try JSONParser.parse($0.body ?? [])["aps"]?["badge"]?.integer } == [3, 3, 3])
        }
    }

    @Test func anAttemptThatFailsIsRepeatedUnderItsID() async throws {
        try await run { world, apple in
            try await world.registerApp()
            apple.answer(.refusal(500, "InternalServerError"), .refusal(429, "TooManyRequests"))
            try await world.write("m1")
            #expect(try await world.isThere(["delivered"]))
            #expect(apple.calls.count == 3 && Set(apple.calls.map { $0.header("apns-id") }).count == 1)
            let attempts = try #require(try await world.pushes().first).attempts
            #expect(attempts.map(\.status) == [500, 429, 200])
            #expect(attempts.map(\.error) == ["InternalServerError", "TooManyRequests", nil])
        }
    }

    @Test func aDeviceThatIsGoneIsErasedUnlessItRegisteredSince() async throws {
        try await run { world, apple in
            try await world.registerApp()
            let before = world.environment.now.milliseconds
            await world.pass(seconds: 5)
            try await world.registerApp()
            apple.answer(.refusal(410, "Unregistered", timestamp: before + 1))
            try await world.write("m1")
            #expect(try await world.isThere(["delivered"]), "the app has registered after it was unknown")
            #expect(apple.calls.count == 2)
            apple.answer(.refusal(410, "Unregistered", timestamp: world.environment.now.milliseconds))
            try await world.write("m2")
            #expect(try await world.isThere(["dead gone", "delivered"]))
            #expect(try await world.storedSettings() == #"{"topic":"com.example.app"}"#)
            try await world.registerApp()
            try await world.write("m3")
            #expect(try await world.isThere(["delivered", "dead gone", "delivered"]))
        }
    }

    @Test func aRefusedDeviceIsKeptUntilItRegistersAgain() async throws {
        try await run { world, apple in
            try await world.registerApp()
            apple.answer(.refusal(400, "BadDeviceToken"))
            try await world.write("m1")
            #expect(try await world.isThere(["dead refused"]))
            #expect(try await world.devices.device(of: world.ann.id, account: world.ann.account).state == .refused)
            #expect(try await world.storedSettings().contains(Self.token.lowercased()))
            try await world.write("m2")
            await world.pass(seconds: 5)
            #expect(apple.calls.count == 1)
            try await world.registerApp()
            try await world.write("m3")
            #expect(try await world.isThere(["delivered", "dead refused"]))
        }
    }

    @Test func aRefusedDeviceIsTriedAgainWhenItsAppIsConfiguredAnew() async throws {
        try await run { world, apple in
            try await world.registerApp()
            apple.answer(.refusal(400, "DeviceTokenNotForTopic"))
            try await world.write("m1")
            #expect(try await world.isThere(["dead refused"]))
            await world.deliveries.stop()
            for (keyID, state) in [("ABC123DEFG", Device.State.refused), ("ZZZ123DEFG", .active)] {
                let pushes = try world.deliveries(apps: [APNsAccess.example(keyID: keyID)], apple: apple)
                try await pushes.start()
                await pushes.stop()
                #expect(try await world.devices.device(of: world.ann.id, account: world.ann.account).state == state)
            }
        }
    }

    @Test func aPushThatCanNeverBeDeliveredLeavesTheDevice() async throws {
        try await run { world, apple in
            try await world.registerApp()
            apple.answer(.refusal(413, "PayloadTooLarge"))
            try await world.write("m1")
            #expect(try await world.isThere(["dead rejected"]))
            #expect(try await world.devices.device(of: world.ann.id, account: world.ann.account).state == .active)
        }
    }

    @Test(arguments: ["InvalidProviderToken", "TopicDisallowed"])
    func aWrongConfigurationHoldsAllPushesOfTheApp(reason: String) async throws {
        try await run { world, apple in
            try await world.registerApp()
            apple.answerAlways(.refusal(403, reason))
            try await world.write("m1")
            await world.pass(seconds: 10)
            try await world.write("m2")
            await world.pass(seconds: 60)
            #expect(apple.calls.count == 1, "the second message waits without a try")
            #expect(apple.notices.count == 1 && apple.notices.first?.contains(reason) == true)
            await world.pass(seconds: 20 * 60)
            #expect(apple.calls.count == 2, "one try after a quarter of an hour")
            #expect(apple.notices.count == 1, "it is said once")
            apple.answerAlways(nil)
            await world.pass(seconds: 20 * 60)
            #expect(try await world.outcomes() == ["delivered", "delivered"])
            #expect(apple.notices.count == 2 && apple.notices.last?.contains("go out again") == true)
            #expect(try await world.devices.device(of: world.ann.id, account: world.ann.account).state == .active)
        }
    }

    @Test func whatIsHeldGoesOutAsSoonAsTheAppIsAccepted() async throws {
        try await run { world, apple in
            try await world.registerApp()
            apple.answer(.refusal(403, "InvalidProviderToken"))
            try await world.write("m1")
            await world.pass(seconds: 5)
            _ = try await world.devices.test(world.ann.id, account: world.ann.account)
            #expect(apple.notices.count == 2)
            #expect(try await world.isThere(["delivered"]), "not only after a quarter of an hour")
        }
    }

    @Test func anAppThatIsHeldKeepsNoOtherWaiting() async throws {
        let apps = [try APNsAccess.example(), try APNsAccess.example(topic: "com.example.other", keyID: "ZZZ123DEFG")]
        try await run(apps) { world, apple in
            try await world.registerApp(topic: "com.example.app")
            apple.answer(.refusal(403, "InvalidProviderToken"))
            try await world.write("m1")
            await world.pass(seconds: 5)
            try await world.registerApp(topic: "com.example.other")
            try await world.write("m2")
            await world.pass(seconds: 5)
            #expect(try await world.outcomes().first == "delivered")
        }
    }

    @Test func anExpiredTokenIsReplacedOnceAndThenThePushGoesOut() async throws {
        try await run { world, apple in
            try await world.registerApp()
            try await world.write("m1")
            #expect(try await world.isThere(["delivered"]))
            world.environment.advance(milliseconds: 21 * 60_000)
            apple.answer(.refusal(403, "ExpiredProviderToken"))
            try await world.write("m2")
            #expect(try await world.isThere(["delivered", "delivered"]))
            let tokens = apple.calls.map { $0.header("authorization") }
            #expect(tokens.count == 3 && tokens[0] == tokens[1] && tokens[1] != tokens[2])
            #expect(apple.notices.isEmpty)
        }
    }

    @Test func aTokenThatWasJustMadeAndIsCalledExpiredHoldsTheApp() async throws {
        try await run { world, apple in
            try await world.registerApp()
            apple.answer(.refusal(403, "ExpiredProviderToken"))
            try await world.write("m1")
            await world.pass(seconds: 10)
            #expect(apple.calls.count == 1 && apple.notices.first?.contains("ExpiredProviderToken") == true)
        }
    }

    @Test func aConnectionThatIsUnavailableOrSilentIsLeft() async throws {
        try await run { world, apple in
            try await world.registerApp()
            apple.answer(.refusal(503, "Shutdown"), .timeout, .timeout)
            try await world.write("m1")
            #expect(try await world.isThere(["delivered"], within: 600))
            #expect(apple.connections == [1, 2, 2, 3])
            #expect(
                try await world.pushes().first?.attempts.map(\.error) == ["Shutdown", "timeout", "timeout", nil])
            try await world.write("m2")
            #expect(try await world.isThere(["delivered", "delivered"]))
            #expect(apple.connections.last == 3, "one that works is kept")
        }
    }

    @Test func aServiceThatSpeaksHTTP1IsNotAPNs() async throws {
        try await run { world, apple in
            try await world.registerApp()
            apple.answer(.answer(HTTPAnswer(status: 200)))
            try await world.write("m1")
            await world.pass(seconds: 10)
            #expect(try await world.pushes().first?.attempts.map(\.error) == ["notHTTP2"])
            #expect(apple.notices.first?.contains("notHTTP2") == true)
        }
    }
}

/// What clients may name as an app's device.
@Suite struct AppRegistrationTests {
    /// The problem's code and member; nil where the device is taken.
    private func refusal(_ apps: [APNsAccess], token: String = "00ff", topic: String? = nil) async throws -> String? {
        var found: String?
        try await PushWorld.run(apps: apps) { world in
            do throws(ChatError) {
                _ = try await world.registerApp(token: token, topic: topic)
            } catch {
                found = "\(error.code) \(error.pointer ?? "")"
            }
        }
        return found
    }

    @Test(arguments: ["", "0", "0g", "00 ", String(repeating: "0", count: 202)])
    func aTokenIsHexadecimal(token: String) async throws {
        #expect(try await refusal([APNsAccess.example()], token: token) == "invalidSubscription /token")
    }

    @Test func theTopicMayBeLeftOutWhereThereIsOneApp() async throws {
        let two = [try APNsAccess.example(), try APNsAccess.example(topic: "com.example.other")]
        #expect(try await refusal([]) == "pushNotConfigured /kind")
        #expect(try await refusal([APNsAccess.example(channels: ["other"])]) == "pushNotConfigured /kind")
        #expect(try await refusal([APNsAccess.example(channels: ["multi"])]) == nil)
        #expect(try await refusal(two) == "invalidSubscription /topic")
        #expect(try await refusal(two, topic: "com.example.other") == nil)
        #expect(try await refusal(two, topic: "com.example.third") == "pushNotConfigured /topic")
    }

    @Test func anotherTokenIsAnotherDevice() async throws {
        try await PushWorld.run(apps: [APNsAccess.example()]) { world in
            let before = try await world.registerApp()
            let bob = try await world.sessions.create(
                service: "local", channel: "multi", customer: CustomerDraft(id: "bob"), connect: true, receipt: nil)
            let other = try await world.devices.register(
                DeviceRegistration(kind: .apns, token: String(repeating: "0b", count: 32)), of: bob.id,
                account: bob.account)
            #expect(other.id != before.id)
            #expect(try await world.devices.device(of: world.ann.id, account: world.ann.account).id == before.id)
        }
    }

    @Test func aTokenMovesToTheSessionThatRegistersItLast() async throws {
        try await PushWorld.run(apps: [APNsAccess.example()]) { world in
            let before = try await world.registerApp()
            #expect(try await world.registerApp().id == before.id)
            let bob = try await world.sessions.create(
                service: "local", channel: "multi", customer: CustomerDraft(id: "bob"), connect: true, receipt: nil)
            _ = try await world.devices.register(
                DeviceRegistration(kind: .apns, token: String(repeating: "0a", count: 32)), of: bob.id,
                account: bob.account)
            await #expect(throws: ChatError.self) {
                try await world.devices.device(of: world.ann.id, account: world.ann.account)
            }
        }
    }
}
