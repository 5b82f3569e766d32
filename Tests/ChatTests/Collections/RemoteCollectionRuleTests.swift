import ChatModel
import ChatStore
import Formats
import TestSupport
import Testing

@testable import Chat

/// Rules of collections that need no story of their own, on a remote service.
@Suite struct RemoteCollectionRuleTests {
    @Test("1.5: the cache stays when a collection is removed") func theCacheStays() async throws {
        try await RemoteScene.run(messages: 30) { scene in
            try await scene.synchronize()
            let first = try await scene.messages()
            try await scene.fetch(first, .previous)
            try await scene.sessions.collections.remove(first.collection.id, of: scene.client.collectionOwner)
            let calls = scene.service.calls.entries
            var second = try await scene.messages()
            try await scene.fetch(second, .previous)
            _ = try await scene.events(&second)
            #expect(second.texts == scene.remoteTexts())
            #expect(scene.service.calls.entries == calls)
        }
    }

    @Test("2.3: a thread that the service has deleted leaves") func deletedThread() async throws {
        try await RemoteScene.run { scene in
            scene.environment.advance(milliseconds: 10)
            scene.platform.makeThread("t2")
            try await scene.synchronize()
            var list = Follower(try await scene.collection(CollectionDefinition(.threads(ThreadQuery()))))
            while try await scene.fetch(list, .next) {}
            _ = try await scene.events(&list)
            #expect(list.ids == ["t2", "t"])
            try await scene.reconnect { scene.platform.removeThread("t2") }
            await scene.idle()
            #expect(try await scene.events(&list) == ["remove succeeded t2"])
        }
    }

    @Test("2.4: receipts change no thread row, but for the status of the message that it shows")
    func receipts() async throws {
        try await RemoteScene.run(messages: 2) { scene in
            try await scene.synchronize()
            let original = try #require(scene.platform.room("t")?.messages)
            var (messages, threads) = (
                try await scene.messages(),
                Follower(try await scene.collection(CollectionDefinition(.threads(ThreadQuery()))))
            )
            while try await scene.fetch(messages, .previous) {}
            while try await scene.fetch(threads, .next) {}
            _ = (try await scene.events(&messages), try await scene.events(&threads))
            for (message, told) in zip(original, [[], ["update succeeded t"]]) {
                var seen = message
                seen.message.status = .seen
                try await scene.merge([seen], by: .change)
                #expect(try await scene.events(&messages) == ["update succeeded \(message.message.id)"])
                #expect(try await scene.events(&threads) == told)
            }
        }
    }

    @Test("3.3: a fetch reads the cache only: of a complete one nothing is asked") func cacheOnly() async throws {
        try await RemoteScene.run(messages: 230) { scene in
            try await scene.synchronize()
            let calls = scene.service.calls.entries
            var list = try await scene.messages()
            while try await scene.fetch(list, .previous) {}
            _ = try await scene.events(&list)
            #expect(list.texts == scene.remoteTexts())
            #expect(scene.service.calls.entries == calls)
        }
    }

    @Test("3.4: the background fills the cache and never touches a view") func aViewIsLeftAlone() async throws {
        try await RemoteScene.run(messages: 250) { scene in
            let gate = Gate()
            scene.service.script("messages", .go, .hold(gate))
            try await scene.client.connect()
            #expect(await eventually { scene.service.count("messages") == 2 })
            var list = try await scene.messages(limit: 10)
            try await scene.fetch(list, .previous)
            _ = try await scene.events(&list)
            gate.open()
            await scene.idle()
            #expect(try scene.texts().count == 250)
            #expect(try await scene.events(&list) == [])
            #expect(list.texts == Array(scene.remoteTexts().suffix(10)))
        }
    }

