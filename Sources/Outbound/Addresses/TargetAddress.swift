import HTTPClientPort

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
