import Chat
import ChatModel
import ChatStore
import Formats
import TestSupport
import Testing

@testable import Outbound

/// Pushes to the browsers of agents.
@Suite struct DeskPushTests {
    /// Registers a browser at the desk; returns its id.
    private func register(
        _ world: PushWorld, _ endpoint: String = SubscriptionExample.endpoint, page: String? = nil
    ) async throws -> String {
        let subscription = try SubscriptionExample.json(endpoint: endpoint)
        return try await world.devices.registerAtDesk(
            DeviceRegistration(kind: .webPush, subscription: subscription, page: page), by: nil, receipt: nil
        ).id
    }

    private func ask(_ world: PushWorld, _ id: String, _ text: String = "Is it there yet?") async throws {
        _ = try await world.ann.send(MessageDraft(id: id, text: text), to: "t1", receipt: nil)
    }

    private func deliveries(_ world: PushWorld, _ device: String) async throws -> [String] {
        try await world.devices.deliveries(ofDeskDevice: device, state: nil, PageRequest(limit: 50, cursor: nil)).items
            .map { [$0.state.rawValue, $0.reason].compactMap(\.self).joined(separator: " ") }
    }

    private func isThere(_ world: PushWorld, _ device: String, _ outcomes: [String]) async throws -> Bool {
        for _ in 0..<50 {
            if try await deliveries(world, device) == outcomes { return true }
            await world.pass(seconds: 1)
        }
        Issue.record("\(try await deliveries(world, device)) instead of \(outcomes)")
        return false
    }

    @Test func theDeskIsToldOfWhatCustomersWriteAndNotOfItsOwn() async throws {
        try await PushWorld.run { world in
            let device = try await register(world, page: "http://localhost:8787/desk")
            try await world.write("own")
            try await ask(world, "m1")
            #expect(try await isThere(world, device, ["delivered"]))
            let call = try #require(world.service.calls.first)
            let push = try JSONParser.parse(try PushReceiver.example().open(call.body ?? []))
            #expect(push["notification"]?["body"]?.string == "Is it there yet?")
            #expect(
                push["notification"]?["navigate"]?.string
                    == "http://localhost:8787/desk?channel=multi&thread=t1&customer=ann&message=m1&from=none")
        }
    }

    @Test func aNewThreadIsToldByItsFirstMessage() async throws {
        try await PushWorld.run { world in
            let device = try await register(world)
            _ = try await world.ann.createThread(ThreadDraft(id: "t2"), receipt: nil)
            _ = try await world.ann.send(MessageDraft(id: "m1", text: "Hello"), to: "t2", receipt: nil)
            #expect(try await isThere(world, device, ["delivered"]))
        }
    }

    @Test func whatAnAgentHasReadMeanwhileIsDropped() async throws {
        try await PushWorld.run { world in
            let device = try await register(world)
            try await ask(world, "m1")
            _ = try await world.desk.markRead(DeskThread(id: "t1"), receipt: nil)
            try await ask(world, "m2")
            #expect(try await isThere(world, device, ["delivered", "dropped read"]))
            try await ask(world, "m3")
            #expect(try await isThere(world, device, ["pending", "delivered", "dropped read"]))
            try await world.ann.remove("m3", in: "t1", ifMatch: nil)
            #expect(try await isThere(world, device, ["dropped removed", "delivered", "dropped read"]))
        }
    }

    /// Each browser for itself: who follows the desk elsewhere does not keep the others from being told.
    @Test func aBrowserThatFollowsTheDeskWaitsUntilItsStreamEnds() async throws {
        try await PushWorld.run { world in
            let notifications = world.sessions.notifications
            let here = try await register(world)
            let elsewhere = try await register(world, "https://push.example.net/push/elsewhere")
            notifications.deskStreamOpened(by: [here, "tab"])
            notifications.deskStreamOpened(by: [here])
            try await ask(world, "m1")
            #expect(try await isThere(world, elsewhere, ["delivered"]))
            await world.pass(seconds: 20)
            #expect(try await deliveries(world, here) == ["pending"])
            notifications.deskStreamClosed(by: [here])
            await world.pass(seconds: 20)
            #expect(try await deliveries(world, here) == ["pending"], "another of its streams is open")
            notifications.deskStreamClosed(by: [here, "tab"])
            await world.rest()
            #expect(world.service.calls.count == 2, "at once, not after another look")
        }
    }

    @Test func whoFollowsTheDeskForTenMinutesHasSeenIt() async throws {
        try await PushWorld.run { world in
            let device = try await register(world)
            world.sessions.notifications.deskStreamOpened(by: [device])
            try await ask(world, "m1")
            await world.pass(seconds: 3)
            for _ in 0..<41 {
                world.environment.advance(milliseconds: 15_000)
                world.clock.advance(by: .seconds(15))
                await world.pass(seconds: 0)
            }
            #expect(try await deliveries(world, device) == ["dropped present"])
        }
    }

    @Test func aDeviceThatWasRemovedGetsNothing() async throws {
        try await PushWorld.run { world in
            let device = try await register(world)
            try await ask(world, "m1")
            #expect(try await isThere(world, device, ["pending"]))
            try await world.devices.removeDeskDevice(device)
            await world.pass(seconds: 5)
            #expect(world.service.calls.isEmpty)
            #expect(try await world.devices.deskDevices().isEmpty)
        }
    }

    @Test func theChannelDecidesWhatIsTold() async throws {
        try await PushWorld.run { world in
            let device = try await register(world)
            var settings = ChannelSettings()
            settings.push = .some(PushSettings(title: "Acme", body: "Acme has written.", content: PushContent.none))
            _ = try await world.desk.update(channel: "multi", settings)
            try await ask(world, "m1")
            #expect(try await isThere(world, device, ["delivered"]))
            let text = String(
                decoding: try PushReceiver.example().open(try #require(world.service.calls.first?.body)), as: UTF8.self)
            #expect(
                !text.contains("there yet") && !text.contains("Acme"),
                "what the channel says to customers is nothing for agents")
            #expect(text.contains("New message"))
        }
    }
}
