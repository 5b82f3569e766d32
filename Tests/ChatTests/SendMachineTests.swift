import ChatModel
import ChatStore
import Formats
import Testing

@testable import Chat

/// Tables of inputs and effects; see ``SendRun`` for their words.
@Suite struct SendMachineTests {
    @Test func aMessageThatIsTakenInTimeIsTheAnswer() {
        var run = SendRun()
        run.expect([
            ("first", "send 1"),
            ("writing 1", "write 1"),
            ("2s", ""),
            ("ack 1", ""),
            ("told 1", "settle 1 sent"),
            ("settled 1", "answer 1"),
        ])
        #expect(run.isOver)
    }

    @Test func thePushThatTheConnectionHasWrittenIsConfirmed() {
        var run = SendRun()
        run.expect([
            ("first", "send 1"), ("writing 1", "write 1"), ("confirmed 1", "settle 1 confirmed"),
            ("settled 1", "answer 1"),
        ])
    }

    @Test func afterTenSecondsTheClientIsAnsweredAndThePlatformIsAsked() {
        var run = SendRun()
        run.expect([
            ("first", "send 1"),
            ("writing 1", "write 1"),
            ("9.9s", ""),
            ("0.1s", "pending 1, abandon 1, ask 1"),
            ("has 1", "settle 1 sent"),
            ("settled 1", ""),
        ])
        #expect(run.isOver)
    }

    @Test func aLateAnswerIsNotUsed() {
        var run = SendRun()
        run.expect([
            ("first", "send 1"), ("writing 1", "write 1"), ("10s", "pending 1, abandon 1, ask 1"),
            ("told 1", ""),
            ("ack 1", ""),
            ("hasNot 1", "settle 1 failed eventTimeout"),
            ("told 1", ""),
            ("settled 1", ""),
            ("told 1", ""),
        ])
        #expect(run.isOver)
    }

    /// The platform has it, whatever its history says.
    @Test(arguments: ["has 1", "hasNot 1", "asked 1 serverError", "asked 1 notConnected"])
    func whatIsAcknowledgedAndNeverToldIsLookedUp(answer: String) {
        var run = SendRun()
        run.expect([
            ("first", "send 1"), ("writing 1", "write 1"), ("ack 1", ""), ("10s", "pending 1, abandon 1, ask 1"),
        ])
        let result =
            switch answer {
            case "has 1": "sent"
            case "asked 1 notConnected": "unknown eventTimeout"
            default: "acknowledged"
            }
        run.expect([(answer, "settle 1 \(result)")])
    }

    /// A large file went first, so that the platform has its ten seconds from there.
    @Test func theDeadlineMovesForAMessageThatGoesOutLate() {
        var run = SendRun()
        run.expect([
            ("first", "send 1"),
            ("7s", ""), ("writing 1", "write 1"),
            ("3s", "pending 1"),
            ("6.9s", ""),
            ("0.1s", "abandon 1, ask 1"),
        ])
        run = SendRun()
        run.expect([
            ("first", "send 1"),
            ("10s", "pending 1"),
            ("60s", ""),
            ("writing 1", "write 1"),
            ("9.9s", ""),
            ("0.1s", "abandon 1, ask 1"),
        ])
    }

    /// A file goes out with its message: the client hears after ten seconds that nothing is known yet, and the upload
    /// goes on.
    @Test func anUploadHasItsOwnTime() {
        var run = SendRun()
        run.expect([
            ("first", "send 1"), ("2s", ""), ("uploading 1", "write 1"),
            ("8s", "pending 1"),
            ("51.9s", ""),
            ("0.1s", "abandon 1, ask 1"),
        ])
        run = SendRun()
        run.expect([
            ("first", "send 1"), ("uploading 1", "write 1"), ("30s", "pending 1"), ("told 1", "settle 1 sent"),
            ("settled 1", ""),
        ])
        #expect(run.isOver)
    }

