import Testing

@testable import Scenarios

@Suite struct ScenarioReaderTests {
    private static let head = """
        channel: multi
        variables: {order: "7"}
        actors:
          ada: {as: customer, firstName: Ada, id: "ada-${run}"}
          bo: {as: agent, name: Bo}
        steps:

        """

    private func read(
        _ steps: String..., set: [String: String] = [:]
    ) throws(ScenarioFault) -> [Scenario.Step] {
        let lines = steps.map { "  - \($0)" }.joined(separator: "\n")
        return try ScenarioReader.read(Self.head + lines + "\n", file: "a.yaml", set: set).steps
    }

    /// What is wrong, without the file: `LINE: REASON`.
    private func fault(_ text: String) -> String? {
        do throws(ScenarioFault) {
            _ = try ScenarioReader.read(text, file: "a.yaml")
            return nil
        } catch {
            return "\(error.line): \(error.reason)"
        }
    }

    // MARK: Steps

    @Test func readsWhatIsSaid() throws {
        let steps = try read(
            "ada: Hello ${order}", #"bo: {text: "Yes?", replyTo: "${m}", save: {n: message.id}, after: 2s}"#,
            #"ada: "close me""#, set: ["m": "x"])
        guard case .send(let hello) = steps[0].action, hello.text == "Hello ${order}", hello.replyTo == nil,
            hello.saved.isEmpty
        else {
            Issue.record("\(steps[0].action)")
            return
        }
        #expect((steps[0].actor, steps[0].line, steps[0].after) == ("ada", 7, .zero))
        guard case .send(let reply) = steps[1].action, reply.text == "Yes?", reply.replyTo == "${m}" else {
            Issue.record("\(steps[1].action)")
            return
        }
        #expect(reply.saved.map(\.name) == ["n"] && reply.saved.map(\.path.text) == ["message.id"])
        #expect((steps[1].actor, steps[1].line, steps[1].after) == ("bo", 8, .seconds(2)))
        guard case .send(let last) = steps[2].action, last.text == "close me" else {
            Issue.record("\(steps[2].action)")
            return
        }
    }

    @Test func readsWhatIsDone() throws {
        let steps = try read(
            "bo: close", "bo: {close: true}", "ada: read", "ada: {read: true, after: 100ms}", "ada: {typing: 800ms}",
            "fault: {kind: loseAnswer, count: 2}")
        let words = steps.map { step in
            switch step.action {
            case .close: "close"
            case .read: "read"
            case .typing(let time): "typing \(time)"
            case .fault(let members): members.map(\.name).joined(separator: ",")
            default: "\(step.action)"
            }
        }
        #expect(words == ["close", "close", "read", "read", "typing 0.8 seconds", "kind,count"])
        #expect(steps.map(\.actor) == ["bo", "bo", "ada", "ada", "ada", ""])
        #expect(steps[3].after == .milliseconds(100))
    }

    @Test func readsWhatIsExpected() throws {
        let steps = try read(
            "bo: {expect: message, from: ada, text: '/order \\d+/', within: 2s, save: {m: message.id}}",
            "ada: {expect: thread, state: open, unread: 1}", "ada: {expect: typing, where: {isTyping: true}}")
        let expected = steps.compactMap { step -> Scenario.Expectation? in
            if case .expect(let expected) = step.action { expected } else { nil }
        }
        #expect(expected.map(\.pattern.event) == ["message.created", "thread.updated", "typing"])
        #expect(expected.map(\.within) == [.seconds(2), .seconds(10), .seconds(10)])
        #expect(expected.map(\.pattern.from) == ["ada", nil, nil])
        #expect(
            expected.map { $0.pattern.conditions.map { "\($0.path.text)=\($0.value)" } } == [
                ["message.text=/order \\d+/"], ["thread.state=open", "thread.unreadCount=1"], ["isTyping=true"],
            ])
        #expect(expected[0].saved.map { "\($0.name)=\($0.path.text)" } == ["m=message.id"])
    }

    @Test func readsWhatMayNotCome() throws {
        let steps = try read(
            "bo: {expect: message, text: Hi, once: 3s}", "bo: {nothingElse: 2s}",
            "ada: {noneOf: [{text: /error/}, {expect: thread, state: closed, where: {thread.name: x}}], within: 1s}",
            "ada: {text: Yes, postback: 'yes'}", "bo: {file: a.png}")
        guard case .expect(let expected) = steps[0].action, case .nothingElse(let time) = steps[1].action,
            case .noneOf(let patterns, let within) = steps[2].action, case .send(let answer) = steps[3].action,
            case .send(let file) = steps[4].action
        else {
            Issue.record("\(steps.map(\.action))")
            return
        }
        #expect(expected.once == .seconds(3) && time == .seconds(2) && within == .seconds(1))
        #expect(patterns.map(\.event) == ["message.created", "thread.updated"] && patterns[1].conditions.count == 2)
        #expect(answer.postback == "yes" && answer.text == "Yes" && file.file == "a.png" && file.text == nil)
    }

