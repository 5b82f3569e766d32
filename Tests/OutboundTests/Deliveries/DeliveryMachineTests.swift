import ChatStore
import Testing

@testable import Outbound

/// Tables of inputs and effects; see ``MachineRun`` for their words.
@Suite struct DeliveryMachineTests {
    @Test func eventsOfAThreadGoOneAfterTheOtherAndThreadsBesideEachOther() {
        var run = MachineRun()
        run.expect([
            ("change", "read"),
            ("read 12 11 21", "send 11, send 21, store take, answer"),
            ("taken", ""),
            ("11 ok", "send 12"),
            ("21 ok", "store 11:delivered 21:delivered"),
            ("taken", ""),
            ("12 ok", "store 12:delivered"),
        ])
    }

    @Test func whatTheLogHasLostIsToldBeforeAnythingElseGoesOut() {
        var run = MachineRun()
        run.expect([
            ("change", "read"),
            ("read 11 12 21 31", "send 11, send 21, send 31, store take, answer"),
            ("taken", ""),
            ("floor 12", ""),
            // The first one shows that the target is away. The others were in flight with it.
            ("11 down", "store 11:waiting"),
            ("taken", "tell failing"),
            ("21 down", "store 21:waiting"),
            ("taken", ""),
            ("31 down", "store 31:waiting"),
            ("taken", ""),
            ("1s", "store take"),
            ("taken", "send gap"),
            ("gap ok", "send 21, send 31, store"),
        ])
    }

    @Test func anEventThatIsNotThereHoldsTheOthersUntilTheLogHasToldWhy() {
        var run = MachineRun()
        run.expect([
            ("change", "read"),
            ("read 11 12", "send 11, store take, answer"),
            ("taken", ""),
            ("11 lost", "drop 11, store take"),
            ("taken", "send 12"),
        ])
    }

    @Test func onlySoManyAreInFlight() {
        var run = MachineRun(concurrency: 2)
        run.expect([
            ("change", "read"),
            ("read 11 21 31", "send 11, send 21, store take, answer"),
            ("taken", ""),
            ("21 ok", "send 31"),
        ])
    }

    @Test func withOneLaneAllGoInTheOrderOfTheLog() {
        var run = MachineRun(concurrency: 1)
        run.expect([
            ("change", "read"),
            ("read 11 12 21", "send 11, store take, answer"),
            ("taken", ""),
            // What is tried again holds the others.
            ("11 poison", "store 11:refused"),
            ("taken", ""),
            ("5s", "send 11"),
            ("11 ok", "send 12"),
            ("12 ok", "send 21"),
        ])
    }

    @Test func aRefusedEventHoldsItsThreadByTheScheduleAndIsGivenUp() {
        var run = MachineRun()
        run.expect([
            ("change", "read"),
            ("read 11 12 21", "send 11, send 21, store take, answer"),
            ("taken", ""),
            ("21 ok", "store 21:delivered"),
            ("taken", ""),
            ("11 poison", "store 11:refused"),
            ("taken", ""),
            ("4.9s", ""), ("0.1s", "send 11"), ("11 poison", "store 11:refused"), ("taken", ""),
            ("59.9s", ""), ("0.1s", "send 11"), ("11 poison", "store 11:refused"), ("taken", ""),
            ("299.9s", ""), ("0.1s", "send 11"), ("11 poison", "store 11:refused"), ("taken", ""),
            ("1799.9s", ""), ("0.1s", "send 11"),
            ("11 poison", "send 12"),
            ("12 abort", "store 11:dead 12:dead"),
        ])
    }

    /// It was made anew by its owner, so that this attempt is the first of its schedule.
    @Test func aRedeliveryInFlightHasAllItsTriesAhead() {
        var run = MachineRun()
        run.expect([("change", "read"), ("read 11", "send 11, store take, answer"), ("taken", "")])
        for seconds in [5, 60, 300, 1800] {
            run.expect([("11 poison", "store 11:refused"), ("taken", ""), ("\(seconds)s", "send 11")])
        }
        run.expect([
            ("change", "read"),
            ("read 11", "store take, answer"),
            ("11 poison", ""),
            ("taken", "store 11:refused"),
            ("taken", ""),
            ("4.9s", ""),
            ("0.1s", "send 11"),
        ])
    }

