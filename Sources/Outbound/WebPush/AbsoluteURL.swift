import ChatModel

/// An `http` or `https` URL from outside, checked and taken apart as far as pushes need it (RFC 3986).
///
/// It has a host, no user information and no fragment. Whether its host may be reached is not asked here.
package struct AbsoluteURL: Sendable, Hashable {
    /// As it was given.
    package let text: String
    /// `http` or `https`.
    package let scheme: String
    /// In small letters; an IPv6 address keeps its brackets.
    package let host: String
    package let port: Int
    /// The path and the query, as they were given; empty or beginning with `/` or `?`.
    package let target: String

    /// Why a text is not taken; it never holds the text.
    package struct Malformed: Error, Sendable, Hashable {
        package let reason: String
    }

    /// - Parameters:
    ///   - schemes: which of `http` and `https` are taken.
    ///   - maximumLength: bytes.
    package init(_ text: String, schemes: [String], maximumLength: Int) throws(Malformed) {
        guard (1...maximumLength).contains(text.utf8.count) else {
            throw Malformed(reason: "A URL of 1 to \(maximumLength) bytes is expected.")
        }
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !"\"<>\\^`{|}".utf8.contains($0) }) else {
            throw Malformed(reason: "The URL has a character that no URL has.")
        }
        guard let end = text.firstRange(of: "://"),
              let scheme = schemes.first(where: { $0 == text[..<end.lowerBound].lowercased() }) else {
            let beginnings = schemes.map { $0 + "://" }.joined(separator: " or ")
            throw Malformed(reason: "The URL must begin with \(beginnings).")
        }
        let rest = text[end.upperBound...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard !authority.contains("@") else { throw Malformed(reason: "The URL must not name a user.") }
        guard !rest.contains("#") else { throw Malformed(reason: "The URL must not have a fragment.") }
        guard let (host, port) = Self.hostAndPort(authority) else {
            throw Malformed(reason: "The URL needs a host, and a port of 1 to 65535 if any.")
        }
        self.text = text
        self.scheme = scheme
        self.host = host.lowercased()
        self.port = port ?? Self.defaultPort(scheme)
        target = String(rest[authority.endIndex...])
    }

    /// Scheme, host and port, the port only if it is not the scheme's own (RFC 6454, section 6.2).
    package var origin: String {
        port == Self.defaultPort(scheme) ? "\(scheme)://\(host)" : "\(scheme)://\(host):\(port)"
    }

    private static func defaultPort(_ scheme: String) -> Int { scheme == "https" ? 443 : 80 }

    private static func hostAndPort(_ authority: Substring) -> (host: Substring, port: Int?)? {
        let host: Substring
        if authority.first == "[" {
            guard let bracket = authority.firstIndex(of: "]") else { return nil }
            host = authority[...bracket]
            let address = host.dropFirst().dropLast()
            guard address.contains(":"), address.utf8.allSatisfy({ $0.isHexDigit || ":.".utf8.contains($0) })
            else { return nil }
        } else {
            host = authority.prefix { $0 != ":" }
            guard !host.isEmpty, host.first != ".",
                  host.utf8.allSatisfy({ $0.isAlphanumeric || "-._".utf8.contains($0) }) else { return nil }
        }
        let rest = authority[host.endIndex...]
        if rest.isEmpty { return (host, nil) }
        guard rest.first == ":", let port = Int(digits: rest.dropFirst()), (1...65535).contains(port)
        else { return nil }
        return (host, port)
    }
}

extension UInt8 {
    var isAlphanumeric: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"): true
        default: false
        }
    }

    var isHexDigit: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "F"),
            UInt8(ascii: "a")...UInt8(ascii: "f"): true
        default: false
        }
    }
}
