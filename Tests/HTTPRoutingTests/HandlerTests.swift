import Dispatch
import MicroHTTP
import Testing

@testable import HTTPRouting

/// On which threads the task of a handler runs.
@Suite struct HandlerTests {
    /// One thread that stands for the loop's.
    private final class Loop: TaskExecutor {
        private static let key = DispatchSpecificKey<Bool>()
        private let queue = DispatchQueue(label: "loop")

        init() { queue.setSpecific(key: Self.key, value: true) }

        static var isHere: Bool { DispatchQueue.getSpecific(key: key) == true }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
        }
    }

    /// Whether the handler of a route runs on the loop's thread, and whether the task is there after it.
    private func places(
        _ make: (@escaping @Sendable (Call<PlainContext>) async throws -> HTTPResponse) -> Route<PlainContext>.Handler
    ) async throws -> [Bool] {
        let handler = make { call in call.json(Array("\(Loop.isHere)".utf8)) }
        guard case .task(_, let run) = handler else { return [] }
        let route = Route<PlainContext>(.get, "/things", "listThings", access: .known, handler: handler)
        let call = try Call(
            HTTPRequest(method: "GET", target: "/things"), route: route, parameters: PathParameters(),
            identity: .gateway, context: PlainContext())
        return try await Task(executorPreference: Loop()) {
            let isThere =
                if case .bytes(let bytes) = try await run(call).body { bytes == Array("true".utf8) } else { false }
            return [isThere, Loop.isHere]
        }.value
    }

    @Test func aTaskStaysOnTheLoop() async throws { #expect(try await places { .task($0) } == [true, true]) }

    @Test func aTaskThatIsAsideComesBackToTheLoop() async throws {
        #expect(try await places { .aside($0) } == [false, true])
    }
}
