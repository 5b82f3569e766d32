import HTTPRouting
import TestSupport
import Testing

/// What is remembered, for how long, and who waits for it.
@Suite(.timeLimit(.minutes(1))) struct RecentItemsTests {
    private let items = RecentItems(limit: 3, blank: "")

    private func add(_ texts: String...) { for text in texts { items.add { $0 = text } } }

    @Test func theNewestStayWithTheirNumbers() {
        #expect(items.items(after: 0).items.isEmpty && items.item(1) == nil && items.last == 0)
        add("a", "b", "c", "d", "e")
        let page = items.items(after: 0)
        #expect(page.items.map(\.number) == [3, 4, 5] && page.items.map(\.item) == ["c", "d", "e"])
        #expect(page.last == 5 && page.missed == 2 && page.dropped.count == 2)
        #expect(items.items(after: 4).items.map(\.item) == ["e"] && items.items(after: 5).items.isEmpty)
        #expect(items.item(2) == nil && items.item(3) == "c" && items.item(6) == nil && items.item(0) == nil)
    }

    @Test func aNumberOfAnEarlierRunGivesAll() {
        add("a", "b")
        #expect(items.items(after: 9).items.map(\.item) == ["a", "b"])
    }

    @Test func aSlotIsUsedAgain() {
        let lists = RecentItems(limit: 1, blank: [Int]())
        lists.add { $0.append(1) }
        lists.add { list in
            #expect(list == [1], "the memory of the item before")
            list = [2]
        }
        #expect(lists.items(after: 0).items.map(\.item) == [[2]])
    }

    @Test func aReaderWaitsForTheNextOne() async throws {
        let clock = ManualClock()
        add("a")
        try await items.wait(after: 0, within: .seconds(25), on: clock)
        #expect(clock.sleepCount == 0, "there is something already")
        let waiting = Task { [items] in
            try await items.wait(after: 1, within: .seconds(25), on: clock)
            return items.items(after: 1).items.map(\.item)
        }
        try #require(await eventually { clock.sleeperCount == 1 })
        add("b")
        #expect(try await waiting.value == ["b"])
        #expect(await eventually { clock.sleeperCount == 0 })
    }

    @Test func itWaitsNoLongerThanItSaid() async throws {
        let clock = ManualClock()
        let waiting = Task { [items] in try await items.wait(after: 0, within: .seconds(25), on: clock) }
        try #require(await eventually { clock.sleeperCount == 1 })
        clock.advance(by: .seconds(25))
        try await waiting.value
    }

    @Test func allWaitingEndsWithTheGateway() async throws {
        let clock = ManualClock()
        let waiting = Task { [items] in try await items.wait(after: 0, within: .seconds(25), on: clock) }
        try #require(await eventually { clock.sleeperCount == 1 })
        items.endWaits()
        try await waiting.value
        try await items.wait(after: 0, within: .seconds(25), on: clock)
    }

    @Test func onlySoManyWait() async throws {
        let clock = ManualClock()
        let limit = RecentItems<String>.waitLimit
        let waiting = (0..<limit).map { _ in
            Task { [items] in try await items.wait(after: 0, within: .seconds(25), on: clock) }
        }
        try #require(await eventually { clock.sleeperCount == limit })
        await #expect(throws: Problem.self) { try await items.wait(after: 0, within: .seconds(25), on: clock) }
        items.endWaits()
        for wait in waiting { try await wait.value }
    }
}
