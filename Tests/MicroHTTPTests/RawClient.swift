import Glibc
import MicroHTTP

struct Failure: Error, CustomStringConvertible {
    let description: String
}

/// Throws instead of recording: test bodies run on threads of their own, which Swift Testing knows nothing of.
func expect(
    _ condition: Bool, _ message: @autoclosure () -> String = "", file: StaticString = #fileID, line: UInt = #line
) throws {
    if !condition { throw Failure(description: "\(file):\(line): expectation failed \(message())") }
}

func expectEqual<T: Equatable>(_ left: T, _ right: T, file: StaticString = #fileID, line: UInt = #line) throws {
    if left != right { throw Failure(description: "\(file):\(line): \(left) is not \(right)") }
}

/// Runs blocking test code on a thread of its own, so that the cooperative pool stays free for the server's tasks.
func onThread<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
    try await withCheckedThrowingContinuation { continuation in
        let box = Unmanaged.passRetained(Box { continuation.resume(with: Result { try body() }) })
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            {
                Unmanaged<Box>.fromOpaque($0!).takeRetainedValue().run(); return nil
            }, box.toOpaque())
        precondition(code == 0)
        pthread_detach(thread)
    }
}

private final class Box {
    let run: () -> Void
    init(_ run: @escaping () -> Void) { self.run = run }
}

struct Answer {
    var status: Int
    var headers: [(String, String)]
    var body: [UInt8]
    var text: String { String(decoding: body, as: UTF8.self) }
    func header(_ name: String) -> String? { headers.first { $0.0.lowercased() == name.lowercased() }?.1 }
}

/// For so many seconds these tests wait for what comes at once: it only ends a test that hangs, also on a machine that
/// stands still for a while.
let patience = 120

/// A client that says exactly what it is told, and gives up after ``patience``.
final class RawClient {
    let descriptor: Int32
    private var buffer: [UInt8] = []

    init(_ address: BoundAddress, receiveBuffer: Int32? = nil) throws {
        switch address {
        case .tcp(let host, let port):
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            if var size = receiveBuffer { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, 4) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            inet_pton(AF_INET, host, &address.sin_addr)
            let code = withUnsafeBytes(of: &address) {
                connect(descriptor, $0.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count))
            }
            if code != 0 { throw Failure(description: "connect: \(errno)") }
        case .unix(let path):
            descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
            let code = withUnsafeBytes(of: &address) {
                connect(descriptor, $0.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count))
            }
            if code != 0 { throw Failure(description: "connect: \(errno)") }
        case .inherited: throw Failure(description: "An address is wanted, not a descriptor.")
        }
        deadline(seconds: patience)
    }

    deinit { if open { Glibc.close(descriptor) } }
    private var open = true

    func close() {
        open = false
        Glibc.close(descriptor)
    }

    func deadline(seconds: Int) {
        var time = timeval(tv_sec: seconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    }

    @discardableResult
    func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    /// False when the server has closed.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var start = 0
        while start < bytes.count {
            let sent = bytes[start...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if sent <= 0 { return false }
            start += sent
        }
        return true
    }

    /// Nothing has come, and the server has not closed.
    var isSilent: Bool {
        var byte: UInt8 = 0
        return buffer.isEmpty && recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) < 0
            && errno == EAGAIN
    }

    func get(_ path: String, _ more: String = "") throws -> Answer {
        send("GET \(path) HTTP/1.1\r\nHost: h\r\n\(more)\r\n")
        return try answer()
    }

    /// False at the end of the input.
    private func fill() throws -> Bool {
        var chunk = [UInt8](repeating: 0, count: 65536)
        let count = recv(descriptor, &chunk, chunk.count, 0)
        if count < 0 {
            if errno == ECONNRESET { return false }
            throw Failure(
                description: "recv: errno \(errno) after \(String(decoding: buffer.suffix(200), as: UTF8.self))")
        }
        buffer += chunk[..<count]
        return count > 0
    }

    func line() throws -> String {
        while true {
            if let end = buffer.indices.dropLast().first(where: { buffer[$0] == 13 && buffer[$0 + 1] == 10 }) {
                let line = String(decoding: buffer[..<end], as: UTF8.self)
                buffer.removeFirst(end + 2)
                return line
            }
            if try !fill() { throw Failure(description: "closed within a line") }
        }
    }

    func take(_ count: Int) throws -> [UInt8] {
        while buffer.count < count { if try !fill() { throw Failure(description: "closed within \(count) bytes") } }
        defer { buffer.removeFirst(count) }
        return Array(buffer[..<count])
    }

    /// At most so many bytes, from the socket only if none are here; returns how many.
    func takeSome(_ most: Int) throws -> Int {
        if buffer.isEmpty {
            var chunk = [UInt8](repeating: 0, count: most)
            let count = recv(descriptor, &chunk, most, 0)
            if count <= 0 { throw Failure(description: "closed, or errno \(errno)") }
            return count
        }
        let count = min(most, buffer.count)
        buffer.removeFirst(count)
        return count
    }

    /// Everything until the server closes.
    func rest() throws -> [UInt8] {
        while try fill() {}
        defer { buffer = [] }
        return buffer
    }

    func head() throws -> Answer {
        let parts = try line().split(separator: " ", maxSplits: 2)
        guard parts.count >= 2, parts[0] == "HTTP/1.1", let status = Int(parts[1]) else {
            throw Failure(description: "no status line: \(parts)")
        }
        var headers: [(String, String)] = []
        while case let text = try line(), !text.isEmpty {
            let colon = text.firstIndex(of: ":")!
            headers.append((String(text[..<colon]), String(text[text.index(after: colon)...].drop { $0 == " " })))
        }
        return Answer(status: status, headers: headers, body: [])
    }

    /// An answer with its body, by the rules of HTTP.
    func answer(toHead: Bool = false) throws -> Answer {
        var answer = try head()
        if answer.status == 100 { return answer }
        if toHead || answer.status == 204 || answer.status == 304 { return answer }
        if answer.header("Transfer-Encoding") == "chunked" {
            while let chunk = try chunk() { answer.body += chunk }
        } else if let length = answer.header("Content-Length") {
            answer.body = try take(Int(length)!)
        } else {
            answer.body = try rest()
        }
        return answer
    }

    /// The next chunk of a chunked body, nil for the last.
    func chunk() throws -> [UInt8]? {
        let size = try line()
        guard let count = Int(size, radix: 16) else { throw Failure(description: "no chunk size: \(size)") }
        let bytes = try take(count)
        guard try take(2) == [13, 10] else { throw Failure(description: "chunk does not end") }
        return count == 0 ? nil : bytes
    }

    func chunkText() throws -> String? { try chunk().map { String(decoding: $0, as: UTF8.self) } }

    /// Opens a stream and reads its head.
    func stream(_ path: String = "/events") throws {
        send("GET \(path) HTTP/1.1\r\nHost: h\r\n\r\n")
        let head = try head()
        try expectEqual(head.status, 200)
        try expectEqual(head.header("Transfer-Encoding"), "chunked")
    }
}
