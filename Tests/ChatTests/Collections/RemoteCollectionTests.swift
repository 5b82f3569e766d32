import ChatModel
import ChatStore
import TestSupport
import Testing

@testable import Chat

/// Collections of a remote service, whose rows are a cache: rules 2.2, 3.3, 3.5, 3.6, 3.9, 3.13 to 3.16 of collections.
@Suite struct RemoteCollectionTests {
    // MARK: Fetching

    @Test("3.3: a short page waits for the background synchronization's next one") func waiting() async throws {
        try await RemoteScene.run(messages: 150) { scene in
            let gate = Gate()
            scene.service.script("messages", .go, .hold(gate), .hold(gate))
            try await scene.client.connect()
            #expect(await eventually { scene.service.count("messages") == 2 })
            var list = try await scene.messages(limit: 60)
            #expect(try await scene.fetch(list, .previous))
            let waiting = Task { [list] in try await scene.fetch(list, .previous) }
            // It has asked for a page, and rows of the store it would have had before.
            #expect(await eventually { scene.service.count("messages") == 3 })
            #expect(try await scene.events(&list).count == 1)
            gate.open()
            #expect(try await waiting.value)
            #expect(try await scene.fetch(list, .previous) == false)
            _ = try await scene.events(&list)
            #expect(list.texts == scene.remoteTexts())
        }
    }

    @Test(
        "3.3, 3.15: a fetch completes with what there is when the request fails, after 10 s, and offline",
        arguments: ["fails", "hangs", "offline"])
    func completes(what: String) async throws {
        try await RemoteScene.run(messages: 150) { scene in
            let gate = Gate()
            // The background's second page, and the view's own.
            let outcome: Step = what == "hangs" ? .hold(gate) : .fail(.serverError)
            scene.service.script("messages", .go, outcome, outcome)
            try await scene.client.connect()
            #expect(await eventually { scene.service.count("messages") == 2 })
            if what == "offline" { try await scene.client.disconnect() }
            var list = try await scene.messages(limit: 80)
            #expect(try await scene.fetch(list, .previous))
            let second = Task { [list] in try await scene.fetch(list, .previous) }
            if what == "hangs" {
                #expect(await eventually { scene.clock.nextWaking.map { $0 <= .seconds(10) } == true })
                scene.clock.advance(by: .seconds(10))
            }
            #expect(try await second.value, "more may come")
            _ = try await scene.events(&list)
            #expect(list.texts == Array(scene.remoteTexts().suffix(list.texts.count)))
            // Of a page of 100; others of the oldest one's very time may be missing, so that it waits for them.
            #expect(list.texts.count == 99)
            gate.open()
        }
    }

    @Test("230 messages with the viewpoint at the 116th: fetching both ways to the end shows 230, none twice")
    func bothWays() async throws {
        try await RemoteScene.run(messages: 230) { scene in
            let viewpoint = try #require(scene.platform.room("t")?.messages[115].message.createdAt)
            try await scene.synchronize()
            var list = try await scene.messages(viewpoint: viewpoint, limit: 50)
            while try await scene.fetch(list, .previous) {}
            while try await scene.fetch(list, .next) {}
            _ = try await scene.events(&list)
            #expect(list.texts == scene.remoteTexts())
        }
    }

    @Test("3.13: paused, then resumed: fetch next, fetch previous and live events work") func pauseAndResume()
        async throws
    {
        try await RemoteScene.run(messages: 60) { scene in
            let viewpoint = try #require(scene.platform.room("t")?.messages[30].message.createdAt)
            try await scene.synchronize()
            var list = try await scene.messages(viewpoint: viewpoint, limit: 10)
            try await scene.fetch(list, .previous)
            scene.client.setSynchronization(isPaused: true)
            scene.environment.advance(milliseconds: 10)
            scene.platform.write("while paused", in: "t")
            await scene.service.settle()
            #expect(try await scene.events(&list).last == "new")
            scene.client.setSynchronization(isPaused: false)
            await scene.idle()
            while try await scene.fetch(list, .previous) {}
            while try await scene.fetch(list, .next) {}
            scene.platform.write("live", in: "t")
            await scene.service.settle()
            #expect(try await scene.events(&list).suffix(2).last == "new")
            #expect(list.texts == scene.remoteTexts())
        }
    }

