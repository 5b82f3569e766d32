import Formats
import HTTPClientPort
import HTTPRouting
import MicroHTTP
@testable import SendbirdSandbox
import Synchronization
import TestSupport

/// The network between the adapter and the sandbox of another gateway, in memory. What a test wants lost is lost here.
final class SandboxPort: HTTPPort {
    struct Call: Sendable {
        var method: String
        /// Without the query.
        var path: String
        var url: String
        var token: String?
        var at: Duration
        /// Which of several gateways has made it.
        var gateway: Int
        /// The platform's limit of calls was reached.
        var isRefused = false
    }

    /// What becomes of a call that fits.
    enum Fate: Sendable {
        /// It never arrives.
        case loseRequest
        /// It arrives, and its answer does not.
        case loseAnswer
        /// Its answer has more bytes than are read.
        case tooLong
        /// It arrives when this returns.
        case wait(@Sendable () async -> Void)
        /// It arrives, and its answer comes when this returns.
        case comeLater(@Sendable () async -> Void)
        case answer(status: Int, body: String, headers: [String: String])
    }

    struct Lost: Error {}

    private struct State {
        var calls: [Call] = []
        var fates: [(method: String, ending: String, fate: Fate)] = []
        var inFlight = 0
        /// Of all calls that have no fate of their own.
        var fate: Fate?
        /// Longer answers are not read.
        var limit = Int.max
        /// How many calls of all gateways the platform takes in a second.
        var limits: (gets: Int, writes: Int)?
        var difference: PlatformDifference?
        /// What stands in answers in place of another text.
        var replacement: (text: String, other: [UInt8])?
        /// The user who has made all channels, by an app; nil: programs have, with the token.
        var maker: (user: String, isPublic: Bool)?
    }
    private let state = Watched(State())
    private let application: FarApplication
    private let environment: TestEnvironment
    private let elapsed: @Sendable () -> Duration

    init(to sandbox: SendbirdSandbox, _ environment: TestEnvironment, _ clock: ManualClock) {
        application = FarApplication(SendbirdRoutes(sandbox, hasOwnPaths: true))
        self.environment = environment
        elapsed = clock.stopwatch()
    }

    var calls: [Call] { state.withLock { $0.calls } }

    /// How many calls are on their way.
    var inFlight: Int { state.withLock { $0.inFlight } }

    var isQuiet: Bool { inFlight == 0 }

    func count(_ method: String, _ ending: String) -> Int {
        calls.count { $0.method == method && $0.path.hasSuffix(ending) }
    }

    /// The next call of this method whose path ends so has this fate.
    func next(_ method: String, _ ending: String, _ fate: Fate) {
        state.withLock { $0.fates.append((method, ending, fate)) }
    }

    /// All calls have this fate from now on; nil: they arrive.
    func answersAll(with fate: Fate?) { state.withLock { $0.fate = fate } }

    /// What was to happen to calls that nobody has made does not.
    func endTroubles() { state.withLock { $0.fates = [] } }

    /// The platform takes so many calls of all gateways in a second from now on.
    func takesAtMost(gets: Int, writes: Int) { state.withLock { $0.limits = (gets, writes) } }

    /// The platform is otherwise than the sandbox from now on.
    func answers(with difference: PlatformDifference?) { state.withLock { $0.difference = difference } }

    /// The answers have another text in place of one.
    func replaces(_ text: String, with other: String) { replaces(text, with: Array(other.utf8)) }
    func replaces(_ text: String, with other: [UInt8]) { state.withLock { $0.replacement = (text, other) } }

    /// The answers say of all channels that this user has made them.
    func marksAsMade(by user: String, isPublic: Bool) { state.withLock { $0.maker = (user, isPublic) } }

    /// No more bytes of an answer are read from now on.
    func readsAtMost(_ bytes: Int) { state.withLock { $0.limit = bytes } }

    /// What the platform has at a path, past all that may happen on the way.
    func look(at target: String, token: String) async throws -> JSONValue {
        let call = HTTPCall("GET", "http://127.0.0.1:1" + target, headers: [HTTPCall.Header("Api-Token", token)])
        return try JSONParser.parse(try await exchange(call, target).body)
    }

    func send(_ call: HTTPCall, limit: Int) async throws -> HTTPAnswer { try await send(call, limit: limit, from: 1) }

