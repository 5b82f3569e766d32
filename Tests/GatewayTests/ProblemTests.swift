import ChatModel
import GatewaySupport
import HTTPRouting
import MicroHTTP
import Testing

@testable import Gateway

@Suite struct ProblemTests {
    @Test func everyCodeHasAStatusWordsAndAPage() async throws {
        let own = HTTPProblem.allCases.map { ProblemKind($0) } + GatewayProblem.allCases.map { ProblemKind($0) }
        let kinds = own + ChatError.Code.allCases.map { ProblemKind($0) }
        #expect(kinds.allSatisfy { ProblemKind.all[$0.code] == $0 }, "a code means two kinds")
        #expect(Set(own.map(\.code)).count == own.count)
        let codes = Set(kinds.map(\.code)).sorted()
        #expect(ProblemKind.all.count == codes.count)
        try await TestGateway.run { gateway in
            let requests = codes.map { Request(method: "GET", path: "/docs/problems/\($0)", headers: []) }
            let pages = try await Driver.process.answers(to: requests, at: gateway)
            for (code, page) in zip(codes, pages) {
                let kind = try #require(ProblemKind.all[code])
                #expect((400...599).contains(kind.status))
                #expect(!kind.title.isEmpty && kind.meaning.hasSuffix(".") && kind.remedy.hasSuffix("."))
                #expect(
                    page.status == 200 && page.body.contains("<code>\(code)</code>")
                        && page["Content-Type"] == "text/html; charset=utf-8")
            }
        }
    }

    @Test(arguments: [
        (ChatError.Code.notConnected, 409), (.illegalChatState, 409), (.illegalThreadState, 409),
        (.unsupportedChannelConfig, 409),
        (.unsupportedCapability, 409), (.invalidParameter, 422), (.missingParameter, 422),
        (.missingPreChatCustomFields, 422),
        (.invalidFileType, 422), (.unknownThread, 404), (.unknownSession, 404), (.eventTimeout, 504),
        (.serverError, 502),
        (.storageFull, 507), (.storageFailed, 500), (.storageUnavailable, 503), (.shuttingDown, 503),
        (.quotaExceeded, 409),
        (.notAuthor, 403), (.preconditionFailed, 412),
        (.messageIdConflict, 409), (.messageNotFailed, 409), (.idempotencyKeyReused, 422),
        (.idempotencyKeyInFlight, 409),
    ])
    func statusOf(code: ChatError.Code, status: Int) {
        #expect(Problem(ChatError(code, "x")).status == status)
    }

    @Test func whoeverMeetsADatabaseThatIsAwayIsToldToTryAgain() {
        #expect(Problem(ChatError(.storageUnavailable, "x")).retryAfter == 2)
        #expect(Problem(ChatError(.storageFailed, "x")).retryAfter == nil)
    }

    @Test func whatIsWrongInAQueryIs400() {
        #expect(Problem(ChatError(.invalidParameter, "x", pointer: "?limit")).status == 400)
        #expect(Problem(ChatError(.invalidParameter, "x", pointer: "/text")).status == 422)
    }

    @Test func json() throws {
        let problem = Problem(ChatError(.textTooLong, "Too \"long\".", pointer: "/text"))
        let json = String(decoding: problem.json(base: "http://127.0.0.1:1", requestID: "r1"), as: UTF8.self)
        #expect(
            json == """
                {"type":"http://127.0.0.1:1/docs/problems/textTooLong","title":"The text is too long","status":422,"code":"textTooLong",\
                "detail":"Too \\"long\\".","instance":"urn:parley:request:r1",\
                "errors":[{"pointer":"#/text","code":"textTooLong","detail":"Too \\"long\\"."}]}
                """)
    }

    @Test func longWordsOfARequestDoNotComeBack() {
        let long = String(repeating: "x", count: 1 << 20)
        let problem = Problem(.unknownMember, long, items: [.init(.unknownMember, pointer: "/\(long)", long)])
        #expect(problem.json(base: "http://h", requestID: "r").count < 8192)
    }

    @Test func unforeseenErrorsTellNothing() {
        struct Secret: Error { let path = "/home/someone" }
        let problem = Problem.from(Secret())
        #expect(problem.status == 500 && problem.detail == nil && problem.kind.code == "internalError")
    }

    @Test(arguments: [
        ("hostHeader", 400, "hostHeader"), ("contentLength", 400, "malformedRequest"),
        ("bodyTooLarge", 413, "bodyTooLarge"),
        ("tooManyStreams", 503, "tooManyStreams"), ("method", 501, "unknownMethod"),
        ("target", 400, "malformedRequest"),
    ])
    func refusalsOfTheServer(code: String, status: Int, expected: String) async throws {
        try await TestGateway.run { gateway in
            gateway.application.attach(to: TestLoop())
            let response = gateway.application.refusal(HTTPRefusal(status: status, code: code, detail: "x"), head: nil)
            #expect(response.status == status)
            guard case .bytes(let bytes) = response.body else { return }
            #expect(String(decoding: bytes, as: UTF8.self).contains("\"code\":\"\(expected)\""))
        }
    }
}
