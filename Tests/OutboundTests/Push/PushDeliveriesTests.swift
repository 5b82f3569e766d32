import Chat
import ChatModel
import ChatStore
import HTTPClientPort
import TestSupport
import Testing

@testable import Outbound

/// Pushes from the message to the push service, on a clock of the tests'.
@Suite struct PushDeliveriesTests {
    @Test func aMessageGoesOutThreeSecondsAfterItCame() async throws {
        try await PushWorld.run { world in
            try await world.register()
            try await world.write("m1")
            await world.rest()
            #expect(try await world.outcomes() == ["pending"])
            await world.pass(seconds: 2)
            #expect(world.service.calls.isEmpty)
            #expect(try await world.isThere(["delivered"]))
            let call = try #require(world.service.calls.first)
            #expect(call.url == SubscriptionExample.endpoint && call.method == "POST")
            #expect(call.headers.contains(HTTPCall.Header("TTL", "86400")))
            let text = String(decoding: try PushReceiver.example().open(call.body ?? []), as: UTF8.self)
            #expect(text.contains("It left today.") && text.contains("Marta"))
        }
    }

    @Test func nobodyIsToldOfOwnMessagesNorOfThoseBeforeTheDevice() async throws {
        try await PushWorld.run { world in
            try await world.write("before")
            try await world.register()
            _ = try await world.ann.send(MessageDraft(id: "own", text: "Hello?"), to: "t1", receipt: nil)
            try await world.write("m1")
            #expect(try await world.isThere(["delivered"]))
        }
    }

    @Test func whatIsReadOrRemovedMeanwhileIsDropped() async throws {
        try await PushWorld.run { world in
            try await world.register()
            try await world.write("m1")
            _ = try await world.ann.ask { try await $0.markRead("t1", receipt: nil) }
            #expect(try await world.isThere(["dropped read"]))
            try await world.write("m2")
            // Of what is removed before it is taken there is no delivery.
            #expect(try await world.isThere(["pending", "dropped read"]))
            try await world.desk.remove("m2", in: DeskThread(id: "t1"), ifMatch: nil)
            #expect(try await world.isThere(["dropped removed", "dropped read"]))
            #expect(world.service.calls.isEmpty)
        }
    }

    @Test func aFollowedSessionIsToldWhenItsStreamEnds() async throws {
        try await PushWorld.run { world in
            let (ann, notifications) = (world.ann, world.sessions.notifications)
            try await world.register()
            notifications.streamOpened(by: ["tab"], session: ann.id)
            try await ann.show(nil, holder: "tab")
            try await world.write("m1")
            await world.pass(seconds: 20)
            #expect(try await world.outcomes() == ["pending"])
            notifications.streamClosed(by: ["tab"], session: ann.id, account: ann.account)
            await world.rest()
            #expect(world.service.calls.count == 1, "at once, not after another look")
            notifications.streamOpened(by: ["tab"], session: ann.id)
            try await ann.show("t1", holder: "tab")
            try await world.write("m2")
            #expect(try await world.isThere(["dropped shown", "delivered"]))
        }
    }

    @Test func aServiceThatIsAwayIsTriedAgainAndItsPatienceKept() async throws {
        try await PushWorld.run { world in
            try await world.register()
            world.service.answer(HTTPAnswer(status: 503), HTTPAnswer(status: 429, headers: ["retry-after": "40"]))
            try await world.write("m1")
            await world.pass(seconds: 12)
            #expect(world.service.calls.count == 2)
            await world.pass(seconds: 30)
            #expect(world.service.calls.count == 2)
            #expect(try await world.isThere(["delivered"]))
            let delivery = try #require(try await world.pushes().first)
            #expect(delivery.attempts.map(\.status) == [503, 429, 201])
        }
    }

