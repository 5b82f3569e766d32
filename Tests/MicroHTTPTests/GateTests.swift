import Glibc
import MicroHTTP
import Testing

/// Each case: what is sent, the status that answers it, the refusal's code. One answer, the connection closes, and the
/// request that follows is never served.
private let refused: [(name: String, bytes: String, status: Int, code: String?)] = [
    ("no Host", "GET / HTTP/1.1\r\n\r\n", 400, "hostHeader"),
    ("two Hosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400, "hostHeader"),
    ("two equal Hosts", "GET / HTTP/1.1\r\nHost: a\r\nhost: a\r\n\r\n", 400, "hostHeader"),
    ("Host with a path", "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", 400, "hostHeader"),
    ("Host with user", "GET / HTTP/1.1\r\nHost: u@a\r\n\r\n", 400, "hostHeader"),
    (
        "two lengths", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd", 400,
        "contentLength"
    ),
    (
        "two equal lengths", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc", 400,
        "contentLength"
    ),
    ("length list", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3, 3\r\n\r\nabc", 400, "contentLength"),
    ("length with sign", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +3\r\n\r\nabc", 400, "contentLength"),
    ("length no number", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: abc\r\n\r\nabc", 400, "contentLength"),
    (
        "length too great", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\nabc", 400,
        "contentLength"
    ),
    ("length empty", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length:\r\n\r\nabc", 400, "contentLength"),
    (
        "length and chunked",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400,
        "contentLength"
    ),
    (
        "chunked and length",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n", 400,
        "contentLength"
    ),
    (
        "two Authorizations", "GET / HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer x\r\nauthorization: Bearer y\r\n\r\n",
        400, "repeatedHeader"
    ),
    (
        "the same Authorization twice",
        "GET / HTTP/1.1\r\nAuthorization: Bearer x\r\nHost: a\r\nAuthorization: Bearer x\r\n\r\n", 400, "repeatedHeader"
    ),
    ("two Origins", "GET / HTTP/1.1\r\nHost: a\r\nOrigin: http://a\r\nOrigin: http://b\r\n\r\n", 400, "repeatedHeader"),
    (
        "two Content-Types",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Type: a/b\r\nContent-Type: c/d\r\nContent-Length: 0\r\n\r\n", 400,
        "repeatedHeader"
    ),
    (
        "two Idempotency-Keys",
        "POST / HTTP/1.1\r\nHost: a\r\nIdempotency-Key: 1\r\nIdempotency-Key: 1\r\nContent-Length: 0\r\n\r\n", 400,
        "repeatedHeader"
    ),
    (
        "three If-Ranges", "GET / HTTP/1.1\r\nHost: a\r\nIf-Range: 1\r\nIf-Range: 1\r\nIf-Range: 1\r\n\r\n", 400,
        "repeatedHeader"
    ),
    ("unknown coding", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n", 400, "transferEncoding"),
    (
        "gzip, chunked", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 400,
        "transferEncoding"
    ),
    (
        "chunked twice",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400,
        "transferEncoding"
    ),
    (
        "chunked in 1.0", "POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400,
        "transferEncoding"
    ),
    ("lower-case method", "get / HTTP/1.1\r\nHost: a\r\n\r\n", 400, "method"),
    ("mixed-case method", "Post / HTTP/1.1\r\nHost: a\r\n\r\n", 400, "method"),
    ("unknown method", "BREW / HTTP/1.1\r\nHost: a\r\n\r\n", 501, "method"),
    ("CONNECT", "CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n", 501, "method"),
    ("trace", "trace / HTTP/1.1\r\nHost: a\r\n\r\n", 400, "method"),
    ("method no token", "G@T / HTTP/1.1\r\nHost: a\r\n\r\n", 400, "method"),
    ("name with space", "GET / HTTP/1.1\r\nHost: a\r\nX A: 1\r\n\r\n", 400, "headerName"),
    ("space before colon", "GET / HTTP/1.1\r\nHost: a\r\nX-A : 1\r\n\r\n", 400, "headerName"),
    ("length hidden by a space", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length : 3\r\n\r\nabc", 400, "headerName"),
    ("empty name", "GET / HTTP/1.1\r\nHost: a\r\n: 1\r\n\r\n", 400, "malformedHead"),
    (
        "request after an empty name", "GET / HTTP/1.1\r\nHost: a\r\n: 1\r\nGET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n",
        400, "malformedHead"
    ),
    ("bare LF", "GET / HTTP/1.1\nHost: a\n\n", 400, "malformedHead"),
    ("one bare LF", "GET / HTTP/1.1\r\nHost: a\r\nX-A: 1\nX-B: 2\r\n\r\n", 400, "malformedHead"),
    ("bare LF at the end", "GET / HTTP/1.1\r\nHost: a\r\n\n", 400, "malformedHead"),
    ("bare LF and an empty name", "GET / HTTP/1.1\r\nHost: a\r\nX-A: 1\n: \n", 400, "malformedHead"),
    ("folded", "GET / HTTP/1.1\r\nHost: a\r\nX-A: 1\r\n folded\r\n\r\n", 400, "malformedHead"),
    (
        "folded to a forged name", "GET / HTTP/1.1\r\nHost: a\r\nX-: 1\r\n\tReal-IP\r\nX-B: 1\r\n\r\n", 400,
        "malformedHead"
    ),
    ("NUL in a value", "GET / HTTP/1.1\r\nHost: a\r\nX-A: 1\u{0}2\r\n\r\n", 400, "malformedHead"),
    ("NUL in the last value", "GET / HTTP/1.1\r\nX-A: 1\r\nHost: a\u{0}b\r\n\r\n", 400, "malformedHead"),
    ("NUL in a name", "GET / HTTP/1.1\r\nHost: a\r\nX\u{0}A: 1\r\n\r\n", 400, nil),
    ("NUL in the target", "GET /a\u{0}b HTTP/1.1\r\nHost: a\r\n\r\n", 400, "malformedHead"),
    ("two spaces", "GET  /a HTTP/1.1\r\nHost: a\r\n\r\n", 400, "malformedHead"),
    ("control in value", "GET / HTTP/1.1\r\nHost: a\r\nX-A: 1\u{1}2\r\n\r\n", 400, "headerValue"),
    ("bare CR in value", "GET / HTTP/1.1\r\nHost: a\r\nX-A: 1\r2\r\n\r\n", 400, "headerValue"),
    ("DEL in value", "GET / HTTP/1.1\r\nHost: a\r\nX-A: 1\u{7f}\r\n\r\n", 400, "headerValue"),
    ("target without slash", "GET a HTTP/1.1\r\nHost: a\r\n\r\n", 400, "target"),
    ("target with fragment", "GET /a#b HTTP/1.1\r\nHost: a\r\n\r\n", 400, "target"),
    ("target with space", "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n", 400, "target"),
    ("target with control", "GET /a\u{1} HTTP/1.1\r\nHost: a\r\n\r\n", 400, "target"),
    ("other authority", "GET http://b/ HTTP/1.1\r\nHost: a\r\n\r\n", 400, "target"),
    ("authority longer than Host", "GET http://ab/ HTTP/1.1\r\nHost: a\r\n\r\n", 400, "target"),
    ("https target", "GET https://a/ HTTP/1.1\r\nHost: a\r\n\r\n", 400, "target"),
    ("asterisk with GET", "GET * HTTP/1.1\r\nHost: a\r\n\r\n", 400, "target"),
    ("NUL before many parameters", "GET /\u{0}?\(many("x")) HTTP/1.1\r\nHost: a\r\n\r\n", 400, "malformedHead"),
    ("NUL before many values", "GET /\u{0}?\(many("x=yz")) HTTP/1.1\r\nHost: a\r\n\r\n", 400, "malformedHead"),
    (
        "NUL within many values", "GET /\u{0}HTTP/1.1\u{0}?x=y\u{0}&\(many("x=yz")) HTTP/1.1\r\nHost: a\r\n\r\n", 400,
        "malformedHead"
    ),
    ("NUL before one parameter", "GET /\u{0}?x HTTP/1.1\r\nHost: a\r\n\r\n", 400, "malformedHead"),
    ("NUL before one value", "GET /\u{0}?x=HTTP/1.1 HTTP/1.1\nHost: a\r\n\r\n", 400, "malformedHead"),
    ("many cookies", "GET / HTTP/1.1\r\nHost: a\r\nCookie: \(many("a=b;"))\r\n\r\n", 400, "malformedHead"),
    (
        "cookies that leave no room for an answer",
        "GET / HTTP/1.1\r\nHost: a\r\nCookie: \(Array(repeating: "abc=d", count: 100).joined(separator: "; "))\r\n\r\n",
        400, "malformedHead"
    ),
    (
        "a target that leaves no room for an answer",
        "GET /\(String(repeating: "x", count: 7000)) HTTP/1.1\r\nHost: a\r\n\r\n", 400, "malformedHead"
    ),
    (
        "a long cookie", "GET / HTTP/1.1\r\nHost: a\r\nCookie: \(String(repeating: "a", count: 5000))\r\n\r\n", 400,
        "malformedHead"
    ),
    // What the library refuses by itself, before we see anything: its own page, or just the end.
    ("no colon", "GET / HTTP/1.1\r\nHost a\r\n\r\n", 400, nil),
    ("version 9", "GET / HTTP/9.9\r\nHost: a\r\n\r\n", 505, nil),
    ("too many headers", "GET / HTTP/1.1\r\nHost: a\r\n\(String(repeating: "X: y\r\n", count: 200))\r\n", 431, nil),
    ("head too great", "GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "x", count: 9000))\r\n\r\n", 431, nil),
    ("target too great", "GET /\(String(repeating: "x", count: 9000)) HTTP/1.1\r\nHost: a\r\n\r\n", 414, nil),
]

private func many(_ parameter: String) -> String { Array(repeating: parameter, count: 300).joined(separator: "&") }

@Suite(.timeLimit(.minutes(5))) struct GateTests {
    @Test(arguments: refused.indices)
    func refusesWithOneAnswer(index: Int) async throws {
        let (name, bytes, status, code) = refused[index]
        try await withServer { server in
            // Whole, and in two pieces: the library works off what it has.
            for split in [bytes.utf8.count, bytes.utf8.count / 2, 4] {
                let client = try server.client()
                let all = Array(bytes.utf8)
                client.send(Array(all[..<split]))
                if split < all.count {
                    try server.settle()
                    client.send(Array(all[split...]))
                }
                client.send("GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n")
                let text = String(decoding: try client.rest(), as: UTF8.self)
                try expect(text.hasPrefix("HTTP/1.1 \(status) "), "\(name): \(text)")
                try expectEqual(text.components(of: "HTTP/1."), 1)
                try expect(text.lowercased().contains("connection: close"), "\(name): \(text)")
                if let code { try expect(text.contains("\r\n\r\n\(code):"), "\(name): \(text)") }
                try expect(!text.contains("smuggled"), name)
            }
            try expectEqual(server.handler.seen.all.map(\.target), [])
            try expectEqual(try server.client().get("/alive").status, 200)
        }
    }

    private static let accepted: [(bytes: String, seen: String)] = [
        ("GET http://a/x?y HTTP/1.1\r\nHost: a\r\n\r\n", "/x?y"),
        ("GET HTTP://A:80/x HTTP/1.1\r\nHost: a:80\r\n\r\n", "/x"),
        ("GET http://a HTTP/1.1\r\nHost: a\r\n\r\n", "/"),
        ("GET http://a?y=1 HTTP/1.1\r\nHost: a\r\n\r\n", "/?y=1"),
        ("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", "*"),
        ("GET //x/%2e%2E/?a=%20&b=+ HTTP/1.1\r\nHost: a\r\n\r\n", "//x/%2e%2E/?a=%20&b=+"),
        ("GET /? HTTP/1.1\r\nHost: a\r\n\r\n", "/?"),
        ("DELETE /x HTTP/1.1\r\nHost: [::1]:80\r\nX-Empty:\r\nX-Tab: a\tb \t\r\nX-None:  \r\n\r\n", "/x"),
        ("GET /cookie?a=%2f&b HTTP/1.1\r\nCookie: a=b; c=d\r\nHost: a  \r\nX:y\r\n\r\n", "/cookie?a=%2f&b"),
        ("\r\n\r\nGET /x HTTP/1.1\r\nHost: a\r\n\r\n", "/x"),
        ("GET /x?\(many("x")) HTTP/1.1\r\nHost: a\r\n\r\n", "/x?\(many("x"))"),
        ("GET /x?\(many("session=abc")) HTTP/1.1\r\nHost: a\r\n\r\n", "/x?\(many("session=abc"))"),
        ("PATCH /x HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n", "/x"),
    ]

    @Test(arguments: accepted.indices)
    func passesWhatIsClear(index: Int) async throws {
        let (bytes, target) = Self.accepted[index]
        try await withServer { server in
            let client = try server.client()
            client.send(bytes)
            try expectEqual(try client.answer().status, 200)
            try expectEqual(try server.handler.seen.wait()[0].target, target)
            try expectEqual(try client.get("/next").status, 200)
        }
    }

    /// What uses up the library's memory of one connection touches no other.
    @Test func complaintsOfOneConnectionTouchNoOther() async throws {
        try await withServer(configure: { $0.daemons = 1 }) { server in
            let waiting = try server.client()
            waiting.send("GET /waiting HTTP/1.1\r\nHost: a\r\n")
            for query in [many("x"), "\u{0}?" + many("x=y")] {
                let clients = try (0..<8).map { _ in try server.client() }
                for client in clients { client.send("GET /x?\(query) HTTP/1.1\r\nHost: a\r\n\r\n") }
                try server.settle()
                for client in clients { client.close() }
                for _ in 0..<8 {
                    let client = try server.client()
                    client.send("POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n")
                    try expectEqual(try client.answer().status, 400)
                }
            }
            waiting.send("\r\n")
            try expectEqual(try waiting.answer().text, "GET /waiting 0")
        }
    }

    /// The library changes these before we see them: no route may see a forged value, and there is one answer at most.
    /// Edge-triggered as it is, it may also miss an end that comes together with the last bytes: the idle timeout
    /// closes then.
    @Test func whatTheLibraryHidesDoesNoHarm() async throws {
        try await withServer(configure: { $0.idleTimeout = .seconds(1) }) { server in
            let cases: [[UInt8]] = [
                Array("GET / HTTP/1.1\nHost: a\n\n".utf8),
                Array("GET / HTTP/1.1\r\nHost: a\r\nX-A: 1\r\n folded\r\n\r\n".utf8),
                Array("GET / HTTP/1.1\r\nHost: a\r\nX-A: 1".utf8) + [0] + Array("2\r\n\r\n".utf8),
                Array("GET /a".utf8) + [0] + Array("b HTTP/1.1\r\nHost: a\r\n\r\n".utf8),
                Array("GE".utf8) + [0] + Array("T / HTTP/1.1\r\nHost: a\r\n\r\n".utf8),
                [UInt8](repeating: 0, count: 300), Array("GET / HTTP/1.1\r\nHost: a".utf8),
                [0x16, 0x03, 0x01] + [UInt8](repeating: 0xff, count: 300),
                Array("\r\n\r\n\r\n".utf8), Array("GET\r\n\r\n".utf8), Array(" / HTTP/1.1\r\n\r\n".utf8),
            ]
            var served = 0
            for bytes in cases {
                let client = try server.client()
                client.send(bytes)
                if served % 3 != 0 { try server.settle() }
                served += 1
                shutdown(client.descriptor, Int32(SHUT_WR))
                let text: String
                do { text = String(decoding: try client.rest(), as: UTF8.self) } catch {
                    throw Failure(description: "\(served) \(bytes): \(error)")
                }
                try expect(text.components(of: "HTTP/1.") <= 1, text)
            }
            for request in server.handler.seen.all { try expect(request.headers["X-A"].map { $0 == "1" } ?? true) }
            try expectEqual(try server.client().get("/alive").status, 200)
        }
    }
}
