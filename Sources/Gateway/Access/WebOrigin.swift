import Formats
import MicroHTTP

/// An origin of the web as browsers send it: scheme, host and a port that is not the scheme's usual one, in lower case.
struct WebOrigin: Hashable, Sendable {
    let text: String

    /// Nil for what is no origin: a path, no host, a port of 0, other schemes, and hosts that are not ASCII: browsers write
    /// those in their ASCII form.
    ///
    /// - Parameter takesWildcard: whether the host may begin with `*.`, for all hosts below.
    init?(_ text: String, takesWildcard: Bool = false) {
        // Before letters become small ones: some that are not ASCII would become ASCII.
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        let text = text.lowercased()
        guard let scheme = ["https://", "http://"].first(where: text.hasPrefix) else { return nil }
        var host = text.dropFirst(scheme.count)
        var port: UInt16?
        if let colon = host.lastIndex(of: ":"), !host.hasSuffix("]") {
            guard let number = UInt16(digits: host[host.index(after: colon)...]), number > 0 else { return nil }
            (port, host) = (number, host[..<colon])
        }
        let isWild = host.hasPrefix("*.")
        if isWild, !takesWildcard { return nil }
        let name = isWild ? host.dropFirst(2) : host
        guard Self.isHost(name), !isWild || (name.contains(".") && !name.hasPrefix("[")) else { return nil }
        let usual: UInt16 = scheme == "https://" ? 443 : 80
        self.text = scheme + host + (port.map { $0 == usual ? "" : ":\($0)" } ?? "")
    }

    private static func isHost(_ name: Substring) -> Bool {
        guard (1...253).contains(name.utf8.count) else { return false }
        if name.hasPrefix("[") {
            let inner = String(name.dropFirst().dropLast())
            return name.hasSuffix("]") && inner.contains(":") && SocketAddress(host: inner) != nil
        }
        return name.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
            (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
                && label.utf8.allSatisfy { byte in
                    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                        || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
                }
        }
    }
}
