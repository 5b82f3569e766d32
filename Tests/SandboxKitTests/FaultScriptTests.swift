import Formats
@testable import SandboxKit
import Testing

/// How far scripts of faults are, without a sandbox.
@Suite struct FaultScriptTests {
    private static let time = Timestamp(milliseconds: 1000)

    private func script(_ id: String = "s", _ steps: FaultScript.Step...) -> FaultScript {
        FaultScript(id: id, name: nil, createdAt: Self.time, steps: steps)
    }

    private func step(_ trigger: FaultScript.Trigger? = nil, delay: Int = 0) -> FaultScript.Step {
        FaultScript.Step(trigger: trigger, delay: delay, fault: Fault(id: "f", kind: .refuse))
    }

    private func name(_ index: Int, of script: String = "s") -> FaultScript.StepName {
        FaultScript.StepName(script: script, index: index)
    }

    private func progress(_ scripts: FaultScripts) -> [FaultScript.Progress]? {
        scripts.script("s")?.steps.map(\.progress)
    }

    @Test func aStepWaitsForTheOneBefore() {
        let scripts = FaultScripts()
        #expect(scripts.add(script("s", step(), step())))
        #expect(scripts.advance("s")?.0 == name(0))
        #expect(scripts.advance("s") == nil, "it is under way")
        #expect(scripts.arm(name(1), at: Self.time) == nil, "its turn has not come")
        #expect(scripts.arm(name(0), at: Self.time)?.id == "f" && progress(scripts) == [.due, .waiting])
        #expect(scripts.arm(name(0), at: Self.time) == nil, "it is due already")
        #expect(scripts.advance("s") == nil)
        scripts.end(name(0))
        #expect(scripts.script("s")?.isDone == false)
        #expect(scripts.advance("s")?.0 == name(1) && progress(scripts) == [.done, .delayed])
        scripts.end(name(1))
        #expect(scripts.advance("s") == nil && scripts.script("s")?.isDone == true)
    }

    @Test func aTriggerIsTheNthThatFits() {
        let scripts = FaultScripts()
        let trigger = FaultScript.Trigger(event: "SendMessage", customer: "ada", channel: "multi", socket: 7, nth: 2)
        #expect(scripts.add(script("s", step(trigger, delay: 300))))
        let fits = FaultOccasion(customer: "ada", channel: "multi", socket: 7, event: "SendMessage")
        #expect(scripts.observe(fits, frame: 1, at: Self.time).isEmpty, "nobody listens yet")
        #expect(scripts.advance("s") == nil && progress(scripts) == [.listening])
        let others: [WritableKeyPath<FaultOccasion, String?>] = [\.customer, \.channel]
        for other in others {
            var occasion = fits
            occasion[keyPath: other] = "other"
            #expect(scripts.observe(occasion, frame: 2, at: Self.time).isEmpty)
        }
        for (socket, event) in [(8, "SendMessage"), (nil, "SendMessage"), (7, "FetchThreadList")] as [(Int?, String)] {
            var occasion = fits
            (occasion.socket, occasion.event) = (socket, event)
            #expect(scripts.observe(occasion, frame: 3, at: Self.time).isEmpty)
        }
        #expect(scripts.observe(fits, frame: 4, at: Self.time).isEmpty, "the first")
        let found = scripts.observe(fits, frame: 5, at: Self.time)
        #expect(found.map(\.0) == [name(0)] && found.map(\.delay) == [300])
        let triggered = scripts.script("s")?.steps[0].triggered
        #expect(triggered?.frame == 5 && triggered?.at == Self.time && progress(scripts) == [.delayed])
        #expect(scripts.observe(fits, frame: 6, at: Self.time).isEmpty, "it has its trigger")
    }

    @Test func eachScriptHasItsOwnTrigger() {
        let scripts = FaultScripts()
        for id in ["s", "t"] {
            #expect(scripts.add(script(id, step(.init(event: "SendMessage", nth: id == "s" ? 1 : 2)))))
            #expect(scripts.advance(id) == nil)
        }
        let sent = FaultOccasion(event: "SendMessage")
        #expect(scripts.observe(sent, frame: 1, at: Self.time).map(\.0) == [name(0)])
        #expect(scripts.observe(sent, frame: 2, at: Self.time).map(\.0) == [name(0, of: "t")])
    }

    @Test func aScriptThatIsGoneGoesOnNowhere() {
        let scripts = FaultScripts()
        #expect(scripts.add(script("s", step(delay: 500), step())) && scripts.add(script("t", step())))
        #expect(scripts.advance("s")?.delay == 500)
        #expect(scripts.remove("s") && !scripts.remove("s") && scripts.all.map(\.id) == ["t"])
        #expect(scripts.arm(name(0), at: Self.time) == nil && scripts.advance("s") == nil)
        scripts.end(name(0))
        scripts.happened(name(0), FaultScript.Firing(at: Self.time, frame: 1))
        #expect(scripts.all.map(\.isDone) == [false])
        scripts.removeAll()
        #expect(scripts.all.isEmpty)
    }

    @Test func theFirstHundredHappeningsAreKept() {
        let scripts = FaultScripts()
        #expect(scripts.add(script("s", step())))
        for frame in 1...150 { scripts.happened(name(0), FaultScript.Firing(at: Self.time, frame: frame)) }
        #expect(scripts.script("s")?.steps[0].firings.map(\.frame) == Array(1...100))
    }

    @Test func theOldestThatIsDoneGivesWay() {
        let scripts = FaultScripts()
        for number in 0..<FaultScripts.limit { #expect(scripts.add(script("\(number)", step()))) }
        #expect(!scripts.add(script("more", step())), "all of them are running")
        for done in ["7", "5"] { scripts.end(name(0, of: done)) }
        #expect(scripts.add(script("more", step())))
        #expect(scripts.script("5") == nil && scripts.script("7") != nil && scripts.all.last?.id == "more")
        #expect(scripts.all.count == FaultScripts.limit)
    }
}
