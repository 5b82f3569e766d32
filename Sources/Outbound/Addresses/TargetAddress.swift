import HTTPClientPort
import ChatModel
import Formats
import Glibc

/// The URL of a webhook, a push service or a page, checked and in one spelling.
///
/// Reading it needs no network: ``AddressRules`` judges where the host leads, at each connection anew.
package struct TargetAddress: Sendable, Hashable {
    package enum Scheme: String, Sendable {
        case http, https

        var defaultPort: UInt16 { self == .http ? 80 : 443 }
    }

    package let scheme: Scheme
    /// The host in small letters, without brackets and without a dot at the end.
    package let host: String
    /// The port of the URL, or that of its scheme.
    package let port: UInt16
    /// The address, where the host is one in any spelling that `getaddrinfo` takes.
    package let literal: NetworkAddress?
    /// Scheme, host and, unless it is the scheme's, port.
    package let origin: String
    /// With a path of at least `/`.
    package let pathAndQuery: String
    /// The whole URL to send to, with a path of at least `/`. It may hold secrets: it belongs into no log and no error.
    package let url: String

    package static let maximumLength = 2000

    /// - Parameters:
    ///   - schemes: which ones are taken.
    ///   - maximumLength: the bytes that the URL may have.
    package init(
        _ text: String, schemes: [Scheme] = [.http, .https], maximumLength: Int = Self.maximumLength
    ) throws(AddressRefusal) {
        guard text.utf8.count <= maximumLength else {
            throw AddressRefusal("The URL has more than \(maximumLength) bytes.")
        }
        guard text.utf8.allSatisfy({ $0.isPrintable && !$0.isBlank }) else {
            throw AddressRefusal(
                "The URL has spaces or characters beyond ASCII. Write the host in its xn-- form; percent-encode the rest."
            )
        }
        guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else {
            throw AddressRefusal("The text is no URL with a host.")
        }
        guard let scheme = Scheme(rawValue: text[..<colon].lowercased()) else {
            throw AddressRefusal("The URL's scheme is neither http nor https.")
        }
        guard schemes.contains(scheme) else {
            throw AddressRefusal("The URL's scheme must be \(schemes.map(\.rawValue).joined(separator: " or ")).")
        }
        let rest = text[colon...].dropFirst(3)
        guard !rest.utf8.contains(UInt8(ascii: "#")) else {
            throw AddressRefusal("The URL has a fragment. It is never sent; leave it out.")
        }
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        guard !rest[..<end].utf8.contains(UInt8(ascii: "@")) else {
            throw AddressRefusal("The URL has a user name or password. Send them in a header instead.")
        }
        guard let authority = HostAndPort(rest[..<end]) else {
            throw AddressRefusal("The URL's host or port is not valid.")
        }
        guard Self.isPathAndQuery(rest[end...]) else {
            throw AddressRefusal("The URL's path or query has characters that must be percent-encoded.")
        }
        self.init(scheme, authority, pathAndQuery: (rest[end...].hasPrefix("/") ? "" : "/") + rest[end...])
    }

    /// Where a connection is about to lead.
    init(_ connection: ConnectionTarget) throws(AddressRefusal) {
        let host = connection.host.utf8.contains(UInt8(ascii: ":")) ? "[\(connection.host)]" : connection.host
        guard let scheme = Scheme(rawValue: connection.scheme),
            let authority = HostAndPort("\(host):\(connection.port)")
        else { throw AddressRefusal("The URL's scheme, host or port is not valid.") }
        self.init(scheme, authority, pathAndQuery: "/")
    }

    private init(_ scheme: Scheme, _ authority: HostAndPort, pathAndQuery: String) {
        let port = authority.port ?? scheme.defaultPort
        self.scheme = scheme
        self.port = port
        host = authority.host
        literal = authority.literal
        origin = "\(scheme.rawValue)://\(authority.urlHost)" + (port == scheme.defaultPort ? "" : ":\(port)")
        self.pathAndQuery = pathAndQuery
        url = origin + pathAndQuery
    }

    /// The characters of RFC 3986, 3.3 and 3.4, where each `%` begins two hexadecimal digits.
    private static func isPathAndQuery(_ text: Substring) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.indices.allSatisfy { index in
            if bytes[index] == UInt8(ascii: "%") {
                return index + 2 < bytes.count && bytes[index + 1...index + 2].allSatisfy(\.isHexadecimalDigit)
            }
            return bytes[index].isLetter || bytes[index].isDigit || "-._~!$&'()*+,;=:@/?".utf8.contains(bytes[index])
        }
    }
}

