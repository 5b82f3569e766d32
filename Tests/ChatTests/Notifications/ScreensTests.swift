import ChatModel
import TestSupport
import Testing

@testable import Chat

/// What sessions show: who has a screen, and for how long.
@Suite struct ScreensTests {
    /// The account 1 with a session `s`, and a clock.
    private struct Scene {
        var screens = Screens()
        var now = TestEnvironment.start

        mutating func advance(_ milliseconds: Int64) { now = now.advanced(byMilliseconds: milliseconds) }

        mutating func show(
            _ thread: String?, _ holder: String? = nil, session: String = "s", isTold: Bool = true
        ) throws {
            try screens.show(thread, holder: holder, session: session, account: 1, at: now) { isTold }
        }

        mutating func close(_ holder: String) { screens.close(holder, session: "s", account: 1, at: now) }

        /// Holders and their threads, as `tab:t1`.
        mutating func shown(session: String = "s") -> [String] {
            screens.screens(of: session, account: 1, at: now).map { "\($0.holder ?? ""):\($0.thread ?? "")" }
        }

        mutating func told(of thread: String) -> [String] { screens.sessions(of: 1, notShowing: thread, at: now) }
    }

    @Test func aThreadThatAnyHolderShowsIsNotElsewhere() throws {
        var scene = Scene()
        try scene.show("t1", "a")
        try scene.show("t2", "b")
        try scene.show(nil, "c")
        #expect(scene.shown() == ["a:t1", "b:t2", "c:"])
        #expect(scene.told(of: "t1") == [] && scene.told(of: "t2") == [] && scene.told(of: "t3") == ["s"])
        try scene.show(nil, "a")
        #expect(scene.shown() == ["b:t2", "c:", "a:"])
        #expect(scene.told(of: "t1") == ["s"])
    }

    @Test func sessionsOfOneAccountAreToldApart() throws {
        var scene = Scene()
        try scene.show("t1", session: "s")
        try scene.show("t2", session: "other")
        try scene.show("t3", session: "away", isTold: false)
        #expect(scene.told(of: "t1") == ["other"] && scene.told(of: "t2") == ["s"])
        #expect(scene.screens.toldSessions(of: 1, at: scene.now) == ["other", "s"])
        #expect(scene.screens.toldSessions(of: 2, at: scene.now) == [])
    }

    @Test func somebodyIsPresentWhoHasAScreenAndAStream() throws {
        var scene = Scene()
        func presence() -> Presence { scene.screens.presence(of: "s", account: 1) }
        #expect(presence() == Presence(isPresent: false))
        try scene.show("t1", "a")
        #expect(presence() == Presence(isPresent: false), "no stream yet")
        scene.screens.openStream(of: "s")
        #expect(presence() == Presence(isPresent: false), "a stream that does not name the holder")
        scene.screens.open("a", session: "s")
        #expect(presence() == Presence(isPresent: true, threads: ["t1"]))
        try scene.show("t2")
        #expect(
            presence() == Presence(isPresent: true, threads: ["t1", "t2"]), "the session's own screen needs any stream")
        scene.close("a")
        try scene.show(nil)
        #expect(presence() == Presence(isPresent: true), "what a holder showed is not on show, though it may come back")
        scene.screens.openStream(of: "s")
        scene.screens.closeStream(of: "s")
        #expect(presence().isPresent, "another stream is open")
        scene.screens.closeStream(of: "s")
        #expect(presence() == Presence(isPresent: false))
    }

    @Test func theScreenOfAHolderStaysWhileAStreamNamesIt() throws {
        var scene = Scene()
        scene.screens.open("a", session: "s")
        scene.screens.open("a", session: "s")
        try scene.show("t1", "a")
        scene.advance(10 * Screens.graceTime)
        #expect(scene.shown() == ["a:t1"])
        scene.close("a")
        scene.advance(10 * Screens.graceTime)
        #expect(scene.shown() == ["a:t1"], "another stream names it still")
        scene.close("a")
        scene.advance(Screens.graceTime - 1)
        #expect(scene.shown() == ["a:t1"])
        scene.screens.open("a", session: "s")
        scene.advance(Screens.graceTime)
        #expect(scene.shown() == ["a:t1"], "it has come back in time")
        scene.close("a")
        scene.advance(Screens.graceTime)
        #expect(scene.shown() == [] && !scene.screens.hasScreens(1))
    }

    @Test func aHolderWithoutStreamHasAGraceTimeAndTheSessionsOwnScreenNeedsNone() throws {
        var scene = Scene()
        try scene.show("t1", "a")
        try scene.show("t2")
        scene.screens.open("a", session: "elsewhere")
        scene.advance(Screens.graceTime - 1)
        #expect(scene.shown() == ["a:t1", ":t2"])
        scene.advance(1)
        #expect(scene.shown() == [":t2"])
        #expect(scene.told(of: "t1") == ["s"] && scene.told(of: "t2") == [])
    }

    @Test func aClockThatIsSetBackPutsNothingOffForLong() throws {
        var scene = Scene()
        try scene.show("t1", "a")
        scene.advance(-86_400_000)
        #expect(scene.shown() == ["a:t1"])
        scene.advance(Screens.graceTime)
        #expect(scene.shown() == [])
    }

    @Test func aSessionWithoutScreensIsNotTold() throws {
        var scene = Scene()
        #expect(scene.told(of: "t1") == [])
        try scene.show("t1", "a")
        try scene.show("t2", "b")
        scene.screens.forget(["a"], session: "s", account: 1)
        #expect(scene.shown() == ["b:t2"])
        scene.screens.forget(nil, session: "s", account: 1)
        #expect(scene.told(of: "t3") == [] && !scene.screens.hasScreens(1))
    }

    @Test func thereIsABoundAndAScreenThatHasLapsedGivesItsPlace() throws {
        var scene = Scene()
        for number in 0..<Screens.limit { try scene.show("t1", "tab-\(number)") }
        try scene.show("t1")
        try scene.show("t2", "tab-0")
        let refusal = #expect(throws: ChatError.self) { try scene.show("t1", "more") }
        #expect(refusal?.code == .tooManyScreens)
        scene.advance(Screens.graceTime)
        try scene.show("t1", "more")
        #expect(scene.shown() == [":t1", "more:t1"])
    }
}
