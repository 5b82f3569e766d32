import ChatModel
import ChatStore
import TestSupport
import Testing

@testable import Outbound

/// Tables of inputs and effects for devices; see ``PushRun`` for their words.
@Suite struct PushMachineTests {
    @Test func aMessageIsLookedAtAfterThreeSecondsAndThenSent() {
        var run = PushRun()
        run.expect([
            ("change", "read"),
            ("read", "store take, answer"),
            ("taken", ""),
            ("news", "store take"),
            ("taken 11 21", ""),
            ("2.9s", ""),
            ("0.1s", "look 11, look 21"),
            ("look 11 send", "send 11"),
            ("11 ok", "store 11:delivered"),
            ("taken", ""),
            ("look 21 read", "drop 21 read"),
        ])
        #expect(run.machine.lines.isEmpty && run.nextAlarm == nil)
    }

    @Test func newsThatComeWhileTheStoreIsBusyAreTakenAfterwards() {
        var run = PushRun()
        run.expect([
            ("news", "store take"),
            ("news", ""),
            ("taken 11", "store take"),
            ("failed", ""),
            ("0.9s", ""),
            ("0.1s", "store take"),
            ("taken", ""),
        ])
        #expect(run.nextAlarm == .seconds(2))
    }

    @Test func aDeviceHasOnePushOnItsWayTheOldestFirstAndNoneHoldsAnother() {
        var run = PushRun()
        run.expect([
            ("waiting 12 11 21", "look 11, look 21"),
            ("look 11 send", "send 11"),
            // It waits for itself; the other goes on.
            ("11 busy", "store 11:refused, look 12"),
            ("look 12 send", "send 12"),
            ("taken", ""),
            ("5s", ""),
            ("12 ok", "store 12:delivered, look 11"),
        ])
    }

    @Test func devicesSharePlacesByTheAgeOfTheirMessages() {
        var run = PushRun(places: 2)
        run.expect([
            ("waiting 41 31 21 11", "look 11, look 21"),
            ("look 21 ended", "look 31"),
            ("look 31 send", "send 31"),
            ("look 11 read", "drop 11 read, look 41"),
            ("31 ok", "store 31:delivered"),
        ])
    }

    @Test func aFollowedSessionIsLookedAtAgainAndAtOnceWhenItIsLeft() {
        var run = PushRun()
        run.expect([
            ("waiting 11 21", "look 11, look 21"),
            ("look 11 follow", ""),
            ("look 21 follow", ""),
            ("14.9s", ""),
            ("0.1s", "look 11, look 21"),
            ("look 11 follow", ""),
            ("look 21 present", "drop 21 present"),
            ("left s2", ""),
            ("left s1", "look 11"),
            ("left s1", ""),
            ("look 11 send", "send 11"),
            ("11 busy", "store 11:refused"),
            // It waits for the push service now.
            ("left s1", ""),
            ("taken", ""),
            ("5s", "look 11"),
        ])
    }

    @Test func aServiceThatIsAwayIsTriedByTheScheduleUntilTheMessageIsTooOld() {
        var run = PushRun()
        run.expect([("waiting 11", "look 11")])
        for seconds in [5.0, 15, 60, 300, 900, 900] {
            run.expect([
                ("look 11 send", "send 11"), ("11 busy", "store 11:refused"), ("taken", ""),
                ("\(seconds - 0.1)s", ""), ("0.1s", "look 11"),
            ])
        }
        run.expect([
            ("look 11 send", "send 11"), ("11 late", "store 11:refused"), ("taken", ""), ("899.9s", ""),
            ("0.1s", "look 11"), ("look 11 send", "send 11"),
            ("83000s", ""),
            ("11 busy", "store 11:dead"),
        ])
    }

    @Test func anAppThatIsHeldGoesOnWithTheFirstPushThatIsTaken() {
        var run = PushRun()
        run.expect([
            ("waiting 11 21 31", "look 11, look 21, look 31"),
            ("look 11 send", "send 11"),
            ("11 held", "store 11:refused"),
            ("taken", ""),
            ("look 21 hold", ""),
            ("look 31 hold", ""),
            ("899s", ""),
            ("1s", "look 11, look 21, look 31"),
            ("look 21 hold", ""),
            ("look 31 hold", ""),
            ("look 11 send", "send 11"),
            ("11 ok", "store 11:delivered, look 21, look 31"),
        ])
    }

    @Test func aDeviceThatIsGoneIsClosedAndGetsNothing() {
        var run = PushRun()
        run.expect([
            ("waiting 11 12", "look 11"),
            ("look 11 send", "send 11"),
            ("11 gone", "store 11:dead 1:closed"),
            // Who has devices is news.
            ("taken", "read"),
            ("read", "store take"),
            ("taken", ""),
        ])
        #expect(run.machine.lines.isEmpty && run.nextAlarm == nil)
    }

    @Test func threeRefusalsInARowCloseADevice() {
        var run = PushRun()
        run.expect([
            ("waiting 11 12 13 14", "look 11"),
            ("look 11 send", "send 11"), ("11 forbidden", "store 11:dead 1:1, look 12"),
            // This look was before the refusal was stored.
            ("taken", ""),
            ("look 12 send", "send 12"), ("12 forbidden", "store 12:dead 1:2, look 13"),
            ("look 13 send", "send 13"),
            ("13 forbidden", ""),
            ("taken", "store 13:dead 1:closed"),
            ("taken", "read"),
        ])
    }

    @Test func aDeviceThatWasRegisteredAnewIsNotClosed() {
        var run = PushRun()
        run.expect([
            ("waiting 11 12", "look 11"),
            ("look 11 send 2", "send 11"),
            ("11 busy", "store 11:refused, look 12"),
            ("look 12 send 3", "send 12"),
            ("12 gone", ""),
        ])
        // Between the answer and its storing.
        run.register(1)
        run.expect([
            ("taken", "store 12:dead 1:closed"),
            ("taken", "read"),
            ("read", "store take"),
            ("taken", "read 1"),
            ("read 1 11", "look 11"),
        ])
    }

    @Test func whatCannotBeStoredIsNotSentAgain() {
        var run = PushRun()
        run.expect([
            ("waiting 11", "look 11"),
            ("look 11 send", "send 11"),
            ("11 ok", "store 11:delivered"),
            ("failed", ""),
            ("1s", "store 11:delivered"),
            ("taken", ""),
        ])
    }

    @Test func aStoreThatCannotBeReadIsAskedAgain() {
        var run = PushRun()
        run.expect([
            ("waiting 11", "look 11"),
            ("look 11 unread", ""),
            ("14.9s", ""),
            ("0.1s", "look 11"),
        ])
    }

    @Test func nothingBeginsAfterTheStop() {
        var run = PushRun()
        run.expect([
            ("waiting 11 21", "look 11, look 21"),
            ("look 21 send", "send 21"),
            ("stop", ""),
            ("look 11 send", ""),
            ("21 ok", "store 21:delivered"),
            ("taken", ""),
            ("news", ""),
            ("60s", ""),
        ])
    }
}
