import Dispatch
import Foundation
import Glibc
import MicroHTTP
import Synchronization

extension Target {
    /// What a client sends over a connection, up to its end. What passes the gate is no head that could be read in two
    /// ways.
    static let heads = Target("heads") { bytes in
        let seen = try server.get().exchange(bytes)
        guard let first = seen.requests.first else { return }
        try StrictHead.check(bytes, first)
        try expect(
            seen.answer.starts(with: Array("HTTP/1.1 ".utf8)) || seen.answer.isEmpty,
            "an answer that is no HTTP: \(seen.answer.text)")
    }

    private static let server = Result { try HeadServer() }
}

/// What a strict reader finds in a head that the gate has let pass.
private enum StrictHead {
    static func check(_ bytes: [UInt8], _ request: HTTPRequest) throws {
        var text = bytes[...]
        // The library writes NULs over CR LF. So a line that ends with NUL and line feed looks as if it had ended with
        // CR LF.
        for index in bytes.indices.dropLast() where bytes[index] == 0 && bytes[index + 1] == 10 { text[index] = 13 }
        // Empty lines before a request are allowed (RFC 9112, 2.2). The library skips a line that begins with a NUL as
        // well, and tells nobody.
        while text.starts(with: [13, 10]) || text.first == 0 {
            guard let end = text.firstIndex(of: 10) else { break }
            text = text[(end + 1)...]
        }
        var lines: [ArraySlice<UInt8>] = []
        while let end = text.indices.first(where: { text[$0...].starts(with: [13, 10]) }) {
            // A colon and a line feed alone, or a line feed, a colon and CR LF: the library takes them for the head's
            // end, and leaves no trace of it.
            if text.starts(with: [58, 10]) {
                lines.append([])
                break
            }
            if let feed = text[..<end].firstIndex(of: 10), text[(feed + 1)..<end].elementsEqual([58]) {
                lines += [text[..<feed], []]
                break
            }
            lines.append(text[text.startIndex..<end])
            text = text[(end + 2)...]
            if lines.last?.isEmpty == true { break }
        }
        if lines.last?.isEmpty != true, text.starts(with: [58, 10]) { lines.append([]) }
        try expect(lines.last?.isEmpty == true, "a head without end")
        for line in lines {
            try expect(!line.contains { $0 == 0 || $0 == 10 || $0 == 13 }, "a NUL, CR or LF in a line")
        }
        let words = (lines.first ?? []).split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        try expect(words.count == 3, "a request line of \(words.count) words")
        try expect(Array(words[0]).text == request.method, "the method is \(request.method)")
        try expect(
            Array(words[1]).text.hasSuffix(request.target) || request.target.hasPrefix("/?"),
            "the target is \(request.target)")
        var names: [String: Int] = [:]
        for line in lines.dropFirst().dropLast() {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
                throw BrokenRule(description: "a line without colon")
            }
            let name = line[..<colon]
            let isToken =
                !name.isEmpty
                && name.allSatisfy { byte in
                    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                        || "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            try expect(isToken, "the header's name \(Array(name).text)")
            names[Array(name).text.lowercased(), default: 0] += 1
        }
        try expect(names["host"] == 1, "\(names["host"] ?? 0) Host headers")
        try expect(names["content-length", default: 0] + names["transfer-encoding", default: 0] <= 1, "two lengths")
        try expect(
            names["content-length"] == request.headers.all("Content-Length").count || names["content-length"] == nil,
            "a length is lost")
        try expect(
            names.values.reduce(0, +) == request.headers.reduce(0) { count, _ in count + 1 },
            "a header is lost or forged")
    }
}

/// A server on a socket file, and a client of it.
private final class HeadServer: HTTPHandler {
    private let requests = Mutex<[HTTPRequest]>([])
    private let server = Mutex<HTTPServer?>(nil)
    private let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("fuzz-\(getpid())").path
        var configuration = ServerConfiguration(listeners: [.unix(path: path)])
        (configuration.daemons, configuration.senders, configuration.idleTimeout) = (1, 1, .seconds(1))
        let made = HTTPServer(configuration: configuration, handler: self)
        try made.start()
        server.withLock { $0 = made }
    }

    func admit(_ head: inout HTTPRequest) -> HTTPAdmission {
        requests.withLock { $0.append(head) }
        return .accept
    }

    func respond(to request: HTTPRequest) -> HTTPReply {
        .now(HTTPResponse(status: 200, body: .bytes(Array("ok".utf8))))
    }

    /// Sends all, says that there is no more, and reads until the server closes, for a quarter of a second at most.
    func exchange(_ bytes: [UInt8]) throws -> (requests: [HTTPRequest], answer: [UInt8]) {
        requests.withLock { $0 = [] }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw Refusal("no socket: \(errno)") }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { room in room.copyBytes(from: path.utf8.prefix(room.count - 1)) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let isOpen = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) == 0 }
        }
        guard isOpen else { throw Refusal("the server does not take connections: \(errno)") }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            // It has read enough, and closed.
            if count <= 0 { break }
            rest = rest.dropFirst(count)
        }
        // libmicrohttpd misses the end when it comes together with the bytes: it would wait for the idle timeout.
        var events = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        poll(&events, 1, 2)
        shutdown(descriptor, Int32(SHUT_WR))
        var patience = timeval(tv_sec: 0, tv_usec: 250_000)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var answer: [UInt8] = [], buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count <= 0 { break }
            answer += buffer.prefix(count)
        }
        return (requests.withLock { $0 }, answer)
    }
}