    /// What is not kept is forgotten; so is what could not be stored, which is asked for then.
    /// What is remembered of messages that never went out is bounded: who is forgotten is asked for first.
    @Test func manyMessagesThatNeverWentOut() {
        var machine = SendMachine()
        let count = SendMachine.mostNeverSent
        for number in 0...count {
            let key = SendMachine.Key(thread: "t", message: "\(number)")
            machine.marks.join(key)
            _ = machine.handle(.began(number, key, isFirst: true, hasConnection: false, isAwaited: false), at: .zero)
            _ = machine.handle(.unsent(number, ChatError(.notConnected, "")), at: .zero)
            _ = machine.handle(.settled(number, nil), at: .zero)
        }
        func effects(of message: Int) -> [SendMachine.Effect] {
            let number = count + 1 + message
            let key = SendMachine.Key(thread: "t", message: "\(message)")
            return machine.handle(.began(number, key, isFirst: false, hasConnection: true, isAwaited: false), at: .zero)
        }
        #expect(effects(of: 0).map { "\($0)" } == ["ask(\(count + 1))"])
        #expect(effects(of: count).map { "\($0)" } == ["send(\(2 * count + 1))"])
    }

    @Test func aRefusalIsTheAnswerAndTheMessageIsNotKept() {
        var run = SendRun()
        run.expect([
            ("first", "send 1"), ("writing 1", "write 1"),
            ("threw 1 invalidData", "settle 1 refused invalidData"),
            ("settled 1 invalidData", "answer 1 invalidData"),
        ])
    }

    @Test func aRefusalBeforeTheDeadlineIsTheAnswerThoughTheStoreIsSlow() {
        var run = SendRun()
        run.expect([
            ("first", "send 1"), ("writing 1", "write 1"), ("9s", ""),
            ("threw 1 invalidData", "settle 1 refused invalidData"),
            ("1s", "answer 1 invalidData"),
            ("settled 1 invalidData", ""),
        ])
    }

    @Test func whatTheClientWasToldOfIsKeptWhenItIsRefused() {
        var run = SendRun()
        run.expect([
            ("first", "send 1"), ("10s", "pending 1"), ("writing 1", "write 1"),
            ("threw 1 invalidData", "settle 1 failed invalidData"),
            ("settled 1", ""),
        ])
    }

    @Test func aClientThatLeavesWasToldOfTheMessage() {
        var run = SendRun()
        run.expect([
            ("first", "send 1"), ("writing 1", "write 1"),
            ("client 1", "pending 1"),
            ("client 1", ""),
            ("threw 1 invalidData", "settle 1 failed invalidData"),
        ])
    }

    @Test(arguments: ["notConnected", "eventTimeout", "serverError"])
    func afterAnUncertainEndThePlatformIsAsked(code: String) {
        for (answer, result) in [
            ("has 1", "sent"), ("hasNot 1", "failed \(code)"), ("asked 1 eventTimeout", "unknown \(code)"),
        ] {
            var run = SendRun()
            run.expect([
                ("first", "send 1"), ("writing 1", "write 1"), ("threw 1 \(code)", "ask 1"),
                (answer, "settle 1 \(result)"),
            ])
        }
    }

    /// The upload of its file failed, perhaps.
    @Test(arguments: ["serverError", "attachmentError"]) func whatHasNotGoneOutHasFailedForCertain(code: String) {
        var run = SendRun()
        run.expect([
            ("first", "send 1"), ("threw 1 \(code)", "settle 1 failed \(code)"), ("settled 1", "answer 1"),
            // So nobody asks for it either.
            ("again", "send 2"),
        ])
    }

    @Test func aConnectionThatIsLostBeforeTheMessageGoesOutHasNotCarriedIt() {
        var run = SendRun()
        run.expect([
            ("first", "send 1"),
            ("lost 1", "abandon 1, settle 1 failed notConnected"),
            // It must not go out any more.
            ("writing 1", ""),
            ("threw 1 notConnected", ""),
            ("settled 1", "answer 1"),
            ("again", "send 2"),
        ])
    }

    @Test func aConnectionThatIsLostAfterTheMessageWentOutMayHaveCarriedIt() {
        var run = SendRun()
        run.expect([
            ("first", "send 1"), ("writing 1", "write 1"),
            ("lost 1", "abandon 1, settle 1 unknown notConnected"),
            ("told 1", ""),
            ("settled 1", "answer 1"),
            ("again", "ask 2"),
            ("hasNot 2", "send 2"),
        ])
    }