    @Test func aLongerRetryAfterCounts() {
        var run = MachineRun()
        run.expect([
            ("change", "read"),
            ("read 11", "send 11, store take, answer"),
            ("taken", ""),
            ("11 busy", "store 11:waiting"),
            ("taken", "tell failing"),
            ("99.9s", ""),
            ("0.1s", "send 11"),
        ])
    }

    @Test func aTargetThatFailsIsTriedWithItsOldestDeliveryByTheSchedule() {
        var run = MachineRun()
        run.expect([
            ("change", "read"),
            ("read 11 21 31", "send 11, send 21, send 31, store take, answer"),
            ("taken", ""),
            // They were in flight together, so they are one failure.
            ("21 down", "store 21:waiting"),
            ("11 down", ""),
            ("31 down", ""),
            ("taken", "tell failing, store 11:waiting 31:waiting"),
            ("taken", ""),
        ])
        for (index, seconds) in [1.0, 5, 15, 60, 300, 900, 1800, 3600, 3600].enumerated() {
            run.expect([
                ("\(seconds - 0.1)s", ""), ("0.1s", "send 11"), ("11 down", "store 11:waiting"), ("taken", ""),
            ])
            #expect(run.machine.lines[1]?.target.health.failures == index + 2)
        }
        run.expect([
            ("3600s", "send 11"),
            ("11 ok", "send 21, send 31, store 11:delivered"),
            ("taken", "tell active"),
        ])
    }

    @Test func aTargetThatFailsFor72HoursIsDisabledAndGoesOnWhenItIsResumed() {
        var run = MachineRun()
        run.expect([("change", "read"), ("read 11", "send 11, store take, answer"), ("taken", "")])
        run.expect([("11 down", "store 11:waiting"), ("taken", "tell failing"), ("259199s", "send 11")])
        run.expect([("11 down", "store 11:waiting"), ("taken", "")])
        run.expect([
            ("5s", "send 11"),
            ("11 down", "store 11:waiting"),
            ("taken", "tell disabled"),
            ("99999s", ""),
            ("news", ""),
        ])
        run.setHealth(.active)
        run.expect([("change", "read"), ("read 11", "send 11, tell active, store take, answer")])
    }

    @Test func whoIsGoneIsDisabledAtOnce() {
        var run = MachineRun()
        run.expect([
            ("change", "read"),
            ("read 11 12", "send 11, store take, answer"),
            ("taken", ""),
            ("11 gone", "store 11:waiting"),
            ("taken", "tell disabled"),
        ])
    }

    @Test func aPausedTargetGetsNothing() {
        var run = MachineRun()
        run.setHealth(.paused)
        run.expect([("change", "read"), ("read 11", "answer"), ("news", ""), ("maintain", "")])
        run.setHealth(.active)
        run.expect([("change", "read"), ("read 11", "send 11, tell active, store take, answer")])
    }

    @Test func theNoticeOfAGapGoesBeforeEverythingElse() {
        var run = MachineRun(gap: LogGap(from: 1, to: 5))
        run.expect([
            ("change", "read"),
            ("read 11 21", "send gap, store take, answer"),
            ("taken", ""),
            // A notice that was not taken is a failure of the target.
            ("gap poison", "store"),
            ("taken", "tell failing"),
            ("1s", "send gap"),
            ("gap ok", "send 11, send 21, store"),
            ("taken", "tell active"),
        ])
    }

    @Test func resultsOfABusyTargetWaitForEachOther() {
        var run = MachineRun()
        run.expect([
            ("change", "read"),
            ("read 11 12 13", "send 11, store take, answer"),
            ("taken", ""),
            ("11 ok", "send 12"),
            ("12 ok", "send 13"),
            ("0.09s", ""),
            ("0.01s", "store 11:delivered 12:delivered"),
            ("taken", ""),
            ("settle", "answer"),
        ])
    }

    @Test func aRequestToSettleStoresWhatWaitsAfterTheUnitThatIsUnderWay() {
        var run = MachineRun()
        run.expect([
            ("change", "read"),
            ("read 11 12", "send 11, store take, answer"),
            ("11 ok", "send 12"),
            ("settle", ""),
            ("taken", "store 11:delivered"),
            ("taken", "answer"),
        ])
    }