    /// - Parameter gateway: whose call it is.
    func send(_ call: HTTPCall, limit: Int, from gateway: Int) async throws -> HTTPAnswer {
        let target = String(call.url[(call.url.firstRange(of: "/v3")?.lowerBound ?? call.url.startIndex)...])
        let path = String(target.prefix { $0 != "?" })
        let (method, time) = (call.method, elapsed())
        let token = call.headers.first { $0.name == "Api-Token" }?.value
        defer { state.change { $0.inFlight -= 1 } }
        let fate = state.change { state -> Fate? in
            state.inFlight += 1
            state.calls.append(
                Call(method: method, path: path, url: call.url, token: token, at: time, gateway: gateway))
            if let limit = method == "GET" ? state.limits?.gets : state.limits?.writes {
                let isKind = { (call: Call) in (call.method == "GET") == (method == "GET") && !call.isRefused }
                let taken = state.calls.reversed().prefix { $0.at + .seconds(1) > time }.count(where: isKind)
                if taken > limit {
                    state.calls[state.calls.count - 1].isRefused = true
                    return .tooMany
                }
            }
            guard let place = state.fates.firstIndex(where: { $0.method == method && path.hasSuffix($0.ending) })
            else { return state.fate }
            return state.fates.remove(at: place).fate
        }
        switch fate {
        case .loseRequest: throw Lost()
        case .answer(let status, let body, let headers):
            return HTTPAnswer(status: status, headers: headers, body: Array(body.utf8))
        case .wait(let end): await end()
        case .tooLong: throw HTTPCallError.tooLong
        case .loseAnswer, .comeLater, nil: break
        }
        // Each call is a little later than the one before.
        environment.advance(milliseconds: 1)
        var answer =
            if let difference = state.withLock({ $0.difference }) {
                try await difference.answer(to: target, at: environment.now) { try await exchange(call, $0) }
            } else {
                try await exchange(call, target)
            }
        if case .loseAnswer = fate { throw Lost() }
        if case .comeLater(let end) = fate { await end() }
        if let (text, other) = state.withLock({ $0.replacement }) {
            let parts = String(decoding: answer.body, as: UTF8.self).split(
                separator: text, omittingEmptySubsequences: false)
            answer.body = Array(parts.map { Array($0.utf8) }.joined(separator: other))
        }
        if let maker = state.withLock({ $0.maker }) {
            let text = String(decoding: answer.body, as: UTF8.self)
                .replacing(#""created_by":null"#, with: #""created_by":{"user_id":"\#(maker.user)"}"#)
                .replacing(#""is_public":false"#, with: #""is_public":\#(maker.isPublic)"#)
            answer.body = Array(text.utf8)
        }
        guard answer.body.count <= state.withLock({ $0.limit }) else { throw HTTPCallError.tooLong }
        return answer
    }

    private func exchange(_ call: HTTPCall, _ target: String) async throws -> HTTPAnswer {
        let headers = [("Host", "127.0.0.1:1")] + call.headers.map { ($0.name, $0.value) }
        let response = try await application.answer(
            to: HTTPRequest(method: call.method, target: target, headers: headers, body: call.body ?? []))
        switch response.body {
        case .bytes(let bytes): return HTTPAnswer(status: response.status, body: bytes)
        case .file(let file, let range): return HTTPAnswer(status: response.status, body: file.read(range))
        default: throw Lost()
        }
    }
}

/// The network as one of several gateways sees it.
struct GatewayPort: HTTPPort {
    let port: SandboxPort
    let gateway: Int

    func send(_ call: HTTPCall, limit: Int) async throws -> HTTPAnswer {
        try await port.send(call, limit: limit, from: gateway)
    }
}

/// An application with the sandbox's routes and nothing else.
private final class FarApplication: CallContext {
    let keysInFlight = KeysInFlight()
    private let table: RouteTable<FarApplication>

    init(_ routes: SendbirdRoutes<FarApplication>) { table = RouteTable(routes.routes) }

    func answer(to request: HTTPRequest) async throws -> HTTPResponse {
        guard let match = table.match(request.path), let route = Method(rawValue: request.method).flatMap(match.route)
        else { return HTTPResponse(status: 404) }
        let call = try Call(request, route: route, parameters: match.parameters, identity: .gateway, context: self)
        switch route.handler {
        case .now(let handler): return try handler(call)
        case .task(_, let handler): return try await handler(call)
        case .stream: return HTTPResponse(status: 501)
        }
    }

    func outcome(under scope: String) async throws -> (fingerprint: String, outcome: Never)? { nil }
    func record(_ answer: HTTPResponse, of request: KeyedRequest) async throws {}
    func answer(_ outcome: Never, to call: HTTPRouting.Call<FarApplication>) -> HTTPResponse {}
}
