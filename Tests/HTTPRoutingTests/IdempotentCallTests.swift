import Formats
import MicroHTTP
import Synchronization
import Testing

@testable import HTTPRouting

/// Repetitions of a request, whatever application answers it.
@Suite struct IdempotentCallTests {
    private let context = PlainContext()

    private func call(
        _ idempotency: KeyEffect = .recorded, key: String? = "k", body: String = "{}", by identity: Identity = .gateway
    ) throws -> Call<PlainContext> {
        let route = Route<PlainContext>(
            .post, "/things", "createThing", access: .known, body: .json, idempotency: idempotency,
            handler: .task { $0.noContent() })
        var request = HTTPRequest(
            method: "POST", target: "/things", headers: key.map { [("Idempotency-Key", $0)] } ?? [])
        request.body = Array(body.utf8)
        return try Call(request, route: route, parameters: PathParameters(), identity: identity, context: context)
    }

    /// Counts how often the handler runs, and answers with that.
    private func run(_ call: Call<PlainContext>, _ count: Counter) async throws -> HTTPResponse {
        try await call.idempotently { call in call.json(Array("\(count.next())".utf8)) }
    }

    @Test func aRepetitionIsAnsweredAndNotDone() async throws {
        let count = Counter()
        #expect(try await run(call(), count).text == "1")
        let again = try await run(call(), count)
        #expect(again.text == "1" && again.headers.contains { $0 == ("Idempotency-Replayed", "true") })
        #expect(try await run(call(by: .session("s")), count).text == "2", "another one's key is another key")
        #expect(try await run(call(key: nil), count).text == "3")
    }

    @Test func anotherBodyUnderTheSameKeyIsRefused() async throws {
        let count = Counter()
        _ = try await run(call(), count)
        let error = await #expect(throws: Problem.self) { try await run(call(body: "{\"a\":1}"), count) }
        #expect(error?.kind.code == "idempotencyKeyReused" && error?.status == 422)
    }

    @Test func aRouteThatWritesNothingIsDoneEachTimeAndAtTheSameTime() async throws {
        let (count, second) = (Counter(), try call(.none))
        let answer = try await call(.none).idempotently { _ in
            _ = try await run(second, count)
            return try await run(second, count)
        }
        #expect(answer.text == "2")
    }

    @Test func anOperationThatCarriesTheKeyIsGivenIt() async throws {
        let keys = Mutex<[KeyedRequest?]>([])
        for effect in [KeyEffect.carried, .recorded] {
            _ = try await call(effect, key: "\(effect)").idempotently { call in
                keys.withLock { $0.append(call.key) }
                return call.noContent()
            }
        }
        #expect(keys.withLock { $0.map { $0 == nil } } == [false, true])
    }

    @Test func whileTheFirstOneRunsTheSecondIsAConflict() async throws {
        let second = try call()
        let count = Counter()
        let answer = try await call().idempotently { call in
            let error = await #expect(throws: Problem.self) { try await run(second, count) }
            #expect(error?.kind.code == "idempotencyKeyInFlight")
            return call.json(Array("1".utf8))
        }
        #expect(answer.text == "1" && count.next() == 1)
    }
}

private final class Counter: Sendable {
    private let count = Atomic<Int>(0)

    func next() -> Int { count.add(1, ordering: .relaxed).newValue }
}

extension HTTPResponse {
    fileprivate var text: String {
        if case .bytes(let bytes) = body { String(decoding: bytes, as: UTF8.self) } else { "" }
    }
}