    @Test("3.5: a viewpoint equal to a chunk's edge loses nothing at it", arguments: [-1, 0, 1])
    func viewpointAtAnEdge(beside: Int64) async throws {
        try await RemoteScene.run { scene in
            // Two of one time at each possible edge.
            for index in 0..<260 {
                scene.platform.write(
                    "text \(index)", in: "t", at: Timestamp(milliseconds: Int64(1_000_000 + index / 2 * 10)))
            }
            scene.service.script("messages", .go, .fail(.serverError))
            try await scene.synchronize()
            let edge = try #require(try scene.chunks().first?.low)
            #expect(edge > 1_000_000)
            scene.client.setSynchronization(isPaused: false)
            var list = try await scene.messages(viewpoint: Timestamp(milliseconds: edge + beside), limit: 20)
            // In both directions to the ends, the one after the other.
            for direction in FetchDirection.allCases { while try await scene.fetch(list, direction) {} }
            _ = try await scene.events(&list)
            #expect(list.texts == scene.remoteTexts())
        }
    }

    @Test(
        "3.8: a tombstone wins over any later page, event or change",
        arguments: [MessageSource.live, .missed, .change, .history])
    func tombstone(source: MessageSource) async throws {
        try await RemoteScene.run(messages: 3) { scene in
            try await scene.synchronize()
            var list = try await scene.messages()
            try await scene.fetch(list, .previous)
            _ = try await scene.events(&list)
            let gone = try #require(scene.platform.room("t")?.messages[1])
            scene.platform.remove(gone.message.id, in: "t")
            await scene.service.settle()
            #expect(try await scene.events(&list) == ["remove succeeded \(gone.message.id)"])
            var late = gone
            late.message.updatedAt = late.message.updatedAt.advanced(byMilliseconds: 1_000_000)
            try await scene.merge([late], by: source)
            #expect(try await scene.events(&list) == [])
            #expect(try scene.texts() == scene.remoteTexts())
        }
    }

    @Test("4.3: what a service says of replies is guarded by its time: an older word is ignored") func olderReplyInfo()
        async throws
    {
        try await RemoteScene.run(messages: 1) { scene in
            try await scene.synchronize()
            let original = try #require(scene.platform.room("t")?.messages[0])
            func count(_ count: Int, at offset: Int64) async throws -> Int? {
                var message = original
                message.message.updatedAt = message.message.updatedAt.advanced(byMilliseconds: 100 + Int64(count))
                message.message.replyInfo = ReplyInfo(
                    count: count, mostReplies: [], lastRepliedAt: nil,
                    updatedAt: message.message.createdAt.advanced(byMilliseconds: offset))
                try await scene.merge([message], by: .change)
                return try scene.rows().first?.replyInfo?.count
            }
            #expect(try await count(2, at: 20) == 2)
            #expect(try await count(3, at: 10) == 2)
            #expect(try await count(1, at: 30) == 1)
        }
    }

    @Test("4.5, 4.6: when the parent is gone its replies stay readable, and it is said to be unavailable")
    func parentIsGone() async throws {
        try await RemoteScene.run(messages: 2) { scene in
            try await scene.synchronize()
            let parent = try #require(scene.platform.room("t")?.messages[0].message)
            var reply = Message(
                id: "reply", threadID: "t", createdAt: scene.environment.now, direction: .toClient,
                author: Author(id: "a1", kind: .agent),
                text: "a reply", status: .delivered)
            (reply.parentID, reply.alsoInThread) = (parent.id, false)
            try await scene.merge([RemoteMessage(reply)], by: .live)
            let filter = MessageFilter(parentID: parent.id)
            var list = Follower(
                try await scene.collection(CollectionDefinition(.messages(thread: "t", filter, viewpoint: nil))))
            try await scene.fetch(list, .previous)
            #expect(try await scene.events(&list).first == "insert succeeded reply at 0")
            scene.platform.remove(parent.id, in: "t")
            await scene.service.settle()
            #expect(try await scene.events(&list) == ["parent removed \(parent.id)"])
            let snapshot = try JSONParser.parse(list.collection.snapshot())
            #expect(snapshot[path: "parent", "unavailable"] == .bool(true))
            #expect(snapshot["items"]?.array?.compactMap { $0["id"]?.string } == ["reply"])
        }
    }
}

extension RemoteScene {
    /// What the service's adapter would write.
    fileprivate func merge(_ messages: [RemoteMessage], by source: MessageSource) async throws {
        let account = client.account
        try await store.write { transaction in
            var thread = try #require(try transaction.thread("t", of: account))
            try transaction.merge(messages, by: source, into: &thread)
        }
    }
}