    @Test func aStoreThatFailsIsLeftAloneLongerAndLongerAndNothingGoesOutTwice() {
        var run = MachineRun()
        run.expect([
            ("change", "read"),
            ("read 11", "send 11, store take, answer"),
            ("taken", ""),
            ("11 ok", "store 11:delivered"),
        ])
        for seconds in [1, 2, 4, 8, 16, 32, 60, 60] {
            run.expect([
                ("failed", ""), ("settle", "answer"), ("\(Double(seconds) - 0.1)s", ""), ("0.1s", "store 11:delivered"),
            ])
        }
        run.expect([("taken", ""), ("change", "read"), ("read 11", "send 11, store take, answer")])
    }

    /// A log that cannot be read must not keep results from being stored.
    @Test func afterAUnitThatTookAndFailedResultsAreStoredAlone() {
        var run = MachineRun()
        run.expect([
            ("change", "read"),
            ("read 11", "send 11, store take, answer"),
            ("11 ok", ""),
            ("failed", ""),
            ("1s", "store 11:delivered"),
            ("taken", "store take"),
        ])
    }

    @Test func aResultThatIsNotStoredYetHidesItsDeliveryFromTheReader() {
        var run = MachineRun()
        run.expect([
            ("change", "read"),
            ("read 11 12", "send 11, store take, answer"),
            ("taken", ""),
            ("11 ok", "send 12"),
            ("change", "read"),
            ("read 11 12", "store 11:delivered take, answer"),
            ("12 ok", ""),
        ])
    }

    /// What a unit stored could be missing in what is read beside it, and the other way round.
    @Test func aReadAndAUnitTakeTurns() {
        var run = MachineRun()
        run.expect([
            ("change", "read"),
            ("read", "store take, answer"),
            ("change", ""),
            ("change", ""),
            ("taken 11", "send 11, read"),
            ("11 ok", ""),
            ("read 11", "store 11:delivered take, answer"),
            ("taken", "read"),
            ("read", "store take, answer"),
        ])
    }

    @Test func aLineThatCouldNotBeReadIsReadAgainBeforeMoreIsTaken() {
        var run = MachineRun()
        run.expect([
            ("change", "read"),
            ("read 11", "send 11, store take, answer"),
            ("taken", ""),
            ("change", "read"),
            ("read failed", "answer failed"),
            ("news", ""),
            ("11 ok", "store 11:delivered"),
            ("taken", "read"),
            ("read 12", "send 12, store take"),
        ])
    }

    @Test func anEventThatTheLogHasLostIsDroppedAndOneThatCouldNotBeReadWaits() {
        var run = MachineRun()
        run.expect([
            ("change", "read"),
            ("read 11 21", "send 11, send 21, store take, answer"),
            ("taken", ""),
            ("11 lost", "drop 11, store take"),
            ("taken", ""),
            ("21 unread", ""),
            ("0.9s", ""),
            ("0.1s", "send 21"),
        ])
    }

    @Test func whoIsDeletedIsForgottenWithWhatWaits() {
        var run = MachineRun()
        run.expect([
            ("change", "read"),
            ("read 11 21", "send 11, send 21, store take, answer"),
            ("taken", ""),
            ("11 poison", "store 11:refused"),
            ("change", ""),
            ("taken", "read"),
            ("read gone", "answer"),
            ("21 ok", ""),
        ])
        #expect(run.nextAlarm == nil)
    }

    @Test func aWaitThatIsOverGoesWithARedelivery() {
        var run = MachineRun()
        run.expect([
            ("change", "read"),
            ("read 11", "send 11, store take, answer"),
            ("taken", ""),
            ("11 poison", "store 11:refused"),
            ("taken", ""),
            ("change", "read"),
            ("read 11", "send 11, store take, answer"),
        ])
        #expect(run.nextAlarm == nil)
    }

    @Test func nothingBeginsAfterTheStopAndWhatEndsIsStored() {
        var run = MachineRun()
        run.expect([
            ("change", "read"),
            ("read 11 12", "send 11, store take, answer"),
            ("taken", ""),
            ("stop", ""),
            ("11 ok", "store 11:delivered"),
            ("taken", ""),
            ("news", ""),
            ("settle", "answer"),
        ])
    }
}
