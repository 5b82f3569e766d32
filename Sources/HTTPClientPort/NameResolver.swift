import Bounds
import Glibc
import NIOPosix

/// Asks the system (`getaddrinfo`) for the addresses of names, on 4 threads of its own, so that a name server that
/// does not answer blocks no other work. The holders of calls take turns: who names hosts whose server is silent has
/// one thread at most, and one is kept for the gateway's own calls.
enum NameResolver {
    static let threadCount = 4
    /// The turns at the threads.
    static let line = PlaceLine(limit: threadCount, waiting: 1024)
    static let threads: NIOThreadPool = {
        let threads = NIOThreadPool(numberOfThreads: threadCount)
        threads.start()
        return threads
    }()

    /// The addresses of a name, in the system's order. Throws `HTTPCallError.unknownHost`, and ``PlaceRefusal`` when too
    /// many look-ups of the holder wait.
    ///
    /// When its task is cancelled, it throws at once; the system's call goes on, and its result is dropped.
    static func addresses(of host: String, for holder: Holder) async throws -> [NetworkAddress] {
        try await line.enter(holder)
        // A stream of one list: the task that reads it is released at once when it is cancelled.
        let (answers, answer) = AsyncStream<[NetworkAddress]>.makeStream()
        let isDropped = Flag()
        answer.onTermination = { _ in isDropped.set() }
        threads.submit { state in
            if case .active = state, !isDropped.isSet { answer.yield(lookUp(host)) }
            answer.finish()
            // The thread is free only now, however long ago the caller has left.
            line.leave(holder)
        }
        for await found in answers {
            guard !found.isEmpty else { throw HTTPCallError.unknownHost }
            return found
        }
        throw CancellationError()
    }

    /// Blocks. Empty where the name has no address, or nobody can tell.
    private static func lookUp(_ host: String) -> [NetworkAddress] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_ADDRCONFIG
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var found: [NetworkAddress] = []
        var next = list
        while let entry = next?.pointee {
            if let address = NetworkAddress(entry), !found.contains(address) { found.append(address) }
            next = entry.ai_next
        }
        return found
    }
}

extension NetworkAddress {
    fileprivate init?(_ entry: addrinfo) {
        guard let start = UnsafeRawPointer(entry.ai_addr) else { return nil }
        switch entry.ai_family {
        case AF_INET:
            self.init(bytes: withUnsafeBytes(of: start.loadUnaligned(as: sockaddr_in.self).sin_addr) { Array($0) })
        case AF_INET6:
            self.init(bytes: withUnsafeBytes(of: start.loadUnaligned(as: sockaddr_in6.self).sin6_addr) { Array($0) })
        default: return nil
        }
    }
}

/// An address of IPv4 or IPv6, without a port.
public struct NetworkAddress: Sendable, Hashable {
    /// In the order of the network: 4 bytes for IPv4, 16 for IPv6.
    public let bytes: [UInt8]

    /// An address of IPv4.
    public init(_ a: UInt8, _ b: UInt8, _ c: UInt8, _ d: UInt8) { bytes = [a, b, c, d] }

    /// Nil unless there are 4 or 16 bytes.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Nil unless the text is an address as `inet_pton` reads it: four decimal numbers, or IPv6 without a zone.
    public init?(_ text: String) {
        // C would stop at a NUL byte.
        guard !text.utf8.contains(0) else { return nil }
        var room = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, text, &room) == 1 {
            bytes = Array(room.prefix(4))
        } else if inet_pton(AF_INET6, text, &room) == 1 {
            bytes = room
        } else {
            return nil
        }
    }

    /// As `inet_ntop` writes it, without brackets.
    public var text: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(bytes.count == 4 ? AF_INET : AF_INET6, bytes, &text, socklen_t(text.count)) != nil else {
            return ""
        }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
