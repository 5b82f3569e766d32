import Foundation

/// One request and its answer on a connection of its own, over TCP or a UNIX socket.
///
/// All calls block, but at most until their deadline: the thread of a command has nothing else to do.
final class GatewayConnection {
    /// The socket.
    let descriptor: Int32
    private var received: ArraySlice<UInt8> = []
    private var decoder: BodyDecoder?
    /// The peer has closed its side.
    private var isClosed = false

    typealias Deadline = ContinuousClock.Instant

    /// Connects within 5 seconds, or until an earlier deadline. Throws ``Unreachable``.
    init(to address: GatewayAddress, by deadline: Deadline) throws(Unreachable) {
        let deadline = min(deadline, ContinuousClock.now + .seconds(5))
        switch address {
        case .tcp(let host, let port): descriptor = try Self.connect(host: host, port: port, deadline)
        case .unix(let path): descriptor = try Self.connect(path: path, deadline)
        }
    }

    deinit { close(descriptor) }

    // MARK: Request and answer

    /// Sends a request. A gateway that has answered already need not read all of it, so a broken pipe is no error
    /// here. Throws ``Unreachable``.
    func send(_ bytes: [UInt8], by deadline: Deadline) throws(Unreachable) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count > 0 {
                sent += count
            } else if errno == EAGAIN {
                guard Self.wait(descriptor, for: POLLOUT, until: deadline) else {
                    throw Unreachable("it takes no request")
                }
            } else if errno == EPIPE || errno == ECONNRESET {
                return
            } else if errno != EINTR {
                throw Unreachable(.system(errno))
            }
        }
    }

    /// Reads the head of the answer; interim answers (1xx) are passed over. Throws ``Unreachable`` or
    /// ``BrokenAnswer``.
    func head(method: String, by deadline: Deadline) throws -> AnswerHead {
        while true {
            while let head = try AnswerHead.parse(from: &received) {
                if head.status < 200 { continue }
                decoder = try BodyDecoder(head, method: method)
                return head
            }
            guard !isClosed else { throw Unreachable("it closed the connection without an answer") }
            guard Self.wait(descriptor, for: POLLIN, until: deadline) else { throw Unreachable("it does not answer") }
            try receive()
        }
    }

    /// The next bytes of the body that are there, without waiting; nil when the body has ended. Throws
    /// ``Unreachable`` when the connection broke before, or ``BrokenAnswer``.
    func body() throws -> [UInt8]? {
        guard var decoder, !decoder.isEnd else { return nil }
        defer { self.decoder = decoder }
        if received.isEmpty, !isClosed { try receive() }
        let bytes = try decoder.decode(from: &received)
        if bytes.isEmpty, isClosed {
            guard decoder.mayEnd else { throw Unreachable("the connection broke") }
            return nil
        }
        return bytes
    }

    /// Waits until something can be read. False when the deadline has passed.
    func wait(until deadline: Deadline?) -> Bool { Self.wait(descriptor, for: POLLIN, until: deadline) }

    /// The whole body. Throws ``Unreachable`` or ``BrokenAnswer``.
    func wholeBody(limit: Int, by deadline: Deadline) throws -> [UInt8] {
        var whole: [UInt8] = []
        while let piece = try body() {
            whole += piece
            if whole.count > limit { throw BrokenAnswer("it is larger than \(limit) bytes") }
            if piece.isEmpty, decoder?.isEnd == false, !wait(until: deadline) {
                throw Unreachable("it does not answer")
            }
        }
        return whole
    }

    /// Reads what is there, without waiting.
    private func receive() throws(Unreachable) {
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        if count > 0 {
            received = received + bytes[..<count]
        } else if count == 0 || errno == ECONNRESET {
            isClosed = true
        } else if errno != EAGAIN, errno != EINTR {
            throw Unreachable(.system(errno))
        }
    }

    // MARK: Connecting

    private static func connect(host: String, port: UInt16, _ deadline: Deadline) throws(Unreachable) -> Int32 {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &list) == 0 else {
            throw Unreachable("there is no host of this name")
        }
        defer { freeaddrinfo(list) }
        var fault = Unreachable("there is no host of this name")
        var next = list
        while let entry = next?.pointee {
            do {
                let descriptor = try connect(entry.ai_family, entry.ai_addr, entry.ai_addrlen, deadline)
                // Events are small and must not wait; a gateway that vanished must be noticed.
                for (level, name, value) in [
                    (Int32(IPPROTO_TCP), TCP_NODELAY, Int32(1)), (SOL_SOCKET, SO_KEEPALIVE, 1),
                    (Int32(IPPROTO_TCP), TCP_KEEPIDLE, 30), (Int32(IPPROTO_TCP), TCP_KEEPINTVL, 10),
                    (Int32(IPPROTO_TCP), TCP_KEEPCNT, 3),
                ] {
                    var value = value
                    setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<Int32>.size))
                }
                return descriptor
            } catch { fault = error }
            next = entry.ai_next
        }
        throw fault
    }

    private static func connect(path: String, _ deadline: Deadline) throws(Unreachable) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw Unreachable("the path is too long")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return try withUnsafePointer(to: &address) { pointer throws(Unreachable) in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer throws(Unreachable) in
                try connect(AF_UNIX, pointer, socklen_t(MemoryLayout<sockaddr_un>.size), deadline)
            }
        }
    }

    private static func connect(
        _ family: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t, _ deadline: Deadline
    ) throws(Unreachable) -> Int32 {
        let flags = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(family, flags, 0)
        guard descriptor >= 0 else { throw Unreachable(.system(errno)) }
        var fault = Glibc.connect(descriptor, address, length) == 0 ? 0 : errno
        if fault == EINPROGRESS {
            if wait(descriptor, for: POLLOUT, until: deadline) {
                var size = socklen_t(MemoryLayout<Int32>.size)
                getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &fault, &size)
            } else {
                fault = ETIMEDOUT
            }
        }
        guard fault == 0 else {
            close(descriptor)
            throw Unreachable(.system(fault))
        }
        return descriptor
    }

    /// Waits until the descriptor is ready or broken. False when the deadline has passed.
    private static func wait(_ descriptor: Int32, for events: Int32, until deadline: Deadline?) -> Bool {
        Waiting.wait(for: [(descriptor, events)], until: deadline) != nil
    }
}

