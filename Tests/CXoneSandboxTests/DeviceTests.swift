import Chat
import ChatModel
@testable import CXoneSandbox
import CXoneWire
import MicroHTTP
import Synchronization
import TestSupport
import Testing

/// Tokens of apps' devices, as clients tell them.
@Suite struct DeviceTests {
    private func put(_ token: String, _ scene: Scene, visitor: String = "v", os: String = "iOS") async -> Int {
        let body = #"{"customerIdentity":{"idOnExternalPlatform":"x"},"browserFingerprint":{"os":"\#(os)"\#(token)}}"#
        return await scene.sandbox.visitor(visitor, brand: "\(scene.sandbox.brandID)", Array(body.utf8)).status
    }

    private static func token(_ text: String) -> String { #","deviceToken":"\#(text)""# }

    @Test("6.1: a visitor tells its token before the socket, changes it, and takes it back")
    func aVisitorTellsItsToken() async throws {
        try await Scene.run { scene in
            #expect(await put(Self.token("aa"), scene) == 200)
            #expect(scene.devices.tokens.isEmpty)
            let client = try await scene.client("ann")
            #expect(scene.devices.tokens == ["aa"])
            #expect(scene.devices.channels == [try scene.face("multi").id])
            #expect(await put("", scene) == 200)
            #expect(scene.devices.tokens == ["aa"])
            #expect(await put(Self.token("bb"), scene) == 200)
            #expect(scene.devices.tokens == ["bb"])
            client.session.inbox.put(.closed(.client))
            #expect(await eventually { scene.sandbox.sessionCount == 0 })
            // Without a socket too, where the device is known.
            #expect(await put(Self.token("cc"), scene) == 200)
            #expect(scene.devices.tokens == ["cc"])
            #expect(scene.devices.channels == [try scene.face("multi").id])
            #expect(await put(#","deviceToken":null"#, scene) == 200)
            #expect(scene.devices.tokens.isEmpty)
            _ = try await scene.client("ann")
            #expect(scene.devices.tokens.isEmpty)
        }
    }

    @Test("6.1: a message tells the token of the device that it comes from") func aMessageTellsTheToken() async throws {
        try await Scene.run { scene in
            let client = try await scene.client("ann")
            func send(_ fingerprint: DeviceFingerprint?, _ id: String) async throws {
                let answer = try await client.ask(
                    .sendMessage(
                        SendMessage(
                            thread: ThreadReference(id: "t1"), content: .text("Hello"), id: id, fingerprint: fingerprint
                        )))
                #expect(answer.isAcknowledged)
            }
            try await send(DeviceFingerprint(os: "iOS", deviceToken: .token("aa")), "m1")
            try await send(DeviceFingerprint(os: "iOS", deviceToken: .token("aa")), "m2")
            #expect(scene.devices.tokens == ["aa"] && scene.devices.calls == 1)
            try await send(DeviceFingerprint(os: "iOS"), "m3")
            try await send(DeviceFingerprint(os: "iOS", deviceToken: .token("none")), "m4")
            #expect(scene.devices.tokens == ["aa"])
            try await send(DeviceFingerprint(os: "iOS", deviceToken: .removed), "m5")
            #expect(scene.devices.tokens.isEmpty)
            // What a message told holds for the visitor's next socket.
            _ = try await scene.client("ann")
            #expect(scene.devices.tokens.isEmpty)
        }
    }

    @Test func onlyApplesSystemsHaveDevices() async throws {
        try await Scene.run { scene in
            _ = try await scene.client("ann")
            #expect(await put(Self.token("aa"), scene, os: "Android") == 200)
            #expect(scene.devices.tokens.isEmpty)
            #expect(await put(Self.token("aa"), scene, os: "iPadOS") == 200)
            #expect(scene.devices.tokens == ["aa"])
        }
    }

    @Test func eachVisitorOfACustomerHasADevice() async throws {
        try await Scene.run { scene in
            _ = await put(Self.token("aa"), scene, visitor: "phone")
            _ = await put(Self.token("bb"), scene, visitor: "tablet")
            _ = try await scene.client("ann", visitor: "phone")
            _ = try await scene.client("ann", visitor: "tablet")
            #expect(scene.devices.tokens == ["aa", "bb"])
        }
    }

    @Test func aCustomerIsPresentUntilTheLastSocketCloses() async throws {
        try await Scene.run { scene in
            let left = Journal<String>()
            scene.sandbox.onLeaving { left.add($0) }
            let (phone, tablet) = (
                try await scene.client("ann", visitor: "phone"), try await scene.client("ann", visitor: "tablet")
            )
            let account = try #require(await phone.session.identity?.account)
            #expect(scene.sandbox.isPresent("cxone-sandbox:phone", account: account))
            #expect(!scene.sandbox.isPresent("cxone-sandbox:phone", account: account + 1))
            #expect(!scene.sandbox.isPresent("a-session", account: account))
            phone.session.inbox.put(.closed(.client))
            #expect(await eventually { scene.sandbox.sessionCount == 1 })
            #expect(scene.sandbox.isPresent("cxone-sandbox:phone", account: account) && left.entries.isEmpty)
            tablet.session.inbox.put(.closed(.client))
            #expect(await eventually { left.entries == ["cxone-sandbox:tablet"] })
            #expect(!scene.sandbox.isPresent("cxone-sandbox:phone", account: account))
        }
    }

    @Test func aCleanStartTakesTheDevicesOfAnEarlierRun() async throws {
        try await Scene.run { scene in
            // As another process has registered them. Nobody has connected in this one.
            for visitor in ["phone", "tablet"] {
                try await scene.devices.register(
                    token: visitor, channel: "chat", of: Sandbox.holder(visitor), account: 7)
            }
            try await scene.devices.register(token: "other", channel: nil, of: "a-session", account: 7)
            _ = try await scene.sandbox.reset()
            #expect(scene.devices.tokens == ["other"])
        }
    }

    @Test func aCleanStartForgetsWhatVisitorsTold() async throws {
        try await Scene.run { scene in
            _ = await put(Self.token("aa"), scene)
            _ = try await scene.sandbox.reset()
            _ = try await scene.client("ann")
            #expect(scene.devices.tokens.isEmpty)
        }
    }

    @Test func whatVisitorsToldIsBounded() {
        let devices = VisitorDevices()
        for number in 0...VisitorDevices.limit { devices.put(.token("\(number)"), of: "v\(number)") }
        #expect(devices.news(of: "v0") == nil)
        #expect(devices.news(of: "v1") == .token("1"))
        #expect(devices.news(of: "v\(VisitorDevices.limit)") == .token("\(VisitorDevices.limit)"))
    }

    @Test("6.1: the configuration shows what the channel pushes") func theConfigurationShowsWhatIsPushed() async throws
    {
        try await Scene.run { scene in
            let face = try scene.face("multi")
            func configuration() async throws -> WirePushNotifications? {
                let request = HTTPRequest(method: "GET", target: "/", headers: [("Host", "localhost")])
                let answer = await scene.sandbox.configuration(
                    of: face.id, brand: "\(scene.sandbox.brandID)", to: request)
                guard case .bytes(let bytes) = answer.body else { return nil }
                return try WireChannelConfiguration(json: bytes).settings.pushNotifications
            }
            #expect(try await configuration() == WirePushNotifications(isActive: false))
            scene.devices.set(
                PushOffer(isActive: true, title: "Shop", body: "News", deepLink: "app://{channelId}/threads"))
            #expect(
                try await configuration()
                    == WirePushNotifications(
                        isActive: true, title: "Shop", body: "News", deepLink: "app://\(face.id)/threads"))
        }
    }
}
