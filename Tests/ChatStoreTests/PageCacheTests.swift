import ChatModel
import TestSupport
import Testing

@testable import ChatStore

@Suite struct PageCacheTests {
    private func page(_ text: String) -> PageBytes {
        PageBytes(
            offset: 0, items: [Array(text.utf8)], of: .messages(thread: 1, .alsoInThread), version: 1, next: nil,
            prev: nil)
    }
    private func key(_ thread: Int) -> PageCache.Key { PageCache.Key(account: 1, thread: "t\(thread)", limit: 20) }

    @Test func aPageIsKeptUntilItsThreadChanges() {
        let cache = PageCache(capacity: 1 << 20)
        cache.keep(page("1"), for: key(1), thread: 1, generation: cache.generation)
        cache.keep(page("2"), for: key(2), thread: 2, generation: cache.generation)
        cache.invalidate([1])
        #expect(cache.page(key(1)) == nil)
        #expect(cache.page(key(2))?.body == page("2").body)
    }

    @Test func aPageReadWhileACommitLandedIsNotKept() {
        let cache = PageCache(capacity: 1 << 20)
        let generation = cache.generation
        cache.invalidate([1])
        cache.keep(page("old"), for: key(1), thread: 1, generation: generation)
        #expect(cache.page(key(1)) == nil)
    }

    @Test func itHoldsNoMoreBytesThanItMay() {
        let text = String(repeating: "x", count: 900)
        let cache = PageCache(capacity: 100_000)
        for thread in 0..<200 { cache.keep(page(text), for: key(thread), thread: Int64(thread), generation: 0) }
        let kept = (0..<200).filter { cache.page(key($0)) != nil }
        #expect(kept.count <= 17 && kept.count >= 10)
        #expect(kept.contains(199))
        // A page that is a large part of all is not worth it.
        cache.keep(page(String(repeating: text, count: 7)), for: key(500), thread: 500, generation: 0)
        #expect(cache.page(key(500)) == nil)
    }

    @Test func aPageThatNobodyReadsIsForgotten() {
        let cache = PageCache(capacity: 1 << 20)
        for thread in 1...3 {
            cache.keep(page("\(thread)"), for: key(thread), thread: Int64(thread), generation: cache.generation)
        }
        cache.forgetOld()
        #expect(cache.page(key(1)) != nil && cache.page(key(3)) != nil)
        cache.invalidate([3])
        cache.forgetOld()
        #expect(cache.page(key(1)) != nil)
        #expect(cache.page(key(2)) == nil)
        #expect(cache.pageCount == 1)
    }

    @Test func eachPlaceOfAThreadIsAPageOfItsOwn() {
        let cache = PageCache(capacity: 1 << 20)
        var older = key(1)
        older.cursor = "m1o5.5"
        cache.keep(page("old"), for: older, thread: 1, generation: cache.generation)
        #expect(cache.page(key(1)) == nil)
        #expect(cache.page(older)?.body == page("old").body)
        // Whoever keeps a page's form finds it with the page, until the thread changes.
        cache.page(older)?.form?.value = cache
        #expect(cache.page(older)?.form?.value === cache)
        cache.invalidate([1])
        #expect(cache.page(older) == nil)
    }

    @Test func emptyPagesCountToo() {
        let cache = PageCache(capacity: 64_000)
        for thread in 0..<10_000 { cache.keep(page(""), for: key(thread), thread: Int64(thread), generation: 0) }
        #expect((0..<10_000).count { cache.page(key($0)) != nil } < 1000)
    }

    /// Writers change messages and read at once what they changed; others read all the time.
    @Test func whoeverWasAnsweredSeesItsOwnChangeAndNobodySeesTimeRunBack() async throws {
        try await withStore { store in
            var made: [Room] = []
            for index in 0..<3 {
                let room = try await Room.make(in: store, thread: "t\(index)", customer: "c\(index)")
                try await room.send("count", "0")
                made.append(room)
            }
            let rooms = made
            let finish = Flag()
            let count: @Sendable (Page) -> Int = { page in
                page.items.last?["text"]?.string.flatMap { Int($0) } ?? -1
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for room in rooms {
                    group.addTask {
                        for _ in 0..<2 { _ = try room.page(limit: 20) }
                        var (last, version) = (0, Int64(0))
                        while !finish.isRaised {
                            let page = try room.page(limit: 20)
                            #expect(count(page) >= last)
                            #expect(page.version >= version)
                            (last, version) = (count(page), page.version)
                            await Task.yield()
                        }
                    }
                }
                try await withThrowingTaskGroup(of: Void.self) { writers in
                    for room in rooms {
                        writers.addTask {
                            var generator = SeededGenerator(seed: UInt64(room.account.number))
                            for step in 1...120 {
                                try await room.edit("count", to: "\(step)")
                                let first = try room.page(limit: 20)
                                #expect(count(first) == step || first.ids.count == 20)
                                if Bool.random(using: &generator), first.ids.count < 15 {
                                    try await room.send("m\(step)")
                                    #expect(try room.page(limit: 20).ids.first == "m\(step)")
                                    if Bool.random(using: &generator) {
                                        try await room.remove("m\(step)")
                                        #expect(try !room.page(limit: 20).ids.contains("m\(step)"))
                                    }
                                }
                            }
                        }
                    }
                    try await writers.waitForAll()
                }
                finish.raise()
                try await group.waitForAll()
            }
        }
    }
}
