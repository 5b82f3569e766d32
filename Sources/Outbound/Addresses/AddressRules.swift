import HTTPClientPort
import Synchronization

/// Where the gateway's own requests may go.
///
/// Who chose the target decides. The operator's token opens everything anyway, so webhooks may go to this machine and
/// to private networks. A session's token is a customer's, who must not make the gateway knock on doors of its network.
/// The same holds for what a chat platform names: a message's author chose it, or may have. Who opens a session on a
/// platform holds the gateway's token, and names the platform's own URLs: any, also the sandbox of this gateway.
///
/// The rules know no network: they judge the addresses that a host was resolved to, and only these may be connected to.
/// They ask for this machine's own addresses where it matters, because those change while the gateway runs.
///
/// ```swift
/// let rules = AddressRules()
/// let target = try TargetAddress("http://127.0.0.1/hook")
/// try rules.check(target, by: .operator)  // the operator may
/// try rules.check(target, by: .session)  // throws: a customer must not reach this machine
/// ```
package struct AddressRules: Sendable {
    /// Who chose a target.
    package enum Registrar: Sendable, Hashable, CaseIterable {
        /// The holder of the gateway's token.
        case `operator`
        case session
        /// The holder of the gateway's token who opens a session on a chat platform, by the platform's own URLs.
        case opener
        /// A chat platform, by a URL in one of its events.
        case platform

        /// What a refusal says of the target's URL, and how it would be allowed; nil: anything may be reached.
        fileprivate var limits: (scheme: String, address: String)? {
            switch self {
            case .operator, .opener: nil
            case .session:
                (
                    "The URL's scheme must be https, unless --push-allow-host names its host.",
                    "A session may name it if --push-allow-host does."
                )
            case .platform:
                (
                    "The URL's scheme must be https, for it is not one of the platform's own.",
                    "A platform's event must not name it."
                )
            }
        }
    }

    /// Hosts that sessions may name though they are not public or not reached by https (`--push-allow-host`).
    package var allowedHosts: [AllowedHost]
    package var ownListeners: OwnListeners
    /// The addresses that this machine's interfaces have now. Services that only neighbours should reach may listen there.
    package var machine: @Sendable () -> [NetworkAddress]

    package init(
        allowedHosts: [AllowedHost] = [], ownListeners: OwnListeners = OwnListeners(),
        machine: @escaping @Sendable () -> [NetworkAddress] = { [] }
    ) {
        self.allowedHosts = allowedHosts
        self.ownListeners = ownListeners
        self.machine = machine
    }

    /// Judges what the URL alone tells: its scheme, and its host where that is an address. For registration.
    package func check(_ target: TargetAddress, by registrar: Registrar) throws(AddressRefusal) {
        guard target.host != "metadata.google.internal" else {
            throw AddressRefusal("The host metadata.google.internal is a metadata service.")
        }
        if let limits = registrar.limits, target.scheme != .https, !isAllowed(target, by: registrar) {
            throw AddressRefusal(limits.scheme)
        }
        if let literal = target.literal { try check(literal, of: target, by: registrar) }
    }

    /// The addresses that may be connected to: all of them, or none.
    ///
    /// - Parameter resolved: what the host was resolved to, just before the connection.
    package func permitted(
        _ resolved: [NetworkAddress], of target: TargetAddress, by registrar: Registrar
    ) throws(AddressRefusal) -> [NetworkAddress] {
        try check(target, by: registrar)
        guard !resolved.isEmpty else { throw AddressRefusal("The host \(target.host) has no address.") }
        // A literal was judged with the URL.
        for address in resolved where address != target.literal { try check(address, of: target, by: registrar) }
        return resolved
    }

    private func check(
        _ address: NetworkAddress, of target: TargetAddress, by registrar: Registrar
    ) throws(AddressRefusal) {
        if registrar != .opener, ownListeners.contain(address, port: target.port, isOfMachine: isOfMachine) {
            throw AddressRefusal("The host \(target.host) is the gateway itself at port \(target.port).")
        }
        switch AddressScope(of: address) {
        case .public:
            guard let limits = registrar.limits, !isAllowed(target, by: registrar), isOfMachine(address) else { return }
            throw AddressRefusal("The address of the host \(target.host) is this machine's own. \(limits.address)")
        case .refused(let kind):
            throw AddressRefusal("The address of the host \(target.host) is \(kind). Nothing is sent there.")
        case .private(let kind):
            guard let limits = registrar.limits, !isAllowed(target, by: registrar) else { return }
            throw AddressRefusal("The address of the host \(target.host) is \(kind). \(limits.address)")
        }
    }

    /// An IPv6 address that stands for IPv4 addresses is judged as those, too.
    private func isOfMachine(_ address: NetworkAddress) -> Bool {
        let machine = machine()
        return ([address] + address.embeddedIPv4).contains(where: machine.contains)
    }

    private func isAllowed(_ target: TargetAddress, by registrar: Registrar) -> Bool {
        registrar == .session && allowedHosts.contains { $0.matches(target) }
    }
}

