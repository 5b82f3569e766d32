import AsyncHTTPClient
import NIOCore
import NIOPosix
import Synchronization
import NIOSSL

/// Clients that connect to one fixed address instead of looking up a name. Certificate check, SNI and the header
/// `Host` still use the name.
///
/// async-http-client sets such an address for a whole client, so there is one client for each pair of name and
/// address. When there are too many, the least recently used one that makes no call is closed. Any task may use it.
final class PinnedClients: Sendable {
    struct Key: Hashable, Sendable {
        var name: String
        var address: NetworkAddress
        /// Whether another address is tried when this one takes no connection: then it has less time for it.
        var hasNext = false
    }

    private struct Entry {
        var client: HTTPClient
        var users = 0
        var lastUse = 0
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        var uses = 0
    }

    private let state = Mutex(State())
    private let capacity: Int
    private let configuration: HTTPClient.Configuration

    /// - Parameter capacity: the most clients that are kept for later calls.
    init(capacity: Int = 64, configuration: HTTPClient.Configuration) {
        self.capacity = capacity
        self.configuration = configuration
    }

    /// How many clients are kept.
    var count: Int { state.withLock { $0.entries.count } }

    /// Runs a closure with the client of this pair, which is not closed meanwhile.
    func with<T: Sendable>(_ key: Key, _ body: (HTTPClient) async throws -> T) async throws -> T {
        let (client, left, isKept) = checkOut(key)
        if let left { Self.end(left) }
        defer {
            if isKept {
                state.withLock { $0.entries[key]?.users -= 1 }
            } else {
                Self.end(client)
            }
        }
        return try await body(client)
    }

    /// - Returns: `client` makes the call. `left` was removed to make room, and the caller closes it. `isKept` is false
    ///   when all kept clients are in use: then `client` serves this call alone.
    private func checkOut(_ key: Key) -> (client: HTTPClient, left: HTTPClient?, isKept: Bool) {
        state.withLock { state in
            state.uses += 1
            let use = state.uses
            if let known = state.entries[key] {
                state.entries[key]?.users += 1
                state.entries[key]?.lastUse = use
                return (known.client, nil, true)
            }
            var configuration = configuration
            configuration.dnsOverride = [key.name: key.address.text]
            if key.hasNext { configuration.timeout.connect = ConnectionTarget.patienceWithOne }
            let client = HTTPClient(
                eventLoopGroup: HTTPClient.defaultEventLoopGroup.next(), configuration: configuration)
            var left: HTTPClient?
            if state.entries.count >= capacity {
                guard
                    let oldest = state.entries.filter({ $0.value.users == 0 }).min(by: {
                        $0.value.lastUse < $1.value.lastUse
                    })
                else { return (client, nil, false) }
                left = state.entries.removeValue(forKey: oldest.key)?.client
            }
            state.entries[key] = Entry(client: client, users: 1, lastUse: use)
            return (client, left, true)
        }
    }

    /// Ends all clients; their calls fail.
    func close() async {
        let clients = state.withLock { state in
            defer { state.entries = [:] }
            return state.entries.values.map(\.client)
        }
        for client in clients { try? await client.shutdown() }
    }

    private static func end(_ client: HTTPClient) { client.shutdown { _ in } }
}

/// The HTTP client of one port. It closes its connections when no copy of the port is left and no call is under way.
final class KeptClient: Sendable {
    private let client: HTTPClient

    /// One connection to a host, which stays open for 10 minutes without a call.
    ///
    /// Over HTTP/2 all calls share it. Without this limit the client would open one for each call that begins before
    /// the first connection has told that it speaks HTTP/2.
    static var configuration: HTTPClient.Configuration {
        var configuration = AsyncHTTPPort.configuration
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 1
        configuration.connectionPool.idleTimeout = .seconds(600)
        return configuration
    }

    init() {
        client = HTTPClient(
            eventLoopGroup: HTTPClient.defaultEventLoopGroup.next(), configuration: Self.configuration)
    }

    /// The client is not closed while the body runs.
    func with<T: Sendable>(_ body: (HTTPClient) async throws -> T) async throws -> T {
        defer { withExtendedLifetime(self) {} }
        return try await body(client)
    }

    deinit { client.shutdown { _ in } }
}

/// Certificates that are trusted in place of the system's: whoever they have signed for is believed to be the host of
/// that name.
public struct TrustRoots: Sendable {
    let certificates: [NIOSSLCertificate]

    /// The file cannot be read, or holds no certificate in PEM.
    public struct Unreadable: Error, Sendable {}

    /// Reads the file now; a later change of it changes nothing.
    ///
    /// - Parameter file: the path of a PEM file with one certificate or more.
    public init(file: String) throws(Unreadable) {
        guard let certificates = try? NIOSSLCertificate.fromPEMFile(file), !certificates.isEmpty else {
            throw Unreadable()
        }
        self.certificates = certificates
    }

    /// For calls to servers that show a certificate of these roots.
    var configuration: TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = .certificates(certificates)
        return configuration
    }
}