/// A host with or without a port: what stands between `//` and the path of a URL, and in a list of hosts.
struct HostAndPort: Sendable, Hashable {
    /// In small letters, without brackets and without a dot at the end.
    let host: String
    let port: UInt16?
    /// The address, where the host is one in any spelling that `getaddrinfo` takes.
    let literal: NetworkAddress?

    /// As it stands in a URL: an IPv6 address in brackets.
    var urlHost: String { literal?.isIPv4 == false ? "[\(host)]" : host }

    /// Reads a host and, if anything, a colon and a port of 1 to 65535. The host is an IPv6 address in brackets, or
    /// labels of 1 to 63 letters, digits, hyphens and underscores. Nil for anything else.
    init?(_ text: some StringProtocol) {
        let text = String(text).lowercased()
        let rest: Substring
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            host = String(text[text.index(after: text.startIndex)..<end])
            guard let address = NetworkAddress(host), !address.isIPv4 else { return nil }
            literal = address
            rest = text[text.index(after: end)...]
        } else {
            let end = text.firstIndex(of: ":") ?? text.endIndex
            let name = text[..<end]
            host = String(name.hasSuffix(".") ? name.dropLast() : name)
            guard Self.isName(host) else { return nil }
            literal = NetworkAddress(anySpellingOfIPv4: host)
            rest = text[end...]
        }
        if rest.isEmpty {
            port = nil
        } else {
            guard rest.hasPrefix(":"), let number = UInt16(digits: rest.dropFirst()), number > 0 else { return nil }
            port = number
        }
    }

    private static func isName(_ host: String) -> Bool {
        guard host.utf8.count <= 253 else { return false }
        let labels = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return labels.allSatisfy { label in
            (1...63).contains(label.count)
                && label.allSatisfy { byte in
                    byte.isLetter || byte.isDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
                }
        }
    }
}

extension NetworkAddress {
    /// Reads each spelling of an IPv4 address that `getaddrinfo` takes: `2130706433`, `0x7f.1`, `0177.0.0.1`.
    package init?(anySpellingOfIPv4 text: String) {
        // Only these characters: `inet_aton` ignores whatever follows a space.
        let isNumeric = text.utf8.allSatisfy { $0.isHexadecimalDigit || ".xX".utf8.contains($0) }
        var v4 = in_addr()
        guard isNumeric, text.utf8.count <= 64, inet_aton(text, &v4) != 0 else { return nil }
        self.init(bytes: withUnsafeBytes(of: v4) { Array($0) })
    }

    package var isIPv4: Bool { bytes.count == 4 }

    /// The IPv4 addresses that an IPv6 address stands for: packets to it end there, on this host or at a gateway.
    ///
    /// One for each form but Teredo, which names its server and its client; none for any other address.
    package var embeddedIPv4: [NetworkAddress] {
        guard !isIPv4 else { return [] }
        func v4(at index: Int, inverted: Bool = false) -> [NetworkAddress] {
            NetworkAddress(bytes: bytes[index..<index + 4].map { inverted ? ~$0 : $0 }).map { [$0] } ?? []
        }
        if AddressRange.forms.lastFour.contains(where: { $0.contains(self) }) {
            // The unspecified address and loopback have ranges of their own.
            return bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] <= 1 ? [] : v4(at: 12)
        }
        if AddressRange.forms.sixToFour.contains(self) { return v4(at: 2) }
        if AddressRange.forms.teredo.contains(self) { return v4(at: 4) + v4(at: 12, inverted: true) }
        return []
    }
}

/// Classes of ASCII characters, for texts that are read byte by byte.
extension UInt8 {
    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }

    var isAlphanumeric: Bool { isLetter || isDigit }

    var isHexadecimalDigit: Bool { isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self | 0x20) }

    /// Letters, digits, punctuation and the space.
    var isPrintable: Bool { (0x20...0x7E).contains(self) }

    /// A space or a tab.
    var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}