    @Test func readsTheProgramUnderTest() throws {
        let text = Self.head + "  - ada: x\n"
        #expect(try ScenarioReader.read("run: ./bot ${order}\n" + text, file: "d/a").program?.command == "./bot 7")
        let both = try ScenarioReader.read("run: {command: ./bot, ready: '^ready'}\n" + text, file: "d/a.yaml")
        #expect(both.program == Scenario.Program(command: "./bot", ready: "^ready") && both.folder == "d")
        #expect(fault("run: {ready: x}\n" + text) == "1: run has a command")
        #expect(fault("run: {command: x, ready: '('}\n" + text)?.contains("no regular expression") == true)
        #expect(fault("run: \"./bot ${run}\"\n" + text)?.contains("only in a run") == true)
    }

    @Test func theWholeFileHasATimeLimitOfItsOwn() throws {
        let text = "within: 300ms\n" + Self.head + "  - bo: {expect: message}\n"
        guard case .expect(let expected) = try ScenarioReader.read(text, file: "a").steps[0].action else {
            Issue.record("no expectation")
            return
        }
        #expect(expected.within == .milliseconds(300))
    }

    // MARK: Parts

    @Test func readsWhoTakesPartAndWhere() throws {
        let text = """
            scenario: Order ${order}
            channel: {service: cxone, brandId: 1386, urls: {chat: "http://x/${port}"}}
            variables: {port: "80"}
            actors:
              app: {as: customer, external: true}
              bo: {as: agent, gateway: "http://h:${port}", tokenFile: /t}
            steps: []
            """
        let scenario = try ScenarioReader.read(text, file: "a.yaml", set: ["port": "81", "more": "x"])
        #expect(scenario.title == "Order ${order}" && scenario.file == "a.yaml" && scenario.steps.isEmpty)
        #expect(scenario.variables == ["port": "81", "more": "x"])
        #expect(scenario.actors.map(\.name) == ["app", "bo"] && scenario.actors.map(\.isExternal) == [true, false])
        #expect(scenario.actors[1].place == Scenario.Place(gateway: "http://h:81", tokenFile: "/t"))
        #expect(scenario.session.map(\.name) == ["service", "brandId", "urls"])
    }

    @Test func withoutATitleItIsTheFilesName() throws {
        #expect(try ScenarioReader.read(Self.head + "  - ada: x\n", file: "a.yaml").title == "a.yaml")
    }

    @Test(arguments: [
        ("${a}", "1"), ("x${a}y${b}", "x1y2"), ("$${a}", "${a}"), ("$$${a}", "$${a}"), ("${a", "${a"), ("$a", "$a"),
        ("${}", nil), ("${c}", nil), ("", ""),
    ])
    func fillsVariables(text: String, filled: String?) {
        let (found, missing) = text.filled { ["a": "1", "b": "2"][$0] }
        #expect((missing == nil ? found : nil) == filled)
    }

    // MARK: What is refused

    @Test(arguments: [
        ("- ada: {expect: message, sav: {}}", "7: there is no member sav here"),
        ("- ada: {text: x, within: 1s}", "7: there is no member within here"),
        ("- ada: {typing: 1s, text: x}", "7: there is no member text here"),
        ("- ada: {typing: soon}", "7: a time was expected"), ("- ada: {typing: -1s}", "7: a time was expected"),
        ("- bo: {text: x, postback: y}", "7: postback is a customer's answer"),
        ("- ada: {postback: y}", "7: a step has text, file"), ("- ada: {noneOf: []}", "7: a list of 1 to 100 events"),
        ("- ada: {noneOf: [{txt: x}]}", "7: there is no member txt here"),
        ("- ada: {nothingElse: true}", "7: a time was expected"),
        ("- ada: {close: false}", "7: only true makes sense here"),
        ("- ada: {read: 1}", "7: true or false was expected"),
        ("- ada: {replyTo: x}", "7: a step has text, file, typing"),
        ("- {ada: x, bo: y}", "7: a step is one actor with what it does"), ("- {}", "7: a step is one actor"),
        ("- eve: x", "7: there is no member eve here"),
        ("- ada: ${none}", "7: nothing gives the variable none a value"),
        ("- ada: {text: x, save: {n: message.id}, replyTo: '${n}'}", "7: nothing gives the variable n a value"),
        ("- bo: {expect: message, text: '/(/'}", "7: /(/ is no regular expression"),
        ("- fault: {kin: x}", "7: there is no member kin here"),
        ("- sandbox: {times: 2}", "7: sandbox expects a request"),
        ("- sandbox: {expect: x, times: 0}", "7: a number from 1"),
        ("- sandbox: {expect: x, pauses: long}", "7: growing was expected"),
        ("- sandbox: {expect: x, times: 2, pauses: growing}", "7: growing pauses need"),
        ("- sandbox: {expect: x, often: 2}", "7: there is no member often"), ("- ada: [x]", "7: members were expected"),
        ("- ada: *x", "7: it is not YAML"), ("- ada: &x y", "a scenario has no anchors"),
        ("- ada: {text: x, text: y}", "7: text stands there twice"),
        ("- ada: {text: {a: b}}", "7: a text was expected"), ("- ada: \"\\q\"", "7: it is not YAML"),
    ])
    func aWrongStepIsRefusedWithItsLine(step: String, reason: String) throws {
        let told = try #require(fault(Self.head + "  \(step)\n"))
        #expect(told.contains(reason), "\(told)")
        #expect(told.hasPrefix("7: "), "\(told)")
    }

