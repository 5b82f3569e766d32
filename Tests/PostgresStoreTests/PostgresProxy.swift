import Foundation
import Synchronization

/// Stands between a store and its server, and loses what a test wants to be lost.
final class PostgresProxy: Sendable {
    enum Direction { case requests, answers }

    private struct State {
        var stopped: Direction?
        var hasStopped = false
        var sockets: [Int32] = []
        var isClosed = false
    }

    /// Where a store connects to.
    let address: String
    private let folder: URL
    private let target: String
    private let listener: Int32
    private let state = Mutex(State())

    /// - Parameter server: an address whose `host` is the folder of a UNIX socket.
    init(to server: String) throws {
        let parts = server.split(separator: "?host=").map(String.init)
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("proxy-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        address = parts[0] + "?host=" + folder.path
        target = parts[1] + "/.s.PGSQL.5432"
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let path = folder.path + "/.s.PGSQL.5432"
        guard Self.withAddress(path, { bind(listener, $0, $1) }) == 0, listen(listener, 16) == 0 else {
            throw CocoaError(.fileWriteUnknown)
        }
        Thread { [self] in accept() }.start()
    }

    /// Loses what goes in this direction from now on, on all connections that are open.
    func stop(_ direction: Direction) { state.withLock { $0.stopped = direction } }

    /// Whether something was lost.
    var hasStopped: Bool { state.withLock { $0.hasStopped } }

    /// Ends the connections. New ones are whole again.
    func cut() {
        state.withLock { state in
            for socket in state.sockets { shutdown(socket, Int32(SHUT_RDWR)) }
            (state.sockets, state.stopped) = ([], nil)
        }
    }

    func close() {
        state.withLock { $0.isClosed = true }
        cut()
        shutdown(listener, Int32(SHUT_RDWR))
        try? FileManager.default.removeItem(at: folder)
    }

    private func accept() {
        while true {
            let client = Foundation.accept(listener, nil, nil)
            guard client >= 0 else { break }
            let server = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            guard Self.withAddress(target, { connect(server, $0, $1) }) == 0 else { break }
            state.withLock { $0.sockets += [client, server] }
            // The one that ends last closes both.
            let left = LeftCount()
            Thread { [self] in forward(.requests, client, server, left) }.start()
            Thread { [self] in forward(.answers, server, client, left) }.start()
        }
        Foundation.close(listener)
    }

    private func forward(_ direction: Direction, _ from: Int32, _ to: Int32, _ left: LeftCount) {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        loop: while true {
            let count = read(from, &bytes, bytes.count)
            guard count > 0 else { break }
            let isLost = state.withLock { state in
                guard state.stopped == direction, state.sockets.contains(from) else { return false }
                state.hasStopped = true
                return true
            }
            if isLost { continue }
            var sent = 0
            while sent < count {
                let written = bytes.withUnsafeBytes {
                    send(to, $0.baseAddress! + sent, count - sent, Int32(MSG_NOSIGNAL))
                }
                guard written > 0 else { break loop }
                sent += written
            }
        }
        for socket in [from, to] { shutdown(socket, Int32(SHUT_RDWR)) }
        guard left.isLast() else { return }
        state.withLock { $0.sockets.removeAll { $0 == from || $0 == to } }
        Foundation.close(from)
        Foundation.close(to)
    }

    /// Counts the two threads of a connection.
    private final class LeftCount: Sendable {
        private let count = Mutex(2)

        func isLast() -> Bool {
            count.withLock { count in
                count -= 1
                return count == 0
            }
        }
    }

    private static func withAddress(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