    // MARK: Absence

    @Test("3.6, 3.5: what was missed joins the newest row in its order") func missed() async throws {
        try await RemoteScene.run(messages: 10) { scene in
            try await scene.synchronize()
            var list = try await scene.messages()
            try await scene.fetch(list, .previous)
            try await scene.reconnect {
                for index in 0..<50 {
                    scene.environment.advance(milliseconds: 10)
                    scene.platform.write("missed \(index)", in: "t")
                }
            }
            await scene.idle()
            _ = try await scene.events(&list)
            #expect(list.texts == scene.remoteTexts())
        }
    }

    @Test(
        "3.16, 3.5: after a huge gap there is one event, and no row from beyond the hole until the viewpoint is reset")
    func hugeGap() async throws {
        try await RemoteScene.run(messages: 10) { scene in
            try await scene.synchronize()
            var list = try await scene.messages()
            try await scene.fetch(list, .previous)
            _ = try await scene.events(&list)
            let before = list.texts
            try await scene.reconnect {
                for index in 0..<400 {
                    scene.environment.advance(milliseconds: 10)
                    scene.platform.write("missed \(index)", in: "t")
                }
            }
            await scene.idle()
            #expect(try await scene.events(&list).filter { $0 == "hugeGap" }.count == 1)
            #expect(list.texts == before)
            try await scene.sessions.collections.resetViewpoint(
                list.collection.id, of: scene.client.collectionOwner, to: nil)
            while try await scene.fetch(list, .previous) {}
            _ = try await scene.events(&list)
            #expect(list.texts == scene.remoteTexts())
        }
    }

    @Test("3.3, 3.5: a first page does not reach across a hole to what came live beyond it") func firstPageAtAHole()
        async throws
    {
        try await RemoteScene.run(messages: 10) { scene in
            try await scene.synchronize()
            try await scene.liveBeyondAHole(missed: 3)
            var list = try await scene.messages()
            try await scene.fetch(list, .previous)
            _ = try await scene.events(&list)
            #expect(list.texts == (0..<10).map { "text \($0)" })
            scene.catchingUp.open()
            await scene.idle()
            while try await scene.fetch(list, .next) {}
            _ = try await scene.events(&list)
            #expect(list.texts == scene.remoteTexts())
        }
    }

    @Test("3.16, 3.5: what came live before the gap was known leaves with it", arguments: [10, 0])
    func liveBeforeAHugeGap(count: Int) async throws {
        try await RemoteScene.run(messages: count) { scene in
            try await scene.synchronize()
            var list = try await scene.messages()
            try await scene.fetch(list, .previous)
            if count == 0 {
                // A list that was opened empty.
                scene.environment.advance(milliseconds: 10)
                scene.platform.write("first", in: "t")
                await scene.service.settle()
            }
            _ = try await scene.events(&list)
            let before = list.texts
            try await scene.liveBeyondAHole(missed: 400)
            scene.catchingUp.open()
            await scene.idle()
            _ = try await scene.events(&list)
            #expect(list.texts == before)
            while try await scene.fetch(list, .next) {}
            _ = try await scene.events(&list)
            #expect(list.texts == scene.remoteTexts())
        }
    }

    @Test("A deletion while offline: remove on resume, and no later page brings it back") func deletedWhileOffline()
        async throws
    {
        try await RemoteScene.run(messages: 30) { scene in
            try await scene.synchronize()
            var list = try await scene.messages(limit: 20)
            try await scene.fetch(list, .previous)
            let messages = try #require(scene.platform.room("t")?.messages.map(\.message))
            try await scene.reconnect {
                scene.platform.remove(messages[29].id, in: "t")
                scene.platform.remove(messages[5].id, in: "t")
            }
            await scene.idle()
            while try await scene.fetch(list, .previous) {}
            let events = try await scene.events(&list)
            #expect(events.count { $0.hasPrefix("remove") } == 1)
            #expect(list.texts == scene.remoteTexts())
        }
    }