extension AddressRules {
    /// These rules as they are asked before each connection. A refusal is thrown as ``AddressRefusal``.
    package func judge(_ registrar: Registrar) -> ConnectionJudge {
        { target in try permitted(target.addresses, of: TargetAddress(target), by: registrar) }
    }
}

/// An entry of `--push-allow-host`: a host, at one port or at any.
package struct AllowedHost: Sendable, Hashable {
    private let entry: HostAndPort

    /// Reads `host` or `host:port`, where the host is a name or an address. An IPv6 address needs brackets where a port
    /// follows. Nil for anything else.
    package init?(_ text: String) {
        let isBare = NetworkAddress(text)?.isIPv4 == false
        guard let entry = HostAndPort(isBare ? "[\(text)]" : text) else { return nil }
        self.entry = entry
    }

    /// Addresses are compared as addresses: two spellings of one are the same.
    func matches(_ target: TargetAddress) -> Bool {
        guard entry.port == nil || entry.port == target.port else { return false }
        return entry.host == target.host || entry.literal != nil && entry.literal == target.literal
    }
}

/// A block of addresses: all that begin with the same bits.
struct AddressRange: Sendable {
    private let prefix: [UInt8]
    private let length: Int

    /// - Parameter length: how many bits of the address count.
    static func v4(_ a: UInt8, _ b: UInt8, _ c: UInt8, _ d: UInt8, _ length: Int) -> AddressRange {
        AddressRange(prefix: [a, b, c, d], length: length)
    }

    /// - Parameter groups: the first groups of 16 bits; the others are zero.
    static func v6(_ groups: [UInt16], _ length: Int) -> AddressRange {
        let bytes = groups.prefix(8).flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        return AddressRange(prefix: bytes + [UInt8](repeating: 0, count: 16 - bytes.count), length: length)
    }

    func contains(_ address: NetworkAddress) -> Bool {
        guard address.bytes.count == prefix.count else { return false }
        let (whole, rest) = length.quotientAndRemainder(dividingBy: 8)
        guard address.bytes[..<whole] == prefix[..<whole] else { return false }
        return rest == 0 || (address.bytes[whole] ^ prefix[whole]) >> (8 - rest) == 0
    }

    /// Forms of IPv6 addresses that hold IPv4 addresses.
    static let forms = (
        // IPv4-mapped (RFC 4291), IPv4-compatible (its older form), IPv4-translated (RFC 2765), NAT64 (RFC 6052).
        lastFour: [
            v6([0, 0, 0, 0, 0, 0xFFFF], 96), v6([], 96), v6([0, 0, 0, 0, 0xFFFF], 96), v6([0x64, 0xFF9B], 96),
        ],
        // RFC 3056
        sixToFour: v6([0x2002], 16),
        // RFC 4380
        teredo: v6([0x2001, 0], 32)
    )
}

/// The rules for addresses as they are now: where the gateway itself listens is known only once it does.
package final class CurrentAddressRules: Sendable {
    private let rules: Mutex<AddressRules>

    package init(_ rules: AddressRules = AddressRules()) { self.rules = Mutex(rules) }

    package var current: AddressRules { rules.withLock { $0 } }

    package func set(_ listeners: OwnListeners) { rules.withLock { $0.ownListeners = listeners } }

    /// These rules as they are asked before each connection. A refusal is thrown as ``AddressRefusal``.
    package func judge(_ registrar: AddressRules.Registrar) -> ConnectionJudge {
        { [self] target in try current.judge(registrar)(target) }
    }
}

/// Where the gateway itself listens: a notification must not come back to it.
package struct OwnListeners: Sendable {
    private struct Listener: Hashable {
        var address: NetworkAddress
        var port: UInt16
    }

    private var listeners: Set<Listener> = []
    /// Ports at which all addresses of the machine listen.
    private var openPorts: Set<UInt16> = []

    /// - Parameter listeners: addresses with ports. 0.0.0.0 and :: stand for all addresses of the machine.
    package init(_ listeners: [(address: NetworkAddress, port: UInt16)] = []) {
        for listener in listeners {
            if listener.address.bytes.allSatisfy({ $0 == 0 }) {
                openPorts.insert(listener.port)
            } else {
                for address in [listener.address] + listener.address.embeddedIPv4 {
                    self.listeners.insert(Listener(address: address, port: listener.port))
                }
            }
        }
    }

    /// - Parameter isOfMachine: whether one of the machine's interfaces has the address; loopback is known.
    func contain(
        _ address: NetworkAddress, port: UInt16, isOfMachine: (NetworkAddress) -> Bool
    ) -> Bool {
        ([address] + address.embeddedIPv4).contains { address in
            if listeners.contains(Listener(address: address, port: port)) { return true }
            guard openPorts.contains(port) else { return false }
            return AddressScope(of: address) == .private("loopback") || isOfMachine(address)
        }
    }
}

