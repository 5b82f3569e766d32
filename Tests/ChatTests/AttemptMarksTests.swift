import ChatModel
import ChatStore
import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import Chat

/// Two calls that send one id.
@Suite struct AttemptMarksTests {
    @Test(arguments: [false, true]) func aMarkLastsUntilTheLastHasLeft(isFirstTheLast: Bool) {
        // Only their number is known, so the order in which they leave makes no difference.
        var marks = AttemptMarks<String>()
        marks.join("a")
        marks.join("a")
        #expect(marks.count == 1)
        marks.leave("a")
        #expect(marks.contains("a"))
        var isTaken = marks.claim("a")
        #expect(!isTaken, "nobody else may begin")
        if isFirstTheLast {
            marks.join("a")
            marks.leave("a")
        }
        marks.leave("a")
        #expect(marks.isEmpty)
        isTaken = marks.claim("a")
        #expect(isTaken)
        isTaken = marks.claim("a")
        #expect(!isTaken)
        marks.leave("a")
        marks.leave("a")
        #expect(marks.isEmpty)
    }

    /// The second call's unit may be committed ahead of the first one's, so that the second call sends. In either order
    /// nobody asks the platform for the message while its attempt runs.
    @Test(arguments: [false, true]) func theMarkOfARunningAttemptStays(isSecondAhead: Bool) async throws {
        try await RemoteScene.run { scene in
            try await scene.synchronize()
            let outbox = scene.account.outbox
            let platform = try #require(scene.account.source?.platform)
            let mayArrive = Gate()
            scene.service.script("send", .hold(mayArrive))
            let holding = HoldingExecutor()
            @Sendable func send(holds: Bool) async throws -> Outcome {
                let connection = Outbox.Connection(
                    now: {
                        // Asked between the mark and the unit.
                        if holds { holding.hold() }
                        return platform
                    }, soon: { () throws(ChatError) in platform })
                return try await outbox.send(
                    MessageDraft(id: "m", text: "hi"), to: "t", policy: .manual, receipt: nil, over: connection)
            }
            let first = Task(executorPreference: holding) { try await send(holds: isSecondAhead) }
            if isSecondAhead {
                #expect(await eventually { holding.waitingCount > 0 })
            } else {
                #expect(await eventually { scene.service.count("send") == 1 })
            }
            let second = Task { try await send(holds: false) }
            if isSecondAhead {
                #expect(await eventually { scene.service.count("send") == 1 })
                holding.release()
                #expect(try await first.value.kind == .ok)
            } else {
                #expect(try await second.value.kind == .ok)
            }
            _ = try await outbox.resolve(over: platform)
            #expect(scene.service.count("lookup") == 0, "its attempt runs")
            #expect(await refusal { try await outbox.remove("m", in: "t") } == .messageNotFailed)
            mayArrive.open()
            #expect(try await (isSecondAhead ? second : first).value.kind == .created)
            await scene.service.settle()
            #expect(scene.platform.room("t")?.requests == ["m": 1])
            #expect(try scene.texts() == ["hi"])
            #expect(outbox.inFlight.isEmpty)
        }
    }
}

/// Runs what is given to it, or keeps it for later.
private final class HoldingExecutor: TaskExecutor {
    private struct State {
        var holds = false
        var jobs: [UnownedJob] = []
    }
    private let state = Mutex(State())

    var waitingCount: Int { state.withLock { $0.jobs.count } }

    func hold() { state.withLock { $0.holds = true } }

    func release() {
        let jobs = state.withLock { state in
            defer { state = State() }
            return state.jobs
        }
        for job in jobs { run(job) }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let runs = state.withLock { state in
            if state.holds { state.jobs.append(job) }
            return !state.holds
        }
        if runs { run(job) }
    }

    private func run(_ job: UnownedJob) {
        let executor = asUnownedTaskExecutor()
        DispatchQueue.global().async { job.runSynchronously(on: executor) }
    }
}
