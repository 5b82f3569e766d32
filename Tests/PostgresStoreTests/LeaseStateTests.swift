import Testing

@testable import PostgresStore

/// The lease's rules, on times that the test makes up.
struct LeaseStateTests {
    private static let fence = PostgresFence(holder: "g1", number: 3)
    private static let start = ContinuousClock.now

    private static func active() -> LeaseState {
        var state = LeaseState()
        state.took(fence, askedAt: start)
        return state
    }

    private static func holder(
        _ name: String = "g2", isCurrent: Bool = true, isLocked: Bool = true, isLockKnown: Bool = true
    ) -> LeaseState.Holder {
        LeaseState.Holder(
            name: name, fence: 2, isCurrent: isCurrent, isLocked: isLocked, isLockKnown: isLockKnown)
    }

    @Test func aStandbyTakesOverFromWhoIsGone() {
        #expect(!LeaseState.mayTake(from: Self.holder()))
        #expect(LeaseState.mayTake(from: Self.holder(isCurrent: false)), "the lease has run out")
        #expect(LeaseState.mayTake(from: Self.holder(isLocked: false)), "the process is dead")
        #expect(!LeaseState.mayTake(from: Self.holder(isLocked: false, isLockKnown: false)), "the server is new")
        #expect(LeaseState.mayTake(from: Self.holder(isCurrent: false, isLockKnown: false)), "it did not come back")
        #expect(LeaseState.mayTake(from: Self.holder("")), "it was given back")
    }

    /// After an outage of the database nobody has the lock. The holder comes back first.
    @Test func aStandbyThatHasJustConnectedLeavesTheLeaseToItsHolder() {
        var sight = LeaseState.Sight(isLong: false)
        #expect(!LeaseState.mayTake(from: Self.holder(isCurrent: false), sight))
        #expect(!LeaseState.mayTake(from: Self.holder(isLocked: false), sight))
        #expect(!LeaseState.mayTake(from: Self.holder(isCurrent: false, isLocked: false), sight))
        #expect(LeaseState.mayTake(from: Self.holder(""), sight))
        sight.hasSeenLock = true
        #expect(LeaseState.mayTake(from: Self.holder(isLocked: false), sight), "it died before our eyes")
        #expect(!LeaseState.mayTake(from: Self.holder(isCurrent: false), sight), "it is about to renew")
        sight = LeaseState.Sight(isLong: false, isOwn: true)
        #expect(LeaseState.mayTake(from: Self.holder(isLocked: false), sight), "an earlier process of this gateway")
        #expect(LeaseState.courtesy > .seconds(2) * 1.5)
    }

    /// A standby that may take over waits for no group of a gateway that is paused or cut off.
    @Test func theLockIsFreeWhenTheLeaseHasRunOut() {
        #expect(PostgresUse.writing.idleLimit < LeaseState.term - LeaseState.renewal)
        #expect(PostgresUse.writing.idleLimit < LeaseState.patience)
        #expect(PostgresWriter.mostSilence * 2 < PostgresUse.writing.idleLimit)
    }

    @Test func aHolderIsSuspendedWhileItCannotRenew() {
        var state = Self.active()
        state.check(at: Self.start + .milliseconds(5999))
        #expect(state.phase == .active(Self.fence))
        state.renewed(askedAt: Self.start + .seconds(5))
        state.check(at: Self.start + .milliseconds(10_999))
        #expect(state.phase == .active(Self.fence))
        state.check(at: Self.start + .seconds(11))
        #expect(state.phase == .suspended(Self.fence))
        state.renewed(askedAt: Self.start + .seconds(12))
        #expect(state.phase == .active(Self.fence))
        state.check(at: Self.start + .seconds(18))
        #expect(state.phase == .suspended(Self.fence))
        state.check(at: Self.start + .milliseconds(71_999))
        #expect(state.phase == .suspended(Self.fence))
        state.check(at: Self.start + .seconds(72))
        #expect(state.phase == .lost(.notRenewed))
    }

    @Test func aSuspendedHolderFindsAnotherInItsPlace() {
        var state = Self.active()
        state.check(at: Self.start + .seconds(7))
        state.superseded()
        #expect(state.phase == .lost(.superseded))
        state.renewed(askedAt: Self.start + .seconds(8))
        #expect(state.phase == .lost(.superseded))
    }

    /// What counts is when a renewal was asked for. An answer that comes late does not make the lease longer.
    @Test func aLateAnswerDoesNotProlong() {
        var state = Self.active()
        state.renewed(askedAt: Self.start + .seconds(4))
        state.renewed(askedAt: Self.start + .seconds(2))
        state.check(at: Self.start + .milliseconds(9999))
        #expect(state.phase == .active(Self.fence))
        state.check(at: Self.start + .seconds(10))
        #expect(state.phase == .suspended(Self.fence))
    }

    @Test func aLossIsForGood() {
        var state = Self.active()
        state.superseded()
        state.renewed(askedAt: Self.start + .seconds(1))
        state.took(PostgresFence(holder: "g1", number: 5), askedAt: Self.start + .seconds(2))
        state.check(at: Self.start + .seconds(60))
        #expect(state.phase == .lost(.superseded))
    }

    @Test func aStandbyHasNothingToLose() {
        var state = LeaseState()
        state.superseded()
        state.renewed(askedAt: Self.start)
        state.check(at: Self.start + .seconds(60))
        #expect(state.phase == .standby)
        #expect(state.interval < Self.active().interval)
    }

    /// The holder has stepped down before anybody else may begin.
    @Test func patienceEndsBeforeTheTerm() {
        #expect(LeaseState.patience < LeaseState.term)
        #expect(LeaseState.renewal * 2 < LeaseState.patience)
    }

    @Test func pausesGrowAndAreBounded() {
        var backoff = PostgresBackoff()
        let whole = (0..<8).map { _ in backoff.next(0) }
        #expect(whole.prefix(3) == [.milliseconds(50), .milliseconds(100), .milliseconds(200)])
        #expect(whole.last == .seconds(2))
        #expect(backoff.next(1) == .seconds(1))
        backoff.reset()
        #expect(backoff.next(0) == .milliseconds(50))
    }
}