/// Why a gateway cannot be reached. The text completes "No gateway answers at ...: ".
struct Unreachable: Error {
    var reason: String

    init(_ reason: String) { self.reason = reason }
}

extension String {
    /// The system's words for an error number.
    static func system(_ number: Int32) -> String { String(cString: strerror(number)) }
}

/// Waits for descriptors of the system (`poll`).
enum Waiting {
    /// Waits until one of the descriptors is ready for its events, or broken. Returns its index, or nil when the
    /// deadline has passed. Without a deadline it waits as long as it takes.
    static func wait(
        for descriptors: [(descriptor: Int32, events: Int32)], until deadline: ContinuousClock.Instant?
    ) -> Int? {
        var entries = descriptors.map { pollfd(fd: $0.descriptor, events: Int16($0.events), revents: 0) }
        while true {
            let count = poll(&entries, nfds_t(entries.count), milliseconds(until: deadline))
            if count > 0 { return entries.firstIndex { $0.revents != 0 } }
            if let deadline, ContinuousClock.now >= deadline { return nil }
            if count < 0, errno != EINTR { return nil }
        }
    }

    /// Sleeps until the deadline.
    static func sleep(until deadline: ContinuousClock.Instant) { _ = wait(for: [], until: deadline) }

    /// The time that is left, rounded up; -1 without a deadline.
    private static func milliseconds(until deadline: ContinuousClock.Instant?) -> Int32 {
        guard let deadline else { return -1 }
        let left = ContinuousClock.now.duration(to: deadline)
        if left <= .zero { return 0 }
        let (seconds, attoseconds) = left.components
        if seconds > 86_400 { return 86_400_000 }
        return Int32(seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1)
    }
}
