import Testing

@testable import Scenarios

/// Scenarios that are played in a world of a test's own, by a clock that nobody waits for.
@Suite struct ScenarioRunTests {
    private let world = ScenarioWorld()

    /// What came of it: nil, or the line and the reason. The run that was played, too.
    @discardableResult
    private func play(
        _ steps: String..., actors: String = "ada: {as: customer}\n  bo: {as: agent, name: Bo}", speed: Int = 0,
        set: [String: String] = [:], keeps: Bool = false, top: String = ""
    ) throws -> (run: ScenarioRun, failure: String?) {
        let lines = steps.map { "  - \($0)" }.joined(separator: "\n")
        let text = "\(top)channel: multi\nactors:\n  \(actors)\nsteps:\n\(lines)\n"
        let scenario = try ScenarioReader.read(text, file: "a.yaml", set: set)
        let run = ScenarioRun(
            scenario, world, [Scenario.Place(): world], run: "r1", speed: speed, clock: world.clock)
        do {
            try run.play(keeps: keeps)
            return (run, nil)
        } catch let failure as StepFailure {
            return (run, "\(failure.step.line): \(failure.reason)")
        }
    }

    // MARK: Time

    @Test(arguments: [(999, true), (1000, true), (1001, false)])
    func anExpectationIsMetInItsTime(milliseconds: Int, isMet: Bool) throws {
        world.says("agent", "Hello", at: .milliseconds(milliseconds))
        let failure = try play("ada: {expect: message, text: Hello, within: 1s}").failure
        #expect((failure == nil) == isMet, "\(failure ?? "")")
        #expect(world.time == .milliseconds(min(milliseconds, 1000)))
        if !isMet {
            #expect(failure?.hasSuffix("within 1.0 seconds; instead came nothing") == true, "\(failure ?? "")")
        }
    }

    /// Its time begins with the step, whatever came before.
    @Test func eachExpectationHasATimeOfItsOwn() throws {
        for second in 1...3 { world.says("agent", "Hello \(second)", at: .seconds(second)) }
        let steps = (1...3).map { "ada: {expect: message, text: Hello \($0), within: 1s}" }
        #expect(try play(steps[0], steps[1], steps[2]).failure == nil)
        #expect(world.time == .seconds(3))
    }

    @Test(arguments: [(0, 0), (1, 10_800), (10, 1080)])
    func speedShortensWaits(speed: Int, milliseconds: Int) throws {
        let failure = try play("bo: {text: x, after: 10s}", "bo: {typing: 800ms}", speed: speed).failure
        #expect(failure == nil && world.time == .milliseconds(milliseconds))
    }

    /// However fast waits go by, an answer has the time that it was given.
    @Test func speedShortensNoExpectation() throws {
        world.says("agent", "Hello", at: .milliseconds(900))
        #expect(try play("ada: {expect: message, within: 1s}", speed: 10).failure == nil)
    }

    // MARK: What is expected

