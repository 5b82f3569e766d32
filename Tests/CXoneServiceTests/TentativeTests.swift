import Testing

@testable import CXoneService

/// Values in memory beside units of work that may fail.
@Suite struct TentativeTests {
    @Test func anOfferCountsAtOnceAndGoesWithItsUnit() {
        var values = Tentative<String, Int>()
        let (first, second) = (OfferID(), OfferID())
        values.offer(["a": 1, "b": 1], as: first)
        values.commit(first)
        values.offer(["a": 2], as: second)
        #expect(values["a"] == 2 && values["b"] == 1)
        values.drop(second)
        #expect(values["a"] == 1 && values["b"] == 1)
    }

    @Test func aUnitThatRunsTwiceOffersOnce() {
        var values = Tentative<String, Int>()
        let id = OfferID()
        values.offer(["a": 1, "b": 1], as: id)
        values.offer(["a": 2], as: id)
        #expect(values["a"] == 2 && values["b"] == nil)
        let first = values.commit(id), second = values.commit(id)
        #expect(first == ["a": 2] && second == nil)
        #expect(values["a"] == 2)
    }

    /// Those who wait for one commit may come in any order.
    @Test(arguments: [false, true]) func theLaterUnitsValueStays(isLaterKeptFirst: Bool) {
        var values = Tentative<String, Int>()
        let (earlier, later) = (OfferID(), OfferID())
        values.offer(["a": 1], as: earlier)
        values.offer(["a": 2], as: later)
        for id in isLaterKeptFirst ? [later, earlier] : [earlier, later] { values.commit(id) }
        #expect(values["a"] == 2)
    }

    @Test func aWholeGroupThatFailsLeavesWhatWasThereBefore() {
        var values = Tentative<String, Int>()
        let (kept, one, two) = (OfferID(), OfferID(), OfferID())
        values.offer(["a": 1], as: kept)
        values.commit(kept)
        values.offer(["a": 2], as: one)
        values.offer(["a": 3], as: two)
        values.drop(one)
        #expect(values["a"] == 3)
        values.drop(two)
        #expect(values["a"] == 1)
        values.forget { _ in true }
        #expect(values.isEmpty)
    }
}

/// Names between a unit of work and the platform.
@Suite struct OwnNamesTests {
    private final class Connection {}
    private let connection = Connection()
    private var me: ObjectIdentifier { ObjectIdentifier(connection) }

    @Test func aNameWhoseCommitFailsIsNeitherShownNorTold() {
        let names = OwnNames()
        let id = OfferID()
        names.offer("New", insteadOf: "Old", to: "t", account: 1, as: id)
        #expect(names.name(of: "t", account: 1, there: "Old") == "New", "the row has it already")
        names.drop(id, account: 1)
        #expect(names.name(of: "t", account: 1, there: "Old") == "Old")
        #expect(names.commit(id, account: 1, by: me) == nil)
        #expect(names.count == 0)
        // The next one is told as if there had been none.
        let next = OfferID()
        names.offer("Newer", insteadOf: "Old", to: "t", account: 1, as: next)
        #expect(names.commit(next, account: 1, by: me)?.name == "Newer")
    }

    @Test func aUnitThatRunsTwiceGivesOneName() {
        let names = OwnNames()
        let id = OfferID()
        for _ in 1...2 { names.offer("New", insteadOf: "Old", to: "t", account: 1, as: id) }
        #expect(names.commit(id, account: 1, by: me)?.name == "New")
        #expect(names.commit(id, account: 1, by: me) == nil)
    }

    /// Whichever of the two comes back first from its commit: the last name is told last, and the name from before both
    /// is not shown any more.
    @Test(arguments: [false, true]) func ofTwoNamesInOneCommitTheLaterOneStays(isLaterFirst: Bool) {
        let names = OwnNames()
        let (one, two) = (OfferID(), OfferID())
        names.offer("A", insteadOf: "Old", to: "t", account: 1, as: one)
        names.offer("B", insteadOf: "A", to: "t", account: 1, as: two)
        var told: [OwnNames.Telling] = []
        for id in isLaterFirst ? [two, one] : [one, two] {
            if let telling = names.commit(id, account: 1, by: me) { told.append(telling) }
        }
        #expect(told.map(\.name) == [isLaterFirst ? "B" : "A"])
        if !isLaterFirst { #expect(names.settle(told[0], account: 1, by: me)?.name == "B") }
        names.lose(of: 1, by: me)
        #expect(names.name(of: "t", account: 1, there: "Old") == "B", "the platform has not taken it yet")
    }
}
