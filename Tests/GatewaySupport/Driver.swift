import Gateway
import MicroHTTP

/// A way from a request to its answer.
package enum Driver: String, CaseIterable, Sendable {
    /// Calls the handler.
    case process
    /// Sends bytes over TCP.
    case socket

    /// Makes the requests one after the other at one gateway.
    package func answers(to requests: [Request], at gateway: TestGateway) async throws -> [Answer] {
        switch self {
        case .process:
            let loop = TestLoop()
            gateway.application.attach(to: loop)
            var answers: [Answer] = []
            for request in requests { answers.append(await Self.call(request, gateway, loop)) }
            return answers
        case .socket:
            let server = HTTPServer(
                configuration: ServerConfiguration(listeners: [.tcp(host: "127.0.0.1", port: 0)]),
                handler: gateway.application)
            gateway.application.attach(to: server)
            try server.start()
            defer { server.stopNow() }
            guard case .tcp(_, let port)? = server.addresses.first else { return [] }
            var answers: [Answer] = []
            for request in requests { answers.append(try await SocketClient.exchange(request, port: port)) }
            return answers
        }
    }

    private static func call(_ request: Request, _ gateway: TestGateway, _ loop: TestLoop) async -> Answer {
        var headers = request.headers
        let body = Array((request.body ?? "").utf8)
        if !headers.contains(where: { $0.0 == "Host" }) { headers.append(("Host", "127.0.0.1:8787")) }
        if request.body != nil, !headers.contains(where: { $0.0 == "Content-Length" }) {
            headers.append(("Content-Length", "\(body.count)"))
        }
        var made = HTTPRequest(
            method: request.method, target: request.path, headers: headers, body: [], peer: .tcp(.loopback(port: 4000)),
            number: 1)
        var admission = gateway.application.admit(&made)
        while case .later(let decide) = admission { admission = await decide() }
        switch admission {
        case .refuse(let refused): return await answer(refused, request, loop)
        case .stream(_, let makeSink):
            let sink = makeSink(BodyFlow {})
            _ = body.withUnsafeBytes { sink.receive($0) }
            made.sink = sink
        case .accept, .later: made.body = body
        }
        switch gateway.application.respond(to: made) {
        case .now(let response): return await answer(response, request, loop)
        case .later(let work), .prompt(let work):
            let response = await loop.turning(work)
            loop.turn()
            return await answer(response, request, loop)
        }
    }

    private static func answer(_ response: HTTPResponse, _ request: Request, _ loop: TestLoop) async -> Answer {
        var body = ""
        let response = response.unshared
        switch response.body {
        case .none, .prepared, .pieces, .upgrade, .broken: break
        case .bytes(let bytes): body = String(decoding: bytes, as: UTF8.self)
        case .file(let file, let range): body = String(decoding: file.read(range), as: UTF8.self)
        case .events(let source):
            let watched = (source as? WatchedStream)?.source ?? source
            guard let source = watched as? any ReadableSource else { break }
            let reader = Reader(source, loop: loop)
            await reader.pumpThroughDatabase()
            body = reader.text
            reader.close()
        }
        return Answer(
            status: response.status, headers: response.headers.map { ($0.0, $0.1) },
            body: request.method == "HEAD" ? "" : body)
    }
}
