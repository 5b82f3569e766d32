import ChatModel
import ChatStore
import Formats
import TestSupport
import Testing

@testable import Chat

/// Plain pages of a remote thread's messages: the store's rows, then the service's history, never across a hole.
@Suite struct HistoryPagesTests {
    private func texts(_ page: PageBytes) throws -> [String] {
        let json = try JSONParser.parse(page.body + [UInt8(ascii: "}")])
        return try (json["items"]?.array ?? []).map { try Message(json: $0).text ?? "" }
    }

    private func page(_ scene: RemoteScene, _ cursor: String? = nil, limit: Int = 50) async throws -> PageBytes {
        try await scene.client.history(of: "t", replies: .all, page: PageRequest(limit: limit, cursor: cursor))
    }

    @Test func pagesGoOnIntoTheServicesHistory() async throws {
        try await RemoteScene.run(messages: 430) { scene in
            // The background stops after the newest page: all the rest is asked for by whoever pages.
            scene.service.script("messages", .go, .fail(.serverError))
            try await scene.synchronize()
            #expect(try scene.texts().count == 100)
            var (all, cursor, rounds) = ([String](), String?.none, 0)
            repeat {
                let page = try await page(scene, cursor, limit: 70)
                all += try texts(page)
                (cursor, rounds) = (page.next, rounds + 1)
            } while cursor != nil && rounds < 20
            #expect(all == scene.remoteTexts().reversed())
            #expect(rounds == 7)
        }
    }

    @Test func aPageEndsAtAHoleAndGoesOnWhenItIsFilled() async throws {
        try await RemoteScene.run(messages: 10) { scene in
            try await scene.synchronize()
            try await scene.reconnect {
                // Too many to catch up with: between the old rows and the newest page there is a hole.
                for index in 0..<500 {
                    scene.environment.advance(milliseconds: 10)
                    scene.platform.write("missed \(index)", in: "t")
                }
                scene.service.script("messages", .go, .go, .go, .go, .fail(.serverError))
            }
            await scene.idle()
            #expect(try scene.chunks().count == 2)
            scene.service.script("messages", .fail(.serverError))
            let newest = try await page(scene, limit: 200)
            let shown = try texts(newest)
            #expect(shown == Array(scene.remoteTexts().reversed().prefix(shown.count)))
            var (all, cursor) = (shown, newest.next)
            while let next = cursor {
                let page = try await page(scene, next, limit: 200)
                all += try texts(page)
                cursor = page.next
            }
            #expect(all == scene.remoteTexts().reversed())
        }
    }

    @Test func whatTheServiceDoesNotDeliverIsAnErrorAndNoEnd() async throws {
        try await RemoteScene.run(messages: 150) { scene in
            scene.service.script("messages", .go, .fail(.serverError), .fail(.serverError))
            try await scene.synchronize()
            let first = try await page(scene, limit: 120)
            #expect(first.count == 99)
            let next = try #require(first.next)
            scene.service.script("messages", .fail(.serverError))
            await #expect(throws: ChatError.self) { try await page(scene, next) }
            // Offline the rows that are there are shown, and the end is not taken for the history's.
            try await scene.client.disconnect()
            #expect(try await page(scene, limit: 120).count == 99)
            let error = await #expect(throws: ChatError.self) { try await page(scene, next) }
            #expect(error?.code == .notConnected)
            try await scene.client.connect()
            #expect(try await texts(page(scene, next, limit: 60)) == scene.remoteTexts().prefix(51).reversed())
        }
    }

    @Test func newerPagesStopAtAHoleToo() async throws {
        try await RemoteScene.run(messages: 300) { scene in
            scene.service.script("messages", .go, .fail(.serverError))
            try await scene.synchronize()
            let oldest = try await page(scene, limit: 50)
            let older = try await page(scene, oldest.next, limit: 40)
            let back = try await page(scene, older.prev, limit: 50)
            #expect(try texts(back) == texts(oldest))
            #expect(back.prev == nil)
        }
    }

    /// Up to then nothing is known. What comes meanwhile without a connection must not be taken for known.
    @Test func aTimeToComeIsNoEdgeOfWhatIsKnown() async throws {
        try await RemoteScene.run(messages: 10) { scene in
            // The background reads nothing, so the page that is asked for is the first of all.
            scene.service.script("messages", .fail(.serverError))
            try await scene.synchronize()
            #expect(try scene.chunks().isEmpty)
            let tomorrow = scene.environment.now.advanced(bySeconds: 86_400)
            let page = try await scene.client.history(
                of: "t", replies: .all,
                page: PageRequest(limit: 50, cursor: nil, times: TimeRange(until: tomorrow)))
            #expect(try texts(page) == scene.remoteTexts().reversed())
            let newest = try #require(scene.platform.room("t")?.messages.last?.message.createdAt.milliseconds)
            #expect(try scene.chunks().map(\.high) == [newest])
            try await scene.reconnect {
                // More than a page.
                for index in 0..<150 {
                    scene.environment.advance(milliseconds: 10)
                    scene.platform.write("missed \(index)", in: "t")
                }
            }
            await scene.idle()
            #expect(try scene.texts() == scene.remoteTexts())
        }
    }
}
