import ChatModel
import Formats
import HTTPClientPort

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