    @Test func aWrongTextIsToldWithWhatCame() throws {
        world.says("agent", "Good day", at: .seconds(1))
        let failure = try #require(try play("ada: Hi", "ada: {expect: message, text: Hello}").failure)
        #expect(
            failure.hasPrefix("7: ada expected message.created, message.text Hello within 10.0 seconds"), "\(failure)")
        #expect(failure.contains("instead came message.created") && failure.contains("Good day"), "\(failure)")
        #expect(world.time == .seconds(10))
    }

    @Test func anotherThreadsEventsAreNotMeant() throws {
        world.happens(
            "message.created", at: .zero,
            "{'threadId':'other','message':{'id':'o','text':'Hello','author':{'id':'a','kind':'agent'}}}")
        let failure = try #require(try play("ada: {expect: message, text: Hello, within: 1s}").failure)
        #expect(failure.hasSuffix("instead came nothing"))
    }

    @Test(arguments: [("", false), (", from: bo", false), (", from: ada", true), (", from: customer", true)])
    func ownMessagesAreMeantOnlyWhenNamed(from: String, isMet: Bool) throws {
        world.says("customer", "Echo", at: .seconds(1))
        let failure = try play("ada: {expect: message, text: Echo\(from)}").failure
        #expect((failure == nil) == isMet, "\(failure ?? "")")
    }

    /// What came before the actor's own message is no answer to it.
    @Test func whatWasBeforeOnesMessageIsPassedOver() throws {
        #expect(
            try play("bo: Early", "ada: Question", "ada: {expect: message, text: Early, within: 1s}").failure != nil)
        let other = ScenarioRunTests()
        #expect(try other.play("ada: Question", "bo: Late", "ada: {expect: message, text: Late}").failure == nil)
    }

    /// An event that the step itself led to comes behind the place that the step began at.
    @Test func whatAStepLeadsToIsNotMissed() throws {
        world.happens("thread.updated", at: .seconds(1), "{'thread':{'id':'t1','state':'closed'}}")
        #expect(try play("bo: close", "ada: {expect: thread, state: closed}").failure == nil)
    }

    // MARK: What may not come

    @Test(arguments: [(2999, false), (3001, true)])
    func onceMeansThatNoSecondOneComes(milliseconds: Int, isMet: Bool) throws {
        world.says("customer", "Hello", at: .zero)
        world.says("customer", "Other", at: .seconds(1))
        world.says("customer", "Hello", at: .milliseconds(milliseconds))
        let failure = try play(
            "bo: {expect: message, text: Hello, once: 3s}", "bo: {expect: message, text: Other, within: 1s}"
        ).failure
        #expect((failure == nil) == isMet, "\(failure ?? "")")
        if !isMet {
            #expect(
                failure
                    == "6: bo expected message.created, message.text Hello once; a second one came: message.created customer: Hello"
            )
        }
    }

    /// Also what an expectation has passed over was not expected.
    @Test(arguments: [
        (["Hello"], nil), (["Hello", "More"], "More"), (["Other", "Hello"], "Other"), (["Hello", "Hello"], "Hello"),
    ])
    func nothingElseMeansThatAllWasExpected(texts: [String], other: String?) throws {
        for text in texts { world.says("customer", text, at: .milliseconds(500)) }
        world.says("agent", "own", at: .milliseconds(500))
        let failure = try play("bo: {expect: message, text: Hello}", "bo: {nothingElse: 2s}").failure
        #expect(failure == other.map { "7: bo expected nothing else; but there was message.created customer: \($0)" })
        #expect(
            world.time == (other == "Other" ? .milliseconds(500) : failure == nil ? .milliseconds(2500) : world.time))
    }

    @Test(arguments: [
        ("fine", nil), ("an error", "message.created, message.text /error/"),
        ("x", "thread.updated, thread.state closed"),
    ])
    func noneOfTheseMayCome(text: String, named: String?) throws {
        world.says("customer", text, at: .zero)
        world.says("customer", "taken", at: .zero)
        if text == "x" {
            world.happens("thread.updated", at: .seconds(1), "{'thread':{'id':'t1','state':'closed'}}")
        }
        let failure = try play(
            "bo: {expect: message, text: taken}",
            "bo: {noneOf: [{text: /error/}, {expect: thread, state: closed}], within: 2s}",
            "bo: {expect: message, text: never, within: 1s}"
        ).failure
        if let named {
            #expect(failure?.hasPrefix("7: bo expected no \(named); but there was") == true, "\(failure ?? "")")
        } else {
            #expect(failure?.hasPrefix("8: ") == true, "\(failure ?? "")")
        }
    }

    // MARK: Paths

    private static let rich = """
        {'threadId':'t1','message':{'id':'r','text':'Choose','author':{'id':'a','kind':'agent'},'attachments':[],\
        'content':{'title':'T','buttons':[{'text':'Yes','postback':'y'},{'text':'No'}]}}}
        """

    @Test(arguments: [
        ("message.content.buttons.0.text", "Yes", nil), ("message.content.buttons.*.text", "No", nil),
        ("message.content.buttons.*.postback", "/^y$/", nil),
        ("message.content.buttons.1.text", "Yes", #"message.content.buttons.1.text is "No""#),
        ("message.content.buttons.*.text", "Maybe", #"message.content.buttons.*.text is "Yes", "No""#),
        (
            "message.content.buttons.2.text", "x",
            "message.content.buttons.2.text is not there: message.content.buttons has 2 elements"
        ),
        (
            "message.content.buttons.text", "x",
            "message.content.buttons is a list: name an element by its number, or * for any"
        ),
        ("message.attachments.*.name", "x", "message.attachments has 0 elements"),
        ("message.content.bottons", "x", "message.content has no bottons, but title, buttons"),
        ("message.text.x", "x", "message.text has no members"),
        ("order", "x", "the event has no order, but threadId, message"),
        ("message.text", "Hello", #"message.text is "Choose""#),
    ])
    func aFailureNamesTheConditionAndTheValue(path: String, wanted: String, reason: String?) throws {
        world.happens("message.created", at: .zero, Self.rich)
        let failure = try play("ada: {expect: message, where: {\(path): '\(wanted)'}, within: 1s}").failure
        #expect((failure == nil) == (reason == nil), "\(failure ?? "")")
        if let reason { #expect(failure?.hasSuffix("\(reason))") == true, "\(failure ?? "")") }
    }

    @Test func aFailureNamesTheWrongSide() throws {
        world.says("customer", "Echo", at: .seconds(1))
        let failure = try play("ada: {expect: message, text: Echo}").failure
        #expect(failure?.hasSuffix("customer: Echo (it is not from the other side)") == true, "\(failure ?? "")")
    }

    // MARK: Variables

    @Test func variablesAreSavedAndUsed() throws {
        let failure = try play(
            "ada: {text: 'Order ${order} of ${run}', save: {q: message.id}}",
            "bo: {expect: message, text: '/^Order (\\d+) of ${run}$/', save: {m: message.id, words: message.text}}",
            "bo: {text: 'You said ${words}', replyTo: '${m}'}",
            "ada: {expect: message, text: 'You said Order 7 of r1'}", set: ["order": "7"]
        ).failure
        #expect(failure == nil)
        let bodies = world.asked.filter { $0.contains("/messages ") }.map { $0.split(separator: " ", maxSplits: 2)[2] }
        #expect(bodies[0] == #"{"text":"Order 7 of r1"}"#)
        #expect(bodies[1].contains(#""text":"You said Order 7 of r1","parentId":"m1""#), "\(bodies[1])")
        #expect(bodies[1].contains(#""agent":{"id":"bo","name":"Bo"}"#))
    }

    /// A variable's value is no part of an expression.
    @Test(arguments: [(".*", false), ("a.c", true)])
    func valuesAreNoExpressions(value: String, isMet: Bool) throws {
        world.says("agent", "say a.c", at: .zero)
        let failure = try play("ada: {expect: message, text: '/^say ${x}$/', within: 1s}", set: ["x": value]).failure
        #expect((failure == nil) == isMet)
    }

    /// The reader of expressions knows no escape for a character that is not ASCII alone.
    @Test(arguments: ["😀", "・ㅂ・", "a.b*c", "x\u{301}.\u{301}", "[é-&&]", "1️⃣", "\\d", "a b", "_"])
    func anyValueStandsInAnExpression(value: String) throws {
        world.says("agent", "is \(value.replacing("\\", with: "\\\\")) here", at: .zero)
        #expect(try play("ada: {expect: message, text: '/is ${v} h/', within: 1s}", set: ["v": value]).failure == nil)
    }

    @Test func whatIsNotThereCannotBeSaved() throws {
        #expect(
            try play("ada: {text: x, save: {n: message.nothing}}").failure
                == "6: the message has no message.nothing to save")
        world.says("agent", "y", at: .zero)
        #expect(
            try play("ada: {expect: message, save: {n: message.nothing}}").failure
                == "6: the event has no message.nothing to save")
    }

    // MARK: Sides

    @Test func bothSidesArePlayedInTurn() throws {
        let (run, failure) = try play(
            "ada: Hello", "bo: {expect: message, from: ada}", "bo: Good day", "bo: read", "ada: {typing: 1ms}",
            "bo: close")
        #expect(failure == nil && run.transcript == ["customer: Hello", "agent: Good day"])
        #expect(
            world.asked.map { $0.split(separator: " ")[1] } == [
                "/v1/sessions", "/v1/sessions/s1/threads/t1/messages", "/v1/desk/threads/t1/messages",
                "/v1/desk/threads/t1/read", "/v1/sessions/s1/threads/t1/typing", "/v1/sessions/s1/threads/t1/typing",
                "/v1/desk/threads/t1/close", "/v1/sessions/s1",
            ])
    }

    /// What a run has begun does not wait for an agent for ever.
    @Test func aRunClosesItsThread() throws {
        try play("ada: x")
        #expect(world.asked.suffix(2) == ["POST /v1/desk/threads/t1/close {}", "DELETE /v1/sessions/s1"])
        let other = ScenarioRunTests()
        try other.play("ada: x", actors: "ada: {as: customer, id: known}")
        #expect(
            !other.world.asked.contains { $0.contains("/close") }, "a customer who was there before keeps the thread")
    }

    @Test func aCustomerAnswersAndSendsFiles() throws {
        let failure = try play("ada: {text: 'Yes', postback: 'y-${run}'}", "ada: {file: /etc/hostname, text: See}")
            .failure
        #expect(failure == nil)
        #expect(world.asked.contains { $0.hasSuffix(#"/messages {"text":"Yes","postback":"y-r1"}"#) }, "\(world.asked)")
        #expect(world.asked.contains("POST /v1/sessions/s1/attachments"))
        #expect(world.asked.contains { $0.hasSuffix(#"/messages {"text":"See","attachments":[{"id":"f1"}]}"#) })
        #expect(!world.isDeskFollowed)
    }

    @Test func anExternalSideIsPassedOver() throws {
        world.says("agent", "Polo", at: .seconds(1))
        let (run, failure) = try play(
            "bot: is passed over", "ada: {expect: message, from: bot, text: Polo}",
            actors: "ada: {as: customer}\n  bot: {as: agent, external: true}")
        #expect(failure == nil && run.transcript == ["agent: Polo"])
        #expect(!world.asked.contains { $0.contains("/messages") })
    }

    @Test func aSessionStaysWhereItIsKept() throws {
        try play("ada: x", keeps: true)
        #expect(!world.asked.contains { $0.hasPrefix("DELETE") })
    }

    /// Also a run that fails leaves nothing behind.
    @Test func aRefusalIsTheStepsFailure() throws {
        world.failing = "/close"
        #expect(try play("ada: x", "bo: close", "ada: y").failure == "7: It is refused.")
        #expect(world.asked.last == "DELETE /v1/sessions/s1" && !world.isDeskFollowed)
    }

    /// Requests count from the last fault on.
    @Test(arguments: [([1], true), ([1, 1], true), ([], false), ([0], false), ([11], false)])
    func anAppMustAskTheSandbox(seconds: [Int], isMet: Bool) throws {
        for second in seconds { world.asksSandbox("postSandboxToken", at: .seconds(second)) }
        world.asksSandbox("SendMessage", at: .seconds(1))
        let failure = try play(
            "fault: {kind: expireToken}", "sandbox: {expect: postSandboxToken, within: 10s}"
        ).failure
        #expect((failure == nil) == isMet, "\(failure ?? "")")
        let words = "7: the app was expected to ask for postSandboxToken once within 10.0 seconds; it did so 0 times"
        if !isMet { #expect(failure == words) }
    }

    @Test(arguments: [
        ([0, 1, 3, 7], nil), ([0, 10, 20, 32], nil), ([0, 10, 22, 30, 42], nil),
        ([0, 1, 2, 3], "its pauses were 1000 ms, 1000 ms, 1000 ms"), ([0, 5, 8], "its pauses were 5000 ms, 3000 ms"),
        ([0, 100, 219], "its pauses were 100000 ms, 119000 ms"),
        ([0, 1], "3 times within 1000.0 seconds; it did so 2 times"),
    ])
    func anAppMustWaitLongerBetweenItsAttempts(seconds: [Int], reason: String?) throws {
        for second in seconds { world.asksSandbox("openSandboxSocket", at: .seconds(second + 1)) }
        let times = max(3, seconds.count)
        let failure = try play(
            "fault: {kind: refuse}",
            "sandbox: {expect: openSandboxSocket, times: \(times), pauses: growing, within: 1000s}"
        ).failure
        #expect((failure == nil) == (reason == nil), "\(failure ?? "")")
        if let reason { #expect(failure?.hasSuffix(reason) == true, "\(failure ?? "")") }
    }

    @Test func aFaultIsAskedOfTheSandbox() throws {
        #expect(try play("fault: {kind: loseAnswer, milliseconds: 5, customer: 'c-${run}'}").failure == nil)
        #expect(
            world.asked.contains(
                #"POST /v1/sandbox/faults {"kind":"loseAnswer","milliseconds":5,"customer":"c-r1"}"#), "\(world.asked)")
        #expect(world.platforms.allSatisfy { $0 == nil })
        world.failing = "/faults"
        #expect(try play("ada: x", "fault: {kind: rain}").failure == "7: It is refused.")
    }

    @Test func aScenarioNamesThePlatform() throws {
        world.asksSandbox("sendMessage", at: .seconds(1))
        let failure = try play(
            "fault: {kind: loseAnswer, event: sendMessage}", "sandbox: {expect: sendMessage, within: 10s}",
            top: "platform: sendbird\n"
        ).failure
        #expect(failure == nil)
        #expect(
            world.asked.contains(
                #"POST /v1/sandbox/faults?platform=sendbird {"kind":"loseAnswer","event":"sendMessage"}"#),
            "\(world.asked)")
        #expect(!world.platforms.isEmpty && world.platforms.allSatisfy { $0 == "sendbird" })
    }
}
