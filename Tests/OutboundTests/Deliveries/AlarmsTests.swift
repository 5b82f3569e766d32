import Testing

@testable import Outbound

@Suite struct AlarmsTests {
    @Test func theEarliestComesFirstAndOnlyWhenItIsDue() {
        var alarms = Alarms<String, Int>()
        for (key, time) in [("b", 20), ("a", 10), ("c", 30)] { alarms.set(key, at: time) }
        #expect(alarms.next == 10 && alarms.popDue(at: 9) == nil)
        #expect(alarms.popDue(at: 25) == "a" && alarms.popDue(at: 25) == "b" && alarms.popDue(at: 25) == nil)
        #expect(!alarms.contains("a") && alarms.contains("c") && alarms.next == 30)
    }

    @Test func oneThatIsSetAnewOrRemovedDoesNotRingAtItsFirstTime() {
        var alarms = Alarms<String, Int>()
        alarms.set("a", at: 10)
        alarms.set("a", at: 30)
        alarms.set("b", at: 20)
        alarms.remove("b")
        #expect(alarms.next == 30 && alarms.popDue(at: 29) == nil && alarms.popDue(at: 30) == "a" && alarms.next == nil)
    }

    @Test func settingOneAgainAndAgainCostsNoRoom() {
        var alarms = Alarms<String, Int>()
        for time in 1...10_000 { alarms.set("a", at: time) }
        #expect(alarms.storedCount <= 66)
        #expect(alarms.popDue(at: 9_999) == nil && alarms.popDue(at: 10_000) == "a")
    }
}
