import Chat
import ChatModel
import ChatStore
import Formats
import Gateway
import LocalService
import Logging
import MicroHTTP
import OutboundSupport
import Pages
import Synchronization
import TestSupport

extension Target {
    /// One request to the gateway: a line `METHOD TARGET`, lines `Name: value`, an empty line, and the body.
    ///
    /// `$S` and `$L` stand for the ids of sessions on the channels `multi` and `live`. There are a thread `t1` and a
    /// message `m1`.
    static let rest = Target("rest") { bytes in
        try wait {
            let gateway = try await world.content()
            do {
                try await gateway.check(bytes)
            } catch {
                await world.renew()
                throw error
            }
            if !gateway.isWhole { await world.renew() }
        }
    }

    private static let world = World<RestGateway>(
        limit: 500, make: { try await RestGateway(folder: $0) }, end: { await $0.end() })
}

/// A gateway with the embedded service, called without a socket.
private struct RestGateway: Sendable {
    let store: ChatStore
    private let sessions: Sessions
    private let outbound: OutboundGroups
    private let application: GatewayApplication
    private let loop = CalledLoop()
    private let multi: String
    private let live: String

    private static let token = "gateway-token-0123456789abcdef"

    init(folder: String) async throws {
        let environment = TestEnvironment().environment
        store = try ChatStore.open(folder: folder, environment: environment)
        let local = try await LocalService(store: store, clock: ManualClock())
        sessions = Sessions(store: store, services: [local], clock: ContinuousClock())
        var configuration = GatewayConfiguration(version: "0")
        configuration.failuresPerMinute = .max
        var logger = Logger(label: "fuzz")
        logger.logLevel = .critical
        outbound = try OutboundGroups(store: store, clock: ManualClock(), notifications: sessions.notifications)
        application = try GatewayApplication(
            configuration: configuration, sessions: sessions, store: store,
            groups: [DeskRoutes(desk: local.desk)] + outbound.groups
                + Documents(pages: nil, guide: nil, document: nil).groups(beside: []),
            secrets: TokenSecrets(gatewayToken: Self.token, key: Array(repeating: 7, count: 32)), logger: logger,
            environment: environment, clock: ManualClock())
        application.attach(to: loop)
        try await sessions.load()
        await sessions.finishLoading()
        let client = try await sessions.create(
            service: "local", channel: "multi", customer: CustomerDraft(id: "c1"), connect: true, receipt: nil)
        let other = try await sessions.create(
            service: "local", channel: "live", customer: CustomerDraft(id: "c1"), connect: true, receipt: nil)
        (multi, live) = (client.id, other.id)
        _ = try await client.createThread(ThreadDraft(id: "t1", name: "First"), receipt: nil)
        _ = try await client.send(MessageDraft(id: "m1", text: "hello"), to: "t1", receipt: nil)
    }

    /// Its sessions are there: an input may have ended them.
    var isWhole: Bool { sessions.client(multi) != nil && sessions.client(live) != nil }

    func end() async {
        await outbound.stop()
        await store.close()
    }

    // MARK: One request

    func check(_ bytes: [UInt8]) async throws {
        guard let request = request(bytes) else { return }
        guard let response = await answer(request)?.unshared else { return }
        loop.turn()
        if case .events(let source) = response.body { source.closed(.refused) }
        for (name, value) in response.headers {
            let isClean = (name + value).unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
            try expect(isClean, "the header \(name) is \(value)")
        }
        let body =
            switch response.body {
            case .bytes(let bytes): bytes
            case .file(let file, let range): file.read(range)
            case .none, .prepared, .events, .pieces, .upgrade, .broken: [UInt8]()
            }
        try expect(response.status < 500, "\(response.status) for \(request.method) \(request.target): \(body.text)")
        guard let type = response.headers.first(where: { $0.0 == "Content-Type" })?.1, type.hasSuffix("json"),
            !body.isEmpty
        else { return }
        if response.status < 300, !request.path.hasPrefix("/openapi") { return try Limits.check(body) }
        let problem = try? JSONParser.parse(body)
        try expect(problem?["code"]?.string != nil, "a problem without code: \(body.text)")
        // What is wrong with a body is said member by member.
        guard response.status == 422, problem?["code"]?.string != "digestMismatch" else { return }
        let pointers = problem?["errors"]?.array?.compactMap { $0["pointer"]?.string } ?? []
        try expect(
            !pointers.isEmpty, "a refused value without pointer: \(request.method) \(request.target): \(body.text)")
        try expect(
            pointers.allSatisfy { $0.hasPrefix("#") || $0.hasPrefix("?") }, "pointers that are none: \(pointers)")
    }

