import Chat
import ChatModel
import ChatStore
import Formats
import HTTPRouting
import LocalService
import MicroHTTP
@testable import SandboxKit
@testable import SendbirdSandbox
import TestSupport
import Testing

/// A sandbox on a store of its own, asked as a program asks it.
struct SendbirdScene {
    let environment: TestEnvironment
    let clock: ManualClock
    let service: LocalService
    let sandbox: SendbirdSandbox
    private let application: PlainApplication

    static func run(isStrict: Bool = false, _ body: (SendbirdScene) async throws -> Void) async throws {
        let environment = TestEnvironment()
        try await withStore(environment: environment) { store in
            try await run(on: store, environment, isStrict: isStrict, body)
        }
    }

    static func run(
        on store: ChatStore, _ environment: TestEnvironment, isStrict: Bool = false,
        _ body: (SendbirdScene) async throws -> Void
    ) async throws {
        let clock = ManualClock()
        let service = try await LocalService(store: store, clock: clock)
        let channel = try #require(try await SendbirdSandbox.channel(of: service))
        let targets = CallbackTargets(check: { if $0.contains("refused") { throw CancellationError() } })
        let sandbox = SendbirdSandbox(
            store: store, service: service, channel: channel, token: String(repeating: "7", count: 40),
            targets: targets,
            isStrict: isStrict, clock: clock)
        try await body(
            SendbirdScene(
                environment: environment, clock: clock, service: service, sandbox: sandbox,
                application: PlainApplication(SendbirdRoutes(sandbox, hasOwnPaths: true))))
    }

    /// The texts that agents see of a channel, oldest first.
    func deskTexts(of url: String) async throws -> [String] {
        try await deskMessages(of: url).map { $0["text"]?.string ?? "" }
    }

    func deskMessages(of url: String) async throws -> [JSONValue] {
        let page = try await service.desk.messages(
            of: DeskThread(id: url, channel: sandbox.channel), replies: .alsoInThread,
            page: PageRequest(limit: 200, cursor: nil))
        let items = try JSONParser.parse(page.body + Array("}".utf8))["items"]?.array ?? []
        return items.reversed()
    }

    /// The status and the JSON of an answer.
    func call(
        _ method: String, _ target: String, _ body: String = "", token: String?? = nil, type: String = "text/plain"
    ) async throws -> (status: Int, json: JSONValue) {
        let answer = try await answer(method, target, body, token: token, type: type)
        guard case .bytes(let bytes) = answer.body else { return (answer.status, .null) }
        return (answer.status, bytes.isEmpty ? .null : try JSONParser.parse(bytes))
    }

    func answer(
        _ method: String, _ target: String, _ body: String = "", token: String?? = nil, type: String = "text/plain"
    ) async throws -> HTTPResponse {
        try await answer(method, target, bytes: Array(body.utf8), token: token, type: type)
    }

    /// The platform's calls, as they are served.
    ///
    /// - Parameter refuses: also what is not served.
    func served(refuses: Bool) -> [(method: String, template: String)] {
        SendbirdRoutes<PlainApplication>(sandbox, hasOwnPaths: false).routes
            .filter { refuses == ($0.operationID == "notServed") }.map { ($0.method.rawValue, $0.template) }
    }

    func answer(
        _ method: String, _ target: String, bytes body: [UInt8], token: String?? = nil, type: String = "text/plain"
    ) async throws -> HTTPResponse {
        let given = token ?? sandbox.token
        var headers = [("Host", "localhost:8787"), ("Content-Type", type)]
        if let given { headers.append(("api-token", given)) }
        // Each request is a little later than the one before.
        environment.advance(milliseconds: 10)
        var request = HTTPRequest(method: method, target: target, headers: headers)
        request.body = body
        return try await application.answer(to: request)
    }

    /// The frames as whoever runs the gateway sees them.
    func shownFrames() throws -> [JSONValue] {
        let frames = sandbox.faults.frames
        return try frames.recent.items(after: 0).items.enumerated().map { number, item in
            var json = JSONWriter()
            item.item.encode(number: number, without: frames.secrets, to: &json)
            return try JSONParser.parse(json.bytes)
        }
    }

    /// The JSON of an answer that says it was done.
    func ask(_ method: String, _ target: String, _ body: String = "") async throws -> JSONValue {
        let answer = try await call(method, target, body)
        try #require(answer.status == 200, "\(method) \(target): \(answer.json)")
        return answer.json
    }

    /// The code of an answer that refuses.
    func code(_ method: String, _ target: String, _ body: String = "") async throws -> Int64? {
        let answer = try await call(method, target, body)
        #expect(answer.json["error"]?.bool == true && answer.json["message"]?.string?.isEmpty == false)
        return answer.json["code"]?.integer
    }

    /// Makes users, and a channel of them. Returns its path.
    func channel(_ users: String..., url: String = "chan_1") async throws -> String {
        for user in users where try await call("GET", "/v3/users/\(user)").status != 200 {
            _ = try await ask("POST", "/v3/users", #"{"user_id":"\#(user)","nickname":"N \#(user)","profile_url":""}"#)
        }
        let ids = users.map { "\"\($0)\"" }.joined(separator: ",")
        _ = try await ask("POST", "/v3/group_channels", #"{"user_ids":[\#(ids)],"channel_url":"\#(url)"}"#)
        return "/v3/group_channels/\(url)"
    }

    func send(_ text: String, as user: String, to path: String, _ more: String = "") async throws -> JSONValue {
        try await ask(
            "POST", "\(path)/messages", #"{"message_type":"MESG","user_id":"\#(user)","message":"\#(text)"\#(more)}"#)
    }
}

/// An application with these routes and nothing else.
private final class PlainApplication: CallContext {
    let keysInFlight = KeysInFlight()
    private let table: RouteTable<PlainApplication>

    init(_ routes: SendbirdRoutes<PlainApplication>) { table = RouteTable(routes.routes) }

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
    func answer(_ outcome: Never, to call: Call<PlainApplication>) -> HTTPResponse {}
}
