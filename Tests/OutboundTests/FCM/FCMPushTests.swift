import Chat
import ChatModel
import ChatStore
import Formats
import HTTPClientPort
import TestSupport
import Testing

@testable import Outbound

/// Pushes to apps by FCM: from the message to Google, on a clock of the tests'.
@Suite struct FCMPushTests {
    /// - Parameter body: it gets the notices for the operator, too.
    private func run(
        _ projects: [FCMAccess]? = nil, _ body: (PushWorld, ScriptedFCM, ScriptedAPNs) async throws -> Void
    ) async throws {
        let (google, apple) = (ScriptedFCM(), ScriptedAPNs())
        try await PushWorld.run(apple: apple, projects: try projects ?? [.example()], google: google) {
            try await body($0, google, apple)
        }
    }

    private func state(_ world: PushWorld) async throws -> Device.State {
        try await world.devices.device(of: world.ann.id, account: world.ann.account).state
    }

    @Test func aMessageGoesToTheApp() async throws {
        try await run { world, google, _ in
            let device = try await world.registerAndroid()
            #expect(device.kind == .fcm && device.app == "example-shop" && device.endpointHost == nil)
            try await world.write("m1")
            #expect(try await world.isThere(["delivered"]))
            let call = try #require(google.pushes.first)
            #expect(call.method == "POST")
            #expect(call.url == "https://fcm.googleapis.com/v1/projects/example-shop/messages:send")
            #expect(call.header("authorization") == "Bearer token-1")
            let message = try #require(try JSONParser.parse(call.body ?? [])["message"])
            #expect(message["token"]?.string == ScriptedFCM.token)
            #expect(message["data"]?["threadId"]?.string == "t1" && message["data"]?["messageId"]?.string == "m1")
            #expect(message["android"]?["notification"]?["notification_count"]?.integer == 1)
            // Google reads what the push says, so it says nothing unless the channel wants it to.
            let text = String(decoding: call.body ?? [], as: UTF8.self)
            #expect(!text.contains("It left today.") && !text.contains("Marta"))
        }
    }