    @Test("3.14: a cleared cache clears every collection, and is filled anew") func clearCache() async throws {
        try await RemoteScene.run(messages: 30) { scene in
            try await scene.synchronize()
            var list = try await scene.messages()
            try await scene.fetch(list, .previous)
            try await scene.client.clearCache()
            #expect(try await scene.events(&list).contains("clear"))
            await scene.idle()
            while try await scene.fetch(list, .previous) {}
            _ = try await scene.events(&list)
            #expect(list.texts == scene.remoteTexts())
        }
    }

    // MARK: Own messages

    @Test("3.2, 3.9: pending, then gone from pending, then succeeded; never two of them") func ownMessage() async throws
    {
        try await RemoteScene.run(messages: 2) { scene in
            try await scene.synchronize()
            var list = try await scene.messages()
            try await scene.fetch(list, .previous)
            _ = try await scene.events(&list)
            let gate = Gate()
            scene.service.script("send", .hold(gate))
            let sending = Task { try await scene.send("mine", id: "m1") }
            #expect(await eventually { scene.service.count("send") == 1 })
            #expect(try await scene.events(&list) == ["insert pending m1 at 0"])
            // Who begins to look now finds it among the pending ones.
            var late = try await scene.messages()
            try await scene.fetch(late, .previous)
            #expect(try await scene.events(&late).first == "insert pending m1 at 0")
            gate.open()
            _ = try await sending.value
            await scene.service.settle()
            #expect(try await scene.events(&list) == ["remove pending m1", "insert succeeded m1 at 2"])
            #expect(try await scene.events(&late) == ["remove pending m1", "insert succeeded m1 at 2"])
        }
    }

    @Test("3.9, 3.10: failed it is kept, and a resend that succeeds takes it out with its reason") func failedMessage()
        async throws
    {
        try await RemoteScene.run(messages: 2) { scene in
            try await scene.synchronize()
            var list = try await scene.messages()
            try await scene.fetch(list, .previous)
            _ = try await scene.events(&list)
            scene.service.script("send", .fail(.serverError), .fail(.serverError))
            _ = try await scene.send("mine", id: "m1")
            #expect(
                try await scene.events(&list) == [
                    "insert pending m1 at 0", "remove pending m1", "insert failed m1 at 0",
                ])
            _ = try? await scene.client.resend("m1", in: "t", receipt: nil)
            #expect(try await scene.events(&list).filter { !$0.hasPrefix("update failed m1 resendFailed") } == [])
            _ = try await scene.client.resend("m1", in: "t", receipt: nil)
            await scene.service.settle()
            #expect(try await scene.events(&list) == ["remove failed m1 resendSucceeded", "insert succeeded m1 at 2"])
        }
    }

    @Test("3.10: a failed message that is removed by hand leaves with that reason") func removedByHand() async throws {
        try await RemoteScene.run { scene in
            try await scene.synchronize()
            var list = try await scene.messages()
            try await scene.fetch(list, .previous)
            scene.service.script("send", .fail(.serverError))
            _ = try await scene.send("mine", id: "m1")
            try await scene.client.remove("m1", in: "t", ifMatch: nil)
            #expect(try await scene.events(&list).last == "remove failed m1 manualAction")
        }
    }

    // MARK: Threads

    @Test("2.2, 2.2a: cached threads at once, more as the service delivers them, page after page until the end")
    func threads() async throws {
        try await RemoteScene.run { scene in
            for index in 0..<45 {
                scene.environment.advance(milliseconds: 10)
                scene.platform.makeThread("t\(index)")
            }
            try await scene.synchronize()
            var list = Follower(try await scene.collection(CollectionDefinition(.threads(ThreadQuery()), limit: 10)))
            var rounds = 0
            while try await scene.fetch(list, .next), rounds < 20 { rounds += 1 }
            _ = try await scene.events(&list)
            #expect(Set(list.ids) == Set(scene.platform.threadIDs))
            #expect(list.ids.count == 46)
        }
    }
}