    /// The session has ended, or lost its connection, at any other moment.
    @Test func theEndOfTheSessionEndsEachStep() {
        for (steps, result) in [
            ([("again", "ask 1")], "settle 1 failed notConnected"),
            (
                [("first", "send 1"), ("writing 1", "write 1"), ("threw 1 serverError", "ask 1")],
                "settle 1 unknown serverError"
            ),
            ([("unconnected", "connect 1")], ""),
            ([("first", "send 1"), ("writing 1", "write 1"), ("told 1", "settle 1 sent")], ""),
        ] as [([(String, String)], String)] {
            var run = SendRun()
            run.expect(steps)
            run.expect([("lost 1", result), ("lost 1", "")])
        }
    }

    @Test func withoutAConnectionOneIsAwaited() {
        var run = SendRun()
        run.expect([
            ("unconnected", "connect 1"), ("3s", ""), ("connected 1", "send 1"), ("writing 1", "write 1"),
            ("told 1", "settle 1 sent"), ("settled 1", "answer 1"),
        ])
        run = SendRun()
        run.expect([
            ("unconnected", "connect 1"),
            ("unsent 1 notConnected", "settle 1 failed notConnected"),
            ("settled 1", "answer 1"),
            // It has not reached a platform, so it is sent without asking.
            ("again", "send 2"),
        ])
    }

    @Test func whatIsSentAgainIsAskedForFirst() {
        var run = SendRun()
        run.expect([("again", "ask 1"), ("has 1", "settle 1 sent"), ("settled 1", "")])
        run = SendRun()
        run.expect([
            ("again", "ask 1"), ("hasNot 1", "send 1"), ("writing 1", "write 1"),
            // Its author was told that it is kept.
            ("threw 1 invalidData", "settle 1 failed invalidData"), ("settled 1", ""),
        ])
        run = SendRun()
        run.expect([("again", "ask 1"), ("asked 1 serverError", "settle 1 failed serverError"), ("settled 1", "")])
    }

    /// Two calls send one id. One of their units stores the message and begins the attempt, and the other finds it.
    @Test(arguments: [true, false]) func ofTwoSendsOfOneIDOneGoesOut(isOtherFirst: Bool) {
        var run = SendRun()
        run.join()
        run.join()
        if isOtherFirst { run.leave() }
        run.expect([("begin", "send 1"), ("writing 1", "write 1")])
        #expect(!run.mayOthersBegin)
        if !isOtherFirst { run.leave() }
        #expect(!run.mayOthersBegin, "its attempt runs")
        run.expect([("told 1", "settle 1 sent"), ("settled 1", "answer 1")])
        #expect(run.isOver && run.mayOthersBegin)
    }

    @Test func twoAttemptsHaveDeadlinesOfTheirOwn() {
        var run = SendRun()
        run.expect([
            ("first", "send 1"), ("writing 1", "write 1"), ("4s", ""),
            ("other", "send 2"), ("writing 2", "write 2"),
            ("6s", "pending 1, abandon 1, ask 1"),
            ("told 2", "settle 2 sent"), ("settled 2", "answer 2"),
            ("4s", ""),
        ])
    }
}

/// A machine whose inputs and effects are short texts.
///
/// Inputs: `first` begins an attempt for the message `m` that was stored just now, `unconnected` one without a
/// connection, `again` one for a message that had failed, `other` a first one for another message; `begin` one for `m`
/// that is marked already. `writing 1`, `uploading 1` for what may take 60 s, `ack 1`; `told 1`, `confirmed 1`,
/// `threw 1 code`: how the call that sends ends; `has 1`, `hasNot 1`, `asked 1 code`: how the question ends;
/// `settled 1`, `settled 1 code`; `client 1`: the client leaves; `5s` lets time go on.
struct SendRun {
    private var machine = SendMachine()
    private var elapsed = Duration.zero
    private var last = 0
    private var keys: [Int: SendMachine.Key] = [:]
    private let key = SendMachine.Key(thread: "t", message: "m")
    private let message = Message(
        id: "m", threadID: "t", createdAt: Timestamp(milliseconds: 1), direction: .toAgent,
        author: Author(id: "c", name: nil, kind: .customer), text: "hi", status: .sent)