    @Test func aSubscriptionThatIsGoneIsErased() async throws {
        try await PushWorld.run { world in
            try await world.register()
            world.service.answer(HTTPAnswer(status: 410))
            try await world.write("m1")
            #expect(try await world.isThere(["dead gone"]))
            #expect(try await world.devices.device(of: world.ann.id, account: world.ann.account).state == .gone)
            let stored = try #require(
                try await world.store.read { try $0.device(of: world.ann.id, account: world.ann.account) })
            #expect(String(decoding: stored.settings, as: UTF8.self) == #"{"host":"push.example.net"}"#)
            try await world.write("m2")
            await world.pass(seconds: 5)
            #expect(world.service.calls.count == 1)
            try await world.register()
            try await world.write("m3")
            #expect(try await world.isThere(["delivered", "dead gone"]))
        }
    }

    @Test func whoIsRefusedThreeTimesPushesNoMore() async throws {
        try await PushWorld.run { world in
            try await world.register()
            for number in 1...3 {
                world.service.answer(HTTPAnswer(status: 403))
                try await world.write("m\(number)")
                #expect(try await world.isThere([String](repeating: "dead refused", count: number)))
            }
            #expect(try await world.devices.device(of: world.ann.id, account: world.ann.account).state == .refused)
        }
    }

    @Test func aTestTellsThatASubscriptionIsGone() async throws {
        try await PushWorld.run { world in
            let ann = world.ann
            try await world.register()
            #expect(try await world.devices.test(ann.id, account: ann.account).state == .delivered)
            world.service.answer(HTTPAnswer(status: 410))
            let push = try await world.devices.test(ann.id, account: ann.account)
            #expect(push.state == .dead && push.attempts.map(\.status) == [410])
            #expect(try await world.devices.device(of: ann.id, account: ann.account).state == .gone)
            #expect(try await world.storedSettings() == #"{"host":"push.example.net"}"#)
            try await world.write("m1")
            await world.pass(seconds: 5)
            #expect(world.service.calls.count == 2, "nothing is pushed any more")
        }
    }

    /// Its subscription is not kept, so nothing can be sent; and what it was refused for stays its state.
    @Test func aTestOfARefusedBrowserSendsNothing() async throws {
        try await PushWorld.run { world in
            let ann = world.ann
            try await world.register()
            for number in 1...3 {
                world.service.answer(HTTPAnswer(status: 403))
                try await world.write("m\(number)")
                #expect(try await world.isThere([String](repeating: "dead refused", count: number)))
            }
            let push = try await world.devices.test(ann.id, account: ann.account)
            #expect(push.state == .dead && push.attempts.map(\.status) == [nil])
            #expect(world.service.calls.count == 3)
            #expect(try await world.devices.device(of: ann.id, account: ann.account).state == .refused)
        }
    }

    /// The condition is asked in the unit that writes: of two requests at once, one is carried out.
    @Test func onlyTheFirstOfTwoRegistersWhatMustBeNew() async throws {
        try await PushWorld.run { world in
            let registration = DeviceRegistration(kind: .webPush, subscription: try SubscriptionExample.json())
            let (devices, session, account) = (world.devices, world.ann.id, world.ann.account)
            let results = await withTaskGroup(of: ChatError.Code?.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        await refusal {
                            _ = try await devices.register(registration, of: session, account: account, onlyNew: true)
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(results.filter { $0 == nil }.count == 1)
            #expect(results.filter { $0 == .preconditionFailed }.count == 7)
            let again = try await devices.register(registration, of: session, account: account, onlyNew: false)
            #expect(!again.isNew)
            try await devices.removeDevice(of: session, account: account)
            let anew = try await devices.register(registration, of: session, account: account, onlyNew: true)
            #expect(anew.isNew)
        }
    }

    @Test func anEndpointMovesToTheSessionThatRegistersItLast() async throws {
        try await PushWorld.run { world in
            let before = try await world.register()
            #expect(try await world.register().id == before.id, "the same again changes nothing")
            let bob = try await world.sessions.create(
                service: "local", channel: "multi", customer: CustomerDraft(id: "bob"), connect: true, receipt: nil)
            let subscription = try SubscriptionExample.json()
            _ = try await world.devices.register(
                DeviceRegistration(kind: .webPush, subscription: subscription), of: bob.id, account: bob.account)
            await #expect(throws: ChatError.self) {
                try await world.devices.device(of: world.ann.id, account: world.ann.account)
            }
            #expect(try await world.devices.device(of: bob.id, account: bob.account).state == .active)
        }
    }

    @Test(arguments: ["http://push.example.net/", "https://127.0.0.1/", "https://[::1]/", "https://10.1.2.3/x"])
    func aSessionCannotNameAnAddressThatIsNotPublic(endpoint: String) async throws {
        try await PushWorld.run { world in
            let error = await #expect(throws: ChatError.self) { try await world.register(endpoint) }
            #expect(error?.code == .targetNotAllowed && error?.pointer == "/subscription/endpoint")
        }
    }
}
