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
