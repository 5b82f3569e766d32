import Foundation
import Glibc

/// A client that writes bytes and reads bytes, on a thread of its own with deadlines.
package enum SocketClient {
    package struct Failure: Error {
        let reason: String
    }

    package static func exchange(_ request: Request, port: UInt16) async throws -> Answer {
        try await withCheckedThrowingContinuation { continuation in
            // No queue: on Linux its threads are those of the tasks that have to answer.
            Thread.detachNewThread { continuation.resume(with: Result { try run(request, port) }) }
        }
    }

    private static func run(_ request: Request, _ port: UInt16) throws -> Answer {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var limit = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw Failure(reason: "connect") }

        var head = "\(request.method) \(request.path) HTTP/1.1\r\n"
        if !request.headers.contains(where: { $0.0 == "Host" }) { head += "Host: 127.0.0.1:\(port)\r\n" }
        for (name, value) in request.headers { head += "\(name): \(value.replacing("$PORT", with: "\(port)"))\r\n" }
        if let body = request.body, !request.headers.contains(where: { $0.0 == "Content-Length" }) {
            head += "Content-Length: \(body.utf8.count)\r\n"
        }
        let bytes = Array((head + "\r\n" + (request.body ?? "")).utf8)
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count <= 0 { break }
            sent += count
        }
        var receiver = Receiver(descriptor)
        return try receiver.answer(to: request)
    }

    private struct Receiver {
        let descriptor: Int32
        var bytes: [UInt8] = []

        init(_ descriptor: Int32) { self.descriptor = descriptor }

        mutating func more() -> Bool {
            var chunk = [UInt8](repeating: 0, count: 65_536)
            let count = recv(descriptor, &chunk, chunk.count, 0)
            guard count > 0 else { return false }
            bytes += chunk[..<count]
            return true
        }

        mutating func answer(to request: Request) throws -> Answer {
            let end = Array("\r\n\r\n".utf8)
            while bytes.firstRange(of: end) == nil {
                guard more() else { throw Failure(reason: "no answer") }
            }
            guard let split = bytes.firstRange(of: end) else { throw Failure(reason: "no head") }
            let lines = String(decoding: bytes[..<split.lowerBound], as: UTF8.self).split(separator: "\r\n")
            bytes.removeSubrange(..<split.upperBound)
            var answer = Answer(status: Int(lines[0].split(separator: " ")[1]) ?? 0, headers: [], body: "")
            for line in lines.dropFirst() {
                guard let colon = line.firstIndex(of: ":") else { continue }
                let value = line[line.index(after: colon)...].drop { $0 == " " }
                answer.headers.append((String(line[..<colon]), String(value)))
            }
            if request.method == "HEAD" || answer.status == 204 || answer.status == 304 { return answer }
            if answer["Transfer-Encoding"]?.lowercased() == "chunked" {
                answer.body = chunks(until: request.events)
            } else {
                let length = Int(answer["Content-Length"] ?? "") ?? 0
                while bytes.count < length, more() {}
                answer.body = String(decoding: bytes.prefix(length), as: UTF8.self)
            }
            return answer
        }

        /// The body of a stream until these events have come, or its end.
        mutating func chunks(until names: [String]) -> String {
            var body: [UInt8] = []
            while true {
                while let line = bytes.firstRange(of: Array("\r\n".utf8)) {
                    let size = Int(String(decoding: bytes[..<line.lowerBound], as: UTF8.self), radix: 16) ?? 0
                    guard bytes.count >= line.upperBound + size + 2 else { break }
                    if size == 0 { return String(decoding: body, as: UTF8.self) }
                    body += bytes[line.upperBound..<line.upperBound + size]
                    bytes.removeSubrange(..<(line.upperBound + size + 2))
                    let text = String(decoding: body, as: UTF8.self)
                    if !names.isEmpty, StreamedEvent.parse(text).map(\.type).starts(with: names) { return text }
                }
                guard more() else { return String(decoding: body, as: UTF8.self) }
            }
        }
    }
}
