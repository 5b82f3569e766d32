import HTTPRouting
import MicroHTTP
import Synchronization
import TestSupport
import Testing

@testable import Gateway

/// Requests between two handlers.
@Suite(.timeLimit(.minutes(5))) struct HandlerSwitchTests {
    /// Answers with its status; a request for `/slow` only when it is told.
    private final class Handler: HTTPHandler {
        let status: Int
        let slow: AsyncStream<Void>
        let finish: AsyncStream<Void>.Continuation
        /// Tells that somebody asks for `/slow`.
        let begun: AsyncStream<Void>
        private let begin: AsyncStream<Void>.Continuation

        init(_ status: Int) {
            self.status = status
            (slow, finish) = AsyncStream.makeStream(of: Void.self)
            (begun, begin) = AsyncStream.makeStream(of: Void.self)
        }

        func admit(_ head: inout HTTPRequest) -> HTTPAdmission {
            head.path == "/refused" ? .refuse(HTTPResponse(status: status + 1)) : .accept
        }

        func respond(to request: HTTPRequest) -> HTTPReply {
            guard request.path == "/slow" else { return .now(HTTPResponse(status: status)) }
            return .later { [self] in
                begin.yield()
                for await _ in slow {}
                return HTTPResponse(status: status)
            }
        }
    }

    private func ask(_ path: String, of handler: HandlerSwitch) async -> Int {
        var request = HTTPRequest(
            method: "GET", target: path, headers: [], body: [], peer: .tcp(.loopback(port: 4000)), number: 1)
        if case .refuse(let response) = handler.admit(&request) { return response.status }
        switch handler.respond(to: request) {
        case .now(let response): return response.status
        case .later(let work), .prompt(let work): return await work().status
        }
    }

    @Test(arguments: [("/v1/info", 210), ("/refused", 211)]) func whoWaitsIsAnsweredByTheNext(
        path: String, status: Int
    ) async {
        let handler = HandlerSwitch(Handler(200))
        handler.hold(atMost: .seconds(30))
        async let waiting = ask(path, of: handler)
        #expect(await ask("/readyz", of: handler) == 200, "a probe waits for nothing")
        handler.turn(to: Handler(210))
        #expect(await waiting == status)
        #expect(await ask(path, of: handler) == status)
    }

    @Test func whoIsLetGoIsAnsweredByTheSame() async {
        let handler = HandlerSwitch(Handler(200))
        handler.hold(atMost: .seconds(30))
        async let waiting = ask("/v1/info", of: handler)
        while handler.waitingCount == 0 { await Task.yield() }
        handler.letGo()
        #expect(await waiting == 200)
    }

    @Test func whatWasBegunBeforeIsFinished() async {
        let first = Handler(200)
        let handler = HandlerSwitch(first)
        async let running = ask("/slow", of: handler)
        for await _ in first.begun { break }
        handler.hold(atMost: .seconds(30))
        first.finish.finish()
        await handler.finishRunning(within: .seconds(30))
        #expect(await running == 200)
    }

    @Test func nobodyIsWaitedForBeyondTheLimit() async {
        let first = Handler(200)
        let handler = HandlerSwitch(first)
        async let running = ask("/slow", of: handler)
        for await _ in first.begun { break }
        await handler.finishRunning(within: .milliseconds(1))
        first.finish.finish()
        #expect(await running == 200)
    }

    @Test func nobodyWaitsBeyondTheLimit() async {
        let handler = HandlerSwitch(Handler(200))
        handler.hold(atMost: .milliseconds(1))
        handler.hold(atMost: .milliseconds(5))
        #expect(await ask("/v1/info", of: handler) == 200)
    }
}
