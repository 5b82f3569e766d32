import ChatModel
import TestSupport
import Testing

@testable import Chat

/// Who is told of another total, and for which events it has to be read.
@Suite struct TotalsTests {
    private let now = TestEnvironment.start
    private let some = UnreadTotal(unreadCount: 2, threadCount: 1)

    private func screens() throws -> Screens {
        var screens = Screens()
        try screens.show(nil, holder: nil, session: "s", account: 1, at: now) { true }
        try screens.show(nil, holder: nil, session: "away", account: 1, at: now) { false }
        return screens
    }

    @Test func eachTotalIsToldOnceToThoseWhoAreToBeTold() throws {
        var screens = try screens()
        #expect(screens.sessionsToTell(some, of: 1, at: now) == ["s"])
        #expect(screens.sessionsToTell(some, of: 1, at: now) == [])
        #expect(screens.sessionsToTell(.zero, of: 1, at: now) == ["s"])
        #expect(screens.sessionsToTell(some, of: 2, at: now) == [])
    }

    @Test func whatLeavesATotalOfNothingAsItIsIsNotRead() throws {
        var screens = try screens()
        #expect(screens.mayChange(1, by: 0), "nobody knows it yet")
        _ = screens.sessionsToTell(.zero, of: 1, at: now)
        #expect(!screens.mayChange(1, by: 0) && screens.mayChange(1, by: 1) && screens.mayChange(1, by: nil))
        _ = screens.sessionsToTell(some, of: 1, at: now)
        #expect(screens.mayChange(1, by: 0))
        #expect(!screens.mayChange(2, by: 1))
    }

    @Test func theTotalIsForgottenWithTheLastScreen() throws {
        var screens = try screens()
        _ = screens.sessionsToTell(.zero, of: 1, at: now)
        screens.forget(nil, session: "s", account: 1)
        #expect(!screens.mayChange(1, by: 0))
        screens.forget(nil, session: "away", account: 1)
        try screens.show(nil, holder: nil, session: "s", account: 1, at: now) { true }
        #expect(screens.mayChange(1, by: 0))
    }
}