    /// Nothing is in flight, and nothing waits for a time.
    var isOver: Bool { machine.marks.isEmpty && machine.nextDeadline == nil }
    /// Whether somebody else may send, remove or ask for the message.
    var mayOthersBegin: Bool {
        var marks = machine.marks
        return marks.claim(key)
    }

    mutating func join() { machine.marks.join(key) }
    mutating func leave() { machine.marks.leave(key) }

    mutating func expect(_ table: [(String, String)], sourceLocation: SourceLocation = #_sourceLocation) {
        for (input, effects) in table {
            let made = after(input).map(Self.text).joined(separator: ", ")
            #expect(made == effects, "after \(input)", sourceLocation: sourceLocation)
        }
    }

    private mutating func after(_ text: String) -> [SendMachine.Effect] {
        let words = text.split(separator: " ").map(String.init)
        if let seconds = Double(words[0].dropLast()), words[0].hasSuffix("s") {
            elapsed += .milliseconds(Int64((seconds * 1000).rounded()))
            return machine.handle(.alarm, at: elapsed)
        }
        let number = words.count > 1 ? Int(words[1])! : 0
        let error = words.last.flatMap(ChatError.Code.init(rawValue:)).map { ChatError($0, "") }
        return switch words[0] {
        case "first": begin(key)
        case "begin": begin(key, joins: false)
        case "unconnected": begin(key, hasConnection: false)
        case "again": begin(key, isFirst: false)
        case "other": begin(SendMachine.Key(thread: "t", message: "other"))
        case "connected": handle(.connected(number))
        case "unsent": handle(.unsent(number, error!))
        case "writing": handle(.writing(number))
        case "uploading": handle(.writing(number, patience: .seconds(60)))
        case "ack": handle(.acknowledged(number))
        case "told": handle(.answered(number, .success(.told(RemoteMessage(message)))))
        case "confirmed": handle(.answered(number, .success(.confirmed(message))))
        case "threw": handle(.answered(number, .failure(error!)))
        case "has": handle(.asked(number, .success(RemoteMessage(message))))
        case "hasNot": handle(.asked(number, .success(nil)))
        case "asked": handle(.asked(number, .failure(error!)))
        case "lost": handle(.lost(number))
        case "client": handle(.clientLeft(number))
        case "settled": settled(number, error)
        default: preconditionFailure("no input \(text)")
        }
    }

    private mutating func handle(_ input: SendMachine.Input) -> [SendMachine.Effect] {
        machine.handle(input, at: elapsed)
    }

    private mutating func begin(
        _ key: SendMachine.Key, joins: Bool = true, isFirst: Bool = true, hasConnection: Bool = true
    ) -> [SendMachine.Effect] {
        if joins { machine.marks.join(key) }
        last += 1
        keys[last] = key
        return handle(.began(last, key, isFirst: isFirst, hasConnection: hasConnection, isAwaited: isFirst))
    }

    private mutating func settled(_ number: Int, _ error: ChatError?) -> [SendMachine.Effect] {
        if let key = keys.removeValue(forKey: number) { machine.marks.leave(key) }
        return handle(.settled(number, error.map { .failure($0) } ?? .success(Outcome(.created, id: "m"))))
    }

    private static func text(_ effect: SendMachine.Effect) -> String {
        switch effect {
        case .connect(let number): "connect \(number)"
        case .ask(let number): "ask \(number)"
        case .send(let number): "send \(number)"
        case .write(let number): "write \(number)"
        case .abandon(let number): "abandon \(number)"
        case .settle(let number, let result): "settle \(number) \(text(result))"
        case .answer(let number, .success): "answer \(number)"
        case .answer(let number, .failure(let error)): "answer \(number) \(error.code.rawValue)"
        case .answerPending(let number): "pending \(number)"
        }
    }

    private static func text(_ result: SendResult) -> String {
        switch result {
        case .sent: "sent"
        case .confirmed: "confirmed"
        case .acknowledged: "acknowledged"
        case .failed(let error): "failed \(error.code.rawValue)"
        case .refused(let error): "refused \(error.code.rawValue)"
        case .unknown(let error): "unknown \(error.code.rawValue)"
        }
    }
}