    private func answer(_ request: HTTPRequest) async -> HTTPResponse? {
        var head = request
        head.body = []
        var whole = request
        var admission = application.admit(&head)
        while case .later(let decide) = admission { admission = await decide() }
        switch admission {
        case .refuse(let refused): return refused
        case .stream(let limit, let makeSink):
            guard !request.body.isEmpty else { break }
            guard request.body.count <= limit else { return nil }
            let sink = makeSink(BodyFlow {})
            _ = request.body.withUnsafeBytes { sink.receive($0) }
            (whole.sink, whole.body) = (sink, [])
        case .accept, .later: break
        }
        whole.findings = head.findings
        switch application.respond(to: whole) {
        case .now(let response): return response
        case .later(let work), .prompt(let work): return await work()
        }
    }

    /// Nil for what would not come through the server's gate.
    private func request(_ bytes: [UInt8]) -> HTTPRequest? {
        var lines: [String] = []
        var rest = bytes[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            let line = rest[..<end]
            rest = rest[(end + 1)...]
            if line.isEmpty { break }
            // Bytes from 0x80 on may come in heads, and need not be UTF-8.
            guard !line.contains(where: { $0 < 0x20 && $0 != 9 || $0 == 0x7F }) else { return nil }
            lines.append(Array(line).text)
        }
        let words = (lines.first ?? "").split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard words.count == 2, ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].contains(words[0]) else {
            return nil
        }
        let target = filled(words[1])
        guard target.hasPrefix("/"), !target.contains("#"), target.utf8.allSatisfy({ $0 > 0x20 }),
            target.utf8.count < 4096
        else { return nil }
        let body = Array(filled(Array(rest).text).utf8)
        var headers: [(String, String)] = []
        for line in lines.dropFirst() {
            guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")), colon != line.startIndex else { return nil }
            let name = String(line[..<colon]),
                value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            guard name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), value.utf8.count < 4096 else { return nil }
            switch name.lowercased() {
            case "host", "content-length", "transfer-encoding": continue
            default: headers.append((name, filled(String(value))))
            }
        }
        func has(_ name: String) -> Bool { headers.contains { $0.0.lowercased() == name } }
        headers.append(("Host", "127.0.0.1:8787"))
        if !has("authorization"), !has("cookie") { headers.append(("Authorization", "Bearer \(Self.token)")) }
        if !body.isEmpty {
            headers.append(("Content-Length", "\(body.count)"))
            if !has("content-type") { headers.append(("Content-Type", "application/json")) }
        }
        return HTTPRequest(
            method: words[0], target: target, headers: headers, body: body, peer: .tcp(.loopback(port: 4000)), number: 1
        )
    }

    private func filled(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "$")) else { return text }
        return text.replacing("$S", with: multi).replacing("$L", with: live)
    }
}

/// A loop whose turns the target makes.
private final class CalledLoop: GatewayLoop {
    private let jobs = Mutex<[@Sendable () -> Void]>([])
    let addresses: [BoundAddress] = [.tcp(host: "127.0.0.1", port: 8787)]
    let lastTurn = ContinuousClock.now
    var statistics: ServerStatistics { ServerStatistics() }

    func execute(_ job: @escaping @Sendable () -> Void) -> Bool {
        jobs.withLock { $0.append(job) }
        return true
    }

    func turn() {
        let due = jobs.withLock { jobs in
            defer { jobs = [] }
            return jobs
        }
        for job in due { job() }
    }
}
