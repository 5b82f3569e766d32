import AsyncHTTPClient
import Bounds
import Glibc
import NIOCore
import NIOPosix

extension ConnectionTarget {
    /// The addresses to which a connection may be made, in the order in which they are tried: the host's own, as they are
    /// now and as the judge allows them. Never empty.
    ///
    /// Throws what the judge throws, `HTTPCallError.unknownHost`, `HTTPCallError.timeout` at the deadline.
    ///
    /// - Parameter holder: for whom a name is looked up.
    public func judged(
        by judge: ConnectionJudge, for holder: Holder, until deadline: ContinuousClock.Instant
    ) async throws -> [NetworkAddress] {
        var target = self
        if target.addresses.isEmpty {
            let host = host
            target.addresses = try await AsyncHTTPPort.deadlines.run(until: deadline) {
                try await NameResolver.addresses(of: host, for: holder)
            }
        }
        let addresses = try judge(target)
        guard !addresses.isEmpty else { throw HTTPCallError.unknownHost }
        return addresses
    }

    /// How long an address may take to connect when there is another one: one that leads nowhere must leave time for it.
    public static let patienceWithOne = TimeAmount.seconds(2)

    /// Whether the error of a connection means that nobody took it: then another address of the host may be tried. It is
    /// none that a connection may have after it was made, when a part of the request may have been sent.
    public static func isUntaken(_ error: any Error) -> Bool {
        switch error {
        case is NIOConnectionError: true
        case ChannelError.connectTimeout: true
        case let error as IOError: [ECONNREFUSED, EHOSTUNREACH, ENETUNREACH, EADDRNOTAVAIL].contains(error.errnoCode)
        case let error as HTTPClientError:
            [.connectTimeout, .tlsHandshakeTimeout, .getConnectionFromPoolTimeout].contains(error)
        default: false
        }
    }
}