    @Test func markupIsNotShown() async throws {
        try await run { world, google, _ in
            var settings = ChannelSettings()
            settings.push = .some(PushSettings(content: .full))
            _ = try await world.desk.update(channel: "multi", settings)
            try await world.registerAndroid()
            try await world.write("m1", "It left **today**.")
            #expect(try await world.isThere(["delivered"]))
            let body = try JSONParser.parse(try #require(google.pushes.first?.body))
            #expect(body["message"]?["notification"]?["body"]?.string == "It left today.")
        }
    }

    @Test func oneAccessTokenServesAll() async throws {
        try await run { world, google, _ in
            try await world.registerAndroid()
            for number in 1...3 { try await world.write("m\(number)") }
            #expect(try await world.isThere(["delivered", "delivered", "delivered"]))
            #expect(google.exchanges.count == 1 && google.pushes.count == 3)
        }
    }

    @Test func aDeviceThatIsUnregisteredIsErased() async throws {
        try await run { world, google, _ in
            try await world.registerAndroid()
            google.answer(.refusal(404, "NOT_FOUND", code: "UNREGISTERED"))
            try await world.write("m1")
            #expect(try await world.isThere(["dead gone"]))
            #expect(try await state(world) == .gone)
            #expect(try await world.storedSettings() == #"{"project":"example-shop"}"#)
            try await world.registerAndroid()
            try await world.write("m2")
            #expect(try await world.isThere(["delivered", "dead gone"]))
        }
    }

    @Test func aTokenOfAnotherProjectIsRefusedAndToldOnce() async throws {
        try await run { world, google, apple in
            for number in 1...2 {
                try await world.registerAndroid(token: "token:\(number)")
                google.answer(.refusal(403, "PERMISSION_DENIED", code: "SENDER_ID_MISMATCH"))
                _ = try await world.devices.test(world.ann.id, account: world.ann.account)
                #expect(try await state(world) == .refused)
            }
            #expect(apple.notices.count == 1)
            let said = try #require(apple.notices.first)
            #expect(said.contains("SENDER_ID_MISMATCH") && said.contains("example-shop") && said.contains("--fcm"))
        }
    }

    @Test(arguments: [
        (HTTPAnswer.refusal(429, "RESOURCE_EXHAUSTED", code: "QUOTA_EXCEEDED", retryAfter: "120"), 120),
        (.refusal(429, "RESOURCE_EXHAUSTED", code: "QUOTA_EXCEEDED"), 60),
        (.refusal(503, "UNAVAILABLE", code: "UNAVAILABLE", retryAfter: "90"), 90),
        (.refusal(503, "UNAVAILABLE", code: "UNAVAILABLE"), 10),
    ])
    func whoIsAskedToWaitWaits(answer: HTTPAnswer, seconds: Int) async throws {
        try await run { world, google, _ in
            try await world.registerAndroid()
            google.answer(answer)
            try await world.write("m1")
            await world.pass(seconds: 3 + seconds - 1)
            #expect(google.pushes.count == 1)
            #expect(try await world.isThere(["delivered"], within: 5))
            #expect(google.pushes.count == 2)
        }
    }

    @Test func anotherServicesRefusalHoldsThatDeviceAlone() async throws {
        try await run { world, google, apple in
            try await world.registerAndroid()
            google.answer(.refusal(401, "UNAUTHENTICATED", code: "THIRD_PARTY_AUTH_ERROR"))
            try await world.write("m1")
            await world.pass(seconds: 10)
            #expect(try await world.outcomes() == ["pending"])
            #expect(apple.notices.count == 1 && apple.notices[0].contains("THIRD_PARTY_AUTH_ERROR"))
            // What is known of the app is right: another push goes out at once.
            let test = try await world.devices.test(world.ann.id, account: world.ann.account)
            #expect(test.state == .delivered)
            await world.pass(seconds: 10)
            #expect(try await world.outcomes() == ["pending"], "it waits for its own time")
            await world.pass(seconds: 20 * 60)
            #expect(try await world.outcomes() == ["delivered"])
            #expect(apple.notices.count == 1)
        }
    }

    @Test func anAccountWithoutRightHoldsAllPushesOfTheApp() async throws {
        try await run { world, google, apple in
            try await world.registerAndroid()
            google.answer(.refusal(403, "PERMISSION_DENIED"))
            try await world.write("m1")
            await world.pass(seconds: 10)
            try await world.write("m2")
            await world.pass(seconds: 60)
            #expect(google.pushes.count == 1, "the second message waits without a try")
            #expect(apple.notices.count == 1)
            #expect(apple.notices[0].contains("PERMISSION_DENIED") && apple.notices[0].contains("fcm.googleapis.com"))
            await world.pass(seconds: 20 * 60)
            #expect(try await world.outcomes() == ["delivered", "delivered"])
            #expect(apple.notices.count == 2 && apple.notices[1].contains("go out again"))
            #expect(try await state(world) == .active)
        }
    }

    @Test func anAccountThatGoogleDoesNotKnowHoldsTheApp() async throws {
        try await run { world, google, apple in
            try await world.registerAndroid()
            google.answerExchanges(HTTPAnswer(status: 400, body: Array(#"{"error":"invalid_grant"}"#.utf8)))
            try await world.write("m1")
            await world.pass(seconds: 60)
            #expect(google.exchanges.count == 1 && google.pushes.isEmpty)
            #expect(try await world.pushes().first?.attempts.map(\.error) == ["invalid_grant"])
            #expect(
                apple.notices.count == 1 && apple.notices[0].contains("invalid_grant")
                    && apple.notices[0].contains("oauth2.googleapis.com"))
            await world.pass(seconds: 20 * 60)
            #expect(try await world.outcomes() == ["delivered"])
        }
    }

    @Test func anAccessTokenThatIsNotAcceptedIsReplacedOnce() async throws {
        try await run { world, google, apple in
            try await world.registerAndroid()
            google.answer(.refusal(401, "UNAUTHENTICATED"))
            try await world.write("m1")
            #expect(try await world.isThere(["delivered"]))
            #expect(google.pushes.map { $0.header("authorization") } == ["Bearer token-1", "Bearer token-2"])
            #expect(apple.notices.isEmpty)
            google.answer(.refusal(401, "UNAUTHENTICATED"), .refusal(401, "UNAUTHENTICATED"))
            try await world.write("m2")
            await world.pass(seconds: 60)
            #expect(google.pushes.count == 4 && apple.notices.count == 1)
        }
    }

    @Test func anAppThatShowsItsNotificationsItselfGetsDataOnly() async throws {
        try await run([.example(isDataOnly: true)]) { world, google, _ in
            try await world.registerAndroid()
            try await world.write("m1")
            #expect(try await world.isThere(["delivered"]))
            let message = try JSONParser.parse(try #require(google.pushes.first?.body))["message"]
            #expect(message?["notification"] == nil && message?["data"]?["title"]?.string == "New message")
        }
    }

    /// The problem's code and member; nil where the device is taken.
    private func refusal(
        _ projects: [FCMAccess], token: String = ScriptedFCM.token, project: String? = nil
    ) async throws -> String? {
        var found: String?
        try await run(projects) { world, _, _ in
            do throws(ChatError) {
                _ = try await world.registerAndroid(token: token, project: project)
            } catch {
                found = "\(error.code) \(error.pointer ?? "")"
            }
        }
        return found
    }

    @Test func aRegistrationIsChecked() async throws {
        let two = [try FCMAccess.example(), try .example(project: "other-shop")]
        #expect(try await refusal([]) == "pushNotConfigured /kind")
        #expect(try await refusal([.example(channels: ["other"])]) == "pushNotConfigured /kind")
        #expect(try await refusal([.example()], token: "a b") == "invalidSubscription /token")
        #expect(try await refusal(two) == "invalidSubscription /project")
        #expect(try await refusal(two, project: "other-shop") == nil)
        #expect(try await refusal(two, project: "third") == "pushNotConfigured /project")
    }

    @Test func anAppOfAnotherKindTakesTheDevicesPlace() async throws {
        let apple = ScriptedAPNs()
        try await PushWorld.run(apps: [.example()], apple: apple, projects: [.example()]) { world in
            let first = try await world.registerApp()
            let second = try await world.registerAndroid()
            #expect(first.id == second.id && second.kind == .fcm)
            #expect(
                world.devices.apps.map(\.name) == ["com.example.app", "example-shop"]
                    && world.devices.apps.map(\.kind) == [.apns, .fcm])
            try await world.write("m1")
            #expect(try await world.isThere(["delivered"]))
            #expect(apple.calls.isEmpty)
        }
    }
}
