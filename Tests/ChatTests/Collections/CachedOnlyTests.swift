import ChatModel
import ChatStore
import Formats
import TestSupport
import Testing

@testable import Chat

/// What a fetch says when it gets nothing more although there is more: paused, offline, or the cache was cleared.
@Suite struct CachedOnlyTests {
    private func snapshot(_ follower: Follower) throws -> JSONValue {
        try JSONParser.parse(follower.collection.snapshot())
    }

    @Test func pausedIsToldApartFromMore() async throws {
        try await RemoteScene.run(messages: 30) { scene in
            try await scene.client.connect()
            await scene.idle()
            scene.client.setSynchronization(isPaused: true)
            await scene.account.synchronizer.follow(resumes: false) { nil }
            try await scene.client.clearCache()
            try await scene.resynchronizeList()
            var list = try await scene.messages()
            #expect(try await scene.result(of: list, .previous) == FetchResult(hasMore: true, standstill: .paused))
            #expect(try await scene.events(&list).isEmpty)
            // Who asks again at once waits a moment: a loop does not spin.
            let again = Task { [list] in try await scene.result(of: list, .previous) }
            #expect(await eventually { scene.clock.nextWaking == .seconds(1) })
            scene.clock.advance(by: .seconds(1))
            #expect(try await again.value == FetchResult(hasMore: true, standstill: .paused))
            scene.client.setSynchronization(isPaused: false)
            await scene.idle()
            while try await scene.fetch(list, .previous) {}
            _ = try await scene.events(&list)
            #expect(list.texts == scene.remoteTexts())
        }
    }

    @Test func offlineIsSaidToo() async throws {
        try await RemoteScene.run(messages: 150) { scene in
            scene.service.script("messages", .go, .fail(.serverError), .fail(.serverError))
            try await scene.client.connect()
            #expect(await eventually { scene.service.count("messages") == 2 })
            try await scene.client.disconnect()
            let list = try await scene.messages(limit: 99)
            var last = FetchResult(hasMore: true)
            for _ in 0..<3 where last.standstill == nil { last = try await scene.result(of: list, .previous) }
            #expect(last == FetchResult(hasMore: true, standstill: .offline))
        }
    }

    @Test func aClearedCacheIsToldAndIsNoMissingThread() async throws {
        try await RemoteScene.run(messages: 5) { scene in
            try await scene.synchronize()
            let list = try await scene.messages()
            try await scene.fetch(list, .previous)
            scene.client.setSynchronization(isPaused: true)
            _ = scene.recorder.take()
            try await scene.client.clearCache()
            let removed = scene.recorder.take().filter { $0.type == .threadRemoved }
            #expect(removed.count == 1 && removed.first?.audiences == [.account(scene.client.account)])
            #expect(try await scene.result(of: list, .previous) == FetchResult(hasMore: true, standstill: .paused))
            scene.client.setSynchronization(isPaused: false)
            await scene.idle()
            #expect(scene.recorder.take().contains { $0.type == .threadCreated })
        }
    }

    @Test func whatWasNotSentIsThereBeforeTheFirstFetch() async throws {
        try await RemoteScene.run(messages: 2) { scene in
            try await scene.synchronize()
            scene.service.script("send", .fail(.serverError))
            _ = try await scene.client.send(MessageDraft(id: "m1", text: "lost"), to: "t", receipt: nil)
            var list = try await scene.messages()
            #expect(try await scene.events(&list) == ["insert failed m1 at 0"])
            #expect(try snapshot(list)["failed"]?.array?.count == 1)
            #expect(try snapshot(list)["items"]?.array?.isEmpty == true)
            try await scene.fetch(list, .previous)
            #expect(try await scene.events(&list).count == 1)
            // And it is kept true before that as well.
            var other = try await scene.messages()
            _ = try await scene.events(&other)
            try await scene.client.remove("m1", in: "t", ifMatch: nil)
            #expect(try await scene.events(&other).first?.hasPrefix("remove failed m1") == true)
        }
    }
}

extension RemoteScene {
    /// The list of threads alone comes back, as when the synchronization was paused right after it.
    fileprivate func resynchronizeList() async throws {
        let account = client.account
        let remote = try #require(platform.room("t"))
        try await store.write { transaction in _ = try transaction.merge(RemoteThread(remote.thread), of: account) }
    }
}
