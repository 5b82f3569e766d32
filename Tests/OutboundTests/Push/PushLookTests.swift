import Chat
import ChatModel
import Formats
import TestSupport
import Testing

@testable import Outbound

/// What is done with a push when it is due, by all that it depends on.
@Suite struct PushLookTests {
    private static let now = TestEnvironment.start

    /// Seconds before now.
    private static func ago(_ seconds: Int64) -> Timestamp { now.advanced(byMilliseconds: -1000 * seconds) }

    private static func situation(
        uptime: Int64 = 3600, taken: Int64 = 3, written: Int64? = 3, isRead: Bool = false,
        presence: Presence = .init(isPresent: false)
    ) -> PushSituation {
        PushSituation(
            now: now, uptime: .seconds(uptime), takenAt: ago(taken), writtenAt: written.map(ago), isRead: isRead,
            thread: "t1", presence: presence)
    }

    @Test(
        arguments: [
            ("nobody is there", situation(), PushLook.send),
            ("removed", situation(written: nil), .drop(.removed)),
            ("read on another device", situation(isRead: true), .drop(.read)),
            ("on the screen", situation(presence: Presence(isPresent: true, threads: ["t1", "t2"])), .drop(.shown)),
            (
                "another thread is on the screen", situation(presence: Presence(isPresent: true, threads: ["t2"])),
                .again(after: .seconds(15))
            ),
            ("a hidden page", situation(presence: Presence(isPresent: true)), .again(after: .seconds(15))),
            ("a screen without a stream", situation(presence: Presence(isPresent: false, threads: ["t1"])), .send),
            (
                "followed for nearly ten minutes", situation(taken: 599, presence: Presence(isPresent: true)),
                .again(after: .seconds(15))
            ),
            ("followed for ten minutes", situation(taken: 600, presence: Presence(isPresent: true)), .drop(.present)),
            ("nobody is there after ten minutes", situation(taken: 600), .send),
            ("a second after the start", situation(uptime: 1), .again(after: .seconds(29))),
            ("30 seconds after the start", situation(uptime: 30), .send),
            ("removed, just after the start", situation(uptime: 1, written: nil), .drop(.removed)),
            ("nearly a day old", situation(taken: 86_399, written: 86_399), .send),
            ("a day old", situation(taken: 86_400, written: 86_400), .drop(.expired)),
            ("read, and a day old", situation(written: 86_400, isRead: true), .drop(.read)),
        ] as [(String, PushSituation, PushLook)])
    func decides(name: String, situation: PushSituation, look: PushLook) {
        #expect(situation.look == look, "\(name)")
    }

    @Test func anAnswerEndsThePushOrTheDeviceOrNeither() {
        let wait = RetryWait(startedAt: Self.now, delay: .seconds(5))
        func plan(_ outcome: AttemptOutcome, wait: RetryWait? = wait, refusals: Int = 0) -> PushPlan {
            PushPlan(outcome, wait: wait, refusals: refusals)
        }
        #expect(plan(.delivered, refusals: 2).end == .delivered && plan(.delivered, refusals: 2).refusals == 0)
        #expect(plan(.gone).end == .dead(reason: "gone") && plan(.gone).closing == .gone)
        #expect(plan(.refused).end == .dead(reason: "refused") && plan(.refused).closing == .refused)
        #expect(plan(.held).end == .refused(nextAt: wait.nextAt) && plan(.held).closing == nil)
        #expect(plan(.eventRefused).end == .dead(reason: "rejected") && plan(.eventRefused).closing == nil)
        #expect(plan(.targetFailed).end == .refused(nextAt: wait.nextAt))
        #expect(plan(.targetFailed, wait: nil).end == .dead(reason: "expired"))
        #expect((0...2).map { plan(.deadAuthorization, refusals: $0).closing } == [nil, nil, .refused])
    }

    @Test func threeRefusalsInARowRefuseTheDevice() {
        var count = 0
        for outcome in [.deadAuthorization, .targetFailed, .eventRefused, .held, .deadAuthorization] as [AttemptOutcome]
        {
            count = PushPlan(outcome, wait: nil, refusals: count).refusals
        }
        #expect(count == PushPlan.refusalLimit - 1)
        #expect(PushPlan(.deadAuthorization, wait: nil, refusals: count).closing == .refused)
        #expect(PushPlan(.delivered, wait: nil, refusals: count).refusals == 0)
    }
}