/// Who can be reached at an address.
package enum AddressScope: Sendable, Hashable {
    case `public`
    /// This machine, or a network that is somebody's own. The text names the kind of the address.
    case `private`(String)
    /// Nobody whom a notification could be for. The text names the kind of the address.
    case refused(String)

    private var severity: Int {
        switch self {
        case .public: 0
        case .private: 1
        case .refused: 2
        }
    }

    /// An IPv6 address that stands for IPv4 addresses is judged as those.
    package init(of address: NetworkAddress) {
        self = Self.byRange(address)
        for scope in address.embeddedIPv4.map(Self.byRange) where scope.severity > severity { self = scope }
    }

    private static func byRange(_ address: NetworkAddress) -> AddressScope {
        if let entry = refusedRanges.first(where: { $0.range.contains(address) }) { return .refused(entry.kind) }
        if let entry = privateRanges.first(where: { $0.range.contains(address) }) { return .private(entry.kind) }
        return .public
    }

    private typealias Entry = (range: AddressRange, kind: String)

    private static let refusedRanges: [Entry] = [
        (.v4(0, 0, 0, 0, 8), "unspecified"),
        (.v6([], 128), "unspecified"),
        (.v4(169, 254, 0, 0, 16), "link-local"),
        (.v6([0xFE80], 10), "link-local"),
        // Where clouds give away the credentials of a machine. Most use the link-local 169.254.169.254; these do not.
        (.v4(100, 100, 100, 200, 32), "a metadata service's"),  // Alibaba Cloud
        (.v4(168, 63, 129, 16, 32), "a metadata service's"),  // Azure
        (.v4(192, 0, 0, 192, 32), "a metadata service's"),  // Oracle Cloud
        (.v6([0xFD00, 0xEC2, 0, 0, 0, 0, 0, 0x254], 128), "a metadata service's"),  // AWS
        (.v6([0xFD20, 0xCE, 0, 0, 0, 0, 0, 0x254], 128), "a metadata service's"),  // Google Cloud
        (.v6([0xFD00, 0x42, 0, 0, 0, 0, 0, 0x42], 128), "a metadata service's"),  // Scaleway
        (.v4(224, 0, 0, 0, 4), "multicast"),
        (.v6([0xFF00], 8), "multicast"),
        (.v4(255, 255, 255, 255, 32), "broadcast"),
    ]

    private static let privateRanges: [Entry] = [
        (.v4(127, 0, 0, 0, 8), "loopback"),
        (.v6([0, 0, 0, 0, 0, 0, 0, 1], 128), "loopback"),
        (.v4(10, 0, 0, 0, 8), "private"),
        (.v4(172, 16, 0, 0, 12), "private"),
        (.v4(192, 168, 0, 0, 16), "private"),
        (.v4(100, 64, 0, 0, 10), "a carrier's own"),
        (.v6([0xFC00], 7), "private"),
        // Site-local, the older form of private addresses (RFC 3879).
        (.v6([0xFEC0], 10), "private"),
        // A network's own NAT64 (RFC 8215): the IPv4 address is not in a fixed place.
        (.v6([0x64, 0xFF9B, 1], 48), "private"),
        (.v4(192, 0, 0, 0, 24), "reserved"),
        // IANA's registries of special-purpose addresses: what is not globally reachable. A network may use them for
        // itself.
        (.v4(192, 0, 2, 0, 24), "reserved"),
        (.v4(198, 51, 100, 0, 24), "reserved"),
        (.v4(203, 0, 113, 0, 24), "reserved"),
        (.v4(192, 88, 99, 0, 24), "reserved"),
        (.v6([0x100, 0, 0, 0], 64), "reserved"),
        (.v6([0x2001, 2, 0], 48), "reserved"),
        (.v6([0x2001, 0x10], 28), "reserved"),
        (.v6([0x2001, 0xDB8], 32), "reserved"),
        (.v6([0x3FFF], 20), "reserved"),
        (.v6([0x5F00], 16), "reserved"),
        (.v4(198, 18, 0, 0, 15), "reserved"),
        (.v4(240, 0, 0, 0, 4), "reserved"),
    ]
}
