import Chat
import ChatModel
import ChatStore
import Formats
import HTTPClientPort
import TestSupport
import Testing

@testable import Outbound

/// Devices of apps that talk to the gateway by another face, and what they get.
@Suite struct AppDeviceRegistryTests {
    private static let holder = "face:phone"

    /// The live events of a type that come while the body runs.
    private func simulated(_ world: PushWorld, _ body: () async throws -> Void) async throws -> [JSONValue] {
        let events = Journal<LogEvent>()
        let subscription = world.store.feed.subscribe { all in
            for event in all where event.type == .pushSimulated { events.add(event) }
        }
        try await body()
        subscription.cancel()
        #expect(events.entries.allSatisfy { $0.offset == nil && $0.audiences == [.desk] })
        return try events.entries.map { try JSONParser.parse($0.data) }
    }

    private func register(_ world: PushWorld, token: String = "0A1B", channel: String? = "chat_1") async throws {
        try await world.registry.register(token: token, channel: channel, of: Self.holder, account: world.ann.account)
    }

    @Test func withoutAnAppAnEventTellsWhatWouldHaveBeenSent() async throws {
        try await PushWorld.run { world in
            try await register(world)
            let events = try await simulated(world) {
                try await world.write("m1")
                await world.pass(seconds: 5)
            }
            #expect(events.count == 1)
            let event = try #require(events.first)
            #expect(event["channel"]?.string == "multi" && event["customer"]?.string == "ann")
            #expect(event["threadId"]?.string == "t1" && event["messageId"]?.string == "m1")
            #expect(event["headers"]?["apns-push-type"]?.string == "alert")
            #expect(event["headers"]?["apns-collapse-id"]?.string == "m1")
            let payload = try #require(event["payload"])
            #expect(payload["aps"]?["badge"]?.integer == 1)
            // As the app knows it.
            #expect(payload["channelId"]?.string == "chat_1" && payload["threadId"]?.string == "t1")
        }
    }

    @Test func anEventIsBoundedAndHasNoToken() async throws {
        try await PushWorld.run { world in
            try await register(world, token: "c0ffee")
            let texts = Journal<[UInt8]>()
            let subscription = world.store.feed.subscribe { all in
                for event in all where event.type == .pushSimulated { texts.add(event.data) }
            }
            try await world.write("m1", String(repeating: "\u{1}👩‍👩‍👧‍👦", count: 1000))
            await world.pass(seconds: 5)
            subscription.cancel()
            #expect(texts.entries.count == 1)
            let text = texts.entries.first ?? []
            #expect(text.count <= 6144 && !String(decoding: text, as: UTF8.self).contains("c0ffee"))
        }
    }

    @Test func anAppThatIsConfiguredForTheChannelGetsThePush() async throws {
        let apple = ScriptedAPNs()
        let apps = [try APNsAccess.example(channels: ["other"]), try .example(topic: "com.example.shop")]
        try await PushWorld.run(apps: apps, apple: apple) { world in
            try await register(world)
            let events = try await simulated(world) {
                try await world.write("m1")
                await world.pass(seconds: 5)
            }
            #expect(events.isEmpty)
            let call = try #require(apple.calls.first)
            #expect(call.header("apns-topic") == "com.example.shop" && call.url.hasSuffix("/3/device/0a1b"))
            #expect(try JSONParser.parse(call.body ?? [])["channelId"]?.string == "chat_1")
        }
    }

    @Test func whoIsPresentIsPushedToAfterLeaving() async throws {
        try await PushWorld.run { world in
            let (presence, notifications) = (Flag(), world.sessions.notifications)
            notifications.onPresence { holder, _ in holder == Self.holder && !presence.isRaised }
            try await register(world)
            let events = try await simulated(world) {
                try await world.write("m1")
                await world.pass(seconds: 5)
                presence.raise()
                notifications.left(Self.holder)
                await world.pass(seconds: 1)
            }
            #expect(events.count == 1)
        }
    }

    @Test func whatIsReadMeanwhileIsNotTold() async throws {
        try await PushWorld.run { world in
            try await register(world)
            let events = try await simulated(world) {
                try await world.write("m1")
                _ = try await world.ann.ask { try await $0.markRead("t1", receipt: nil) }
                await world.pass(seconds: 5)
            }
            #expect(events.isEmpty)
        }
    }

    @Test func aHolderHasOneDeviceThatKeepsItsChannel() async throws {
        try await PushWorld.run { world in
            try await register(world)
            try await register(world, token: "ff", channel: nil)
            let (registry, account) = (world.registry, world.ann.account)
            #expect(try await registry.accounts(of: Self.holder) == [account])
            let devices = try await world.store.read { try $0.devices(of: Self.holder) }
            let token = try #require(DeviceToken("ff", of: .apns))
            let settings = try devices.map { try DeviceSettings(of: $0) }
            #expect(settings == [.app(AppSettings(app: nil, channel: "chat_1", token: token))])
            try await registry.remove(of: Self.holder, account: account)
            try await registry.remove(of: Self.holder, account: account)
            #expect(try await registry.accounts(of: Self.holder).isEmpty)
        }
    }

    @Test func allDevicesOfAFaceAreRemoved() async throws {
        try await PushWorld.run { world in
            let bob = try await world.sessions.create(
                service: "local", channel: "multi", customer: CustomerDraft(id: "bob"), connect: true, receipt: nil)
            try await register(world)
            let registry = world.registry, ann = world.ann.account
            try await registry.register(token: "0b", channel: nil, of: "face:tablet", account: bob.account)
            try await registry.register(token: "0c", channel: nil, of: "facet", account: ann)
            try await registry.register(token: "0d", channel: nil, of: "my face:phone", account: bob.account)
            try await registry.removeAll(ofHoldersBeginningWith: "face:")
            for holder in [Self.holder, "face:tablet"] { #expect(try await registry.accounts(of: holder).isEmpty) }
            for holder in ["facet", "my face:phone"] { #expect(try await registry.accounts(of: holder).count == 1) }
            let events = try await simulated(world) {
                try await world.write("m1")
                await world.pass(seconds: 5)
            }
            #expect(events.count == 1, "the device that is left, and no other")
        }
    }

    @Test func theSameTokenOfAnotherCustomerMoves() async throws {
        try await PushWorld.run { world in
            let bob = try await world.sessions.create(
                service: "local", channel: "multi", customer: CustomerDraft(id: "bob"), connect: true, receipt: nil)
            try await register(world)
            try await world.registry.register(token: "0a1b", channel: "chat_1", of: Self.holder, account: bob.account)
            #expect(try await world.registry.accounts(of: Self.holder) == [bob.account])
        }
    }

    @Test func aChannelsOfferSaysWhetherAnAppIsThere() async throws {
        try await PushWorld.run(apps: [try .example(channels: ["multi"])]) { world in
            let (offer, other) = (
                try await world.registry.offer(in: "multi"), try await world.registry.offer(in: "single")
            )
            #expect(offer.isActive)
            #expect(other == PushOffer(isActive: false, title: PushAlert.fixedTitle, body: PushAlert.fixedBody))
            let push = PushSettings(title: "Shop", body: "News", deeplink: "app://{channelId}")
            var settings = ChannelSettings()
            settings.push = push
            _ = try await world.desk.update(channel: "multi", settings)
            let chosen = try await world.registry.offer(in: "multi")
            #expect(chosen == PushOffer(isActive: true, title: "Shop", body: "News", deepLink: "app://{channelId}"))
        }
    }
}