    @Test(arguments: [
        ("", "1: the file is empty"), ("x", "1: members were expected"), ("[", "it is not YAML"),
        ("channel: a\n", "1: a scenario has channel, actors and steps"),
        ("channel: a\nactors: {}\nsteps: []\n", "2: a scenario has one customer"),
        ("channel: a\nactors: {a: {as: customer}, b: {as: customer}}\nsteps: []\n", "2: a scenario has one customer"),
        ("channel: a\nactors: {a: {as: robot}}\nsteps: []\n", "2: customer or agent was expected"),
        ("channel: a\nactors: {a: {id: x}}\nsteps: []\n", "2: a needs `as: customer`"),
        ("channel: a\nactors: {fault: {as: customer}}\nsteps: []\n", "2: fault is a step"),
        ("channel: a\nactors: {sandbox: {as: customer}}\nsteps: []\n", "2: sandbox is a step"),
        ("channel: a\nactors: {a: {as: customer, gateway: x}}\nsteps: []\n", "2: gateway and tokenFile"),
        ("channel: a\nactors: {a: {as: customer}}\nsteps: {}\n", "3: a list of at most 2000 steps"),
        ("channel: {customer: x}\nactors: {a: {as: customer}}\nsteps: []\n", "1: the customer is one of the actors"),
        ("actors: {a: {as: customer}}\nchannel: {id: '${run}'}\nactors: {}\n", "1: actors stands there twice"),
        ("within: soon\nchannel: a\nactors: {a: {as: customer}}\nsteps: []\n", "1: a time was expected"),
    ])
    func aWrongFileIsRefusedWithItsLine(text: String, reason: String) throws {
        let told = try #require(fault(text))
        #expect(told.contains(reason), "\(told)")
    }

    /// U+FEFF is a mark of the order of bytes at the beginning of a file, and a letter like others behind that.
    @Test func theMarkOfTheOrderOfBytesIsALetterInsideTheFile() throws {
        let mark = "\u{FEFF}"
        let texts = [
            (#""\uFEFFa\ufeffb\U0000FEFF""#, "\(mark)a\(mark)b\(mark)"), (#""\#(mark)a\#(mark)""#, "\(mark)a\(mark)"),
            (#""\\uFEFF\\\uFEFF""#, #"\uFEFF\\#(mark)"#), (#"'\uFEFF\ufeff \#(mark)'"#, #"\uFEFF\ufeff \#(mark)"#),
            (#"a\uFEFF\#(mark)"#, #"a\uFEFF\#(mark)"#), (#"'\#(mark)'"#, mark), (#"\#(mark)a"#, "\(mark)a"),
            (#""\#u{E000}\uFEFF\uE000""#, "\u{E000}\(mark)\u{E000}"),
            ("|\n      \(mark)a\n      \(mark)b", "\(mark)a\n\(mark)b\n"),
        ]
        for (written, wanted) in texts {
            let text = mark + Self.head + "  - ada: \(written)\n"
            let steps = try ScenarioReader.read(text, file: "a.yaml").steps
            guard case .send(let message) = steps[0].action else {
                Issue.record("\(written)")
                continue
            }
            #expect(message.text.map { Array($0.unicodeScalars) } == Array(wanted.unicodeScalars), "\(written)")
        }
        let named = try ScenarioReader.read(
            "channel: multi\nactors: {\"\\uFEFFada\": {as: customer}}\nsteps: []\n", file: "a.yaml")
        #expect(named.actors.map(\.name) == ["\(mark)ada"])
    }

    /// What is made to cost its reader time or memory.
    @Test(
        .timeLimit(.minutes(5)),
        arguments: [
            String(repeating: "#", count: 300_000), String(repeating: "[", count: 100_000),
            "a: " + String(repeating: "{a: ", count: 20_000),
            "a: &a [x]\n" + (0..<30).map { "b\($0): [*a,*a]\n" }.joined(),
            "a: &a {<<: *a}\n",
            "channel: a\nactors: {a: {as: customer}}\nsteps: [" + String(repeating: "a: x,", count: 2001) + "]\n",
            "\u{0}", "\u{FEFF}\u{0}channel", "a: !!binary x\n", "%YAML 9.9\n---\na: 1\n", "a: 1\n---\nb: 2\n",
            "? [a]\n: b\n",
        ])
    func aHostileFileIsRefused(text: String) {
        #expect(fault(text) != nil)
    }

    @Test func thereAreAtMostTwoThousandSteps() throws {
        let most = Array(repeating: "  - ada: x\n", count: ScenarioReader.maximumSteps).joined()
        #expect(try ScenarioReader.read(Self.head + most, file: "a").steps.count == ScenarioReader.maximumSteps)
        #expect(fault(Self.head + most + "  - ada: x\n")?.contains("at most 2000 steps") == true)
    }
}
