import HTTPRouting
import TestSupport
import Testing

/// What is remembered, for how long, and who waits for it.
@Suite(.timeLimit(.minutes(5))) struct RecentItemsTests {
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

    /// At most 5 texts and 10 bytes, each byte of a text being one.
    private let heavy = RecentItems(limit: 5, blank: "", byteLimit: 10, weigh: \.utf8.count)

    private func addHeavy(_ texts: String...) { for text in texts { heavy.add { $0 = text } } }

    @Test func theOldestGoWhenThereAreTooManyBytes() {
        addHeavy("aaaa", "bbbb", "cc")
        #expect(heavy.items(after: 0).items.map(\.item) == ["aaaa", "bbbb", "cc"], "10 bytes are not too many")
        addHeavy("d")
        let page = heavy.items(after: 0)
        #expect(page.items.map(\.item) == ["bbbb", "cc", "d"] && page.items.map(\.number) == [2, 3, 4])
        #expect(page.missed == 1 && page.dropped == (1, 4))
        addHeavy("eeeeeeeee")
        let rest = heavy.items(after: 2)
        #expect(rest.items.map(\.item) == ["d", "eeeeeeeee"], "one that is large displaces several")
        #expect(rest.missed == 1 && rest.dropped == (3, 10))
    }

    @Test func theNewestStaysHoweverLargeItIs() {
        addHeavy("a", "bbbbbbbbbbbbbbbbbbbb")
        #expect(heavy.items(after: 0).items.map(\.item) == ["bbbbbbbbbbbbbbbbbbbb"])
        addHeavy("c")
        let page = heavy.items(after: 0)
        #expect(page.items.map(\.item) == ["c"] && page.dropped == (2, 21))
    }

    @Test func itemsAreBoundedBesideTheirBytes() {
        addHeavy("a", "b", "c", "d", "e", "f", "g")
        let page = heavy.items(after: 0)
        #expect(page.items.map(\.item) == ["c", "d", "e", "f", "g"] && page.dropped == (2, 2))
        // The dropped ones do not count any more: 5 bytes are kept.
        addHeavy("hhhhhh")
        #expect(heavy.items(after: 0).items.map(\.item) == ["d", "e", "f", "g", "hhhhhh"])
    }

    @Test func aDroppedTextTakesNoMemory() {
        let counted = RecentItems(limit: 3, blank: "", byteLimit: 4, weigh: \.utf8.count)
        for text in ["aa", "bb", "cc"] { counted.add { $0 = text } }
        counted.add { slot in
            #expect(slot.isEmpty, "what was dropped for its bytes is gone")
            slot = "d"
        }
    }

    @Test func afterARestartNothingIsLeft() async throws {
        addHeavy("aaaa", "bbbb", "cccc")
        let told = Journal<Int>()
        let reader = heavy.follow { told.add(1) }
        heavy.restart(as: "other")
        #expect(told.entries.count == 1, "who follows is told")
        heavy.unfollow(reader)
        let page = heavy.items(after: 0)
        #expect(page.items.isEmpty && page.last == 0 && page.dropped == (0, 0) && page.incarnation == "other")
        addHeavy("dddd", "eeee", "ff")
        #expect(heavy.items(after: 0).items.map(\.number) == [1, 2, 3], "the bytes of before do not count")
        #expect(told.entries.count == 1)
    }

    @Test func aReaderWaitsForTheNextOne() async throws {
        let clock = ManualClock()
        add("a")
        try await items.wait(after: 0, as: .root, within: .seconds(25), on: clock)
        #expect(clock.sleepCount == 0, "there is something already")
        let waiting = Task { [items] in
            try await items.wait(after: 1, as: .root, within: .seconds(25), on: clock)
            return items.items(after: 1).items.map(\.item)
        }
        try #require(await eventually { clock.sleeperCount == 1 })
        add("b")
        #expect(try await waiting.value == ["b"])
        #expect(await eventually { clock.sleeperCount == 0 })
    }

    @Test func itWaitsNoLongerThanItSaid() async throws {
        let clock = ManualClock()
        let waiting = Task { [items] in try await items.wait(after: 0, as: .root, within: .seconds(25), on: clock) }
        try #require(await eventually { clock.sleeperCount == 1 })
        clock.advance(by: .seconds(25))
        try await waiting.value
    }

    @Test func allWaitingEndsWithTheGateway() async throws {
        let clock = ManualClock()
        let waiting = Task { [items] in try await items.wait(after: 0, as: .root, within: .seconds(25), on: clock) }
        try #require(await eventually { clock.sleeperCount == 1 })
        items.endWaits()
        try await waiting.value
        try await items.wait(after: 0, as: .root, within: .seconds(25), on: clock)
    }

    @Test func onlySoManyWait() async throws {
        let clock = ManualClock()
        let limit = RecentItems<String>.waitLimit
        let waiting = (0..<limit).map { _ in
            Task { [items] in try await items.wait(after: 0, as: .root, within: .seconds(25), on: clock) }
        }
        try #require(await eventually { clock.sleeperCount == limit })
        await #expect(throws: Problem.self) {
            try await items.wait(after: 0, as: .root, within: .seconds(25), on: clock)
        }
        items.endWaits()
        for wait in waiting { try await wait.value }
    }
}
