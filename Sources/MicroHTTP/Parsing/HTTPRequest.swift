import Glibc

/// A request whose head has passed ``RequestGate``: it has exactly one Host, an unambiguous length and a known method,
/// and its header names and values have only characters that are allowed there.
///
/// Target and headers share one array of bytes. The text properties decode it at each access, so keep the result if you
/// need it twice.
public struct HTTPRequest: Sendable {
    /// `GET`, `HEAD`, `POST`, `PUT`, `PATCH`, `DELETE` or `OPTIONS`.
    public let method: String
    /// Who asked.
    public private(set) var peer: Peer
    /// Unique within one server. Later requests have greater numbers.
    public let number: UInt64
    /// The whole body. It is empty in ``HTTPHandler/admit(_:)``, and when a ``sink`` has taken it.
    public var body: [UInt8]
    /// The sink that has taken the whole body, if the handler asked for one in ``HTTPHandler/admit(_:)``.
    public var sink: (any BodySink)?
    /// What the handler has found out about the head in ``HTTPHandler/admit(_:)``. It goes with the request to the
    /// handler's other functions, so that nothing is found out twice. If the head before on this connection was the
    /// same byte for byte, what was found about that one is here already; the handler decides what of it still holds.
    public var findings: (any AnyObject & Sendable)?

    /// Whether the client speaks TLS, with a proxy that ends it. False unless ``setOrigin(host:isSecure:)`` says so.
    public private(set) var isSecure = false

    private var arena: [UInt8]
    private let pathStart: UInt16
    private let pathEnd: UInt16
    private var targetEnd: UInt16

    /// The target before its `?`, percent-encoded as it came. It begins with `/`, or is `*` for OPTIONS.
    public var path: String {
        String(decoding: arena[Int(pathStart)..<Int(pathEnd)], as: UTF8.self)
    }

    /// Path and query as they came.
    public var target: String {
        String(decoding: arena[Int(pathStart)..<Int(targetEnd)], as: UTF8.self)
    }

    /// The query's pairs in their order. They are percent-decoded, and `+` becomes a space. The value of a pair without
    /// `=` is empty.
    public var query: [(name: String, value: String)] {
        if pathEnd == targetEnd { return [] }
        return decodeQuery(arena[(Int(pathEnd) + 1)..<Int(targetEnd)])
    }

    /// The scheme and authority that the client used, for links: `https://example.com`. In lower case, because hosts
    /// that differ in case alone are the same.
    public var origin: String { "\(isSecure ? "https" : "http")://\((headers["Host"] ?? "localhost").lowercased())" }

    /// Replaces Host by what the client has sent to a proxy in front, and notes whether it spoke TLS there.
    ///
    /// - Parameter host: shorter than 64 KiB; nil keeps the Host that came.
    public mutating func setOrigin(host: String?, isSecure: Bool) {
        self.isSecure = isSecure
        guard let host else { return }
        var packed = Array(arena[..<Int(targetEnd)])
        for (name, value) in headers {
            HTTPHeaders.pack(name.utf8, name.lowercased() == "host" ? host.utf8 : value.utf8, into: &packed)
        }
        arena = packed
    }

    /// Names another one who asked: the client of whoever has passed the request on.
    public mutating func setPeer(_ peer: Peer) { self.peer = peer }

    /// Takes the first parameter with this name out of the query, as if it had never been there. So a secret in an address
    /// stays out of everything that remembers the request.
    ///
    /// - Parameter name: compared with the bytes that came; it has no character that would be percent-encoded.
    /// - Returns: the value, percent-decoded; nil when no parameter has this name.
    public mutating func takeParameter(_ name: String) -> String? {
        let prefix = Array("\(name)=".utf8)
        var start = Int(pathEnd)  // of a pair, with the `?` or `&` before it
        while start < Int(targetEnd) {
            let end = arena[(start + 1)..<Int(targetEnd)].firstIndex(of: UInt8(ascii: "&")) ?? Int(targetEnd)
            if arena[(start + 1)..<end].starts(with: prefix) {
                let value = percentDecoded(arena[(start + 1 + prefix.count)..<end], plusIsSpace: true)
                // The `?` stays for the pairs that follow.
                let removed = start == Int(pathEnd) && end < Int(targetEnd) ? (start + 1)..<(end + 1) : start..<end
                arena.removeSubrange(removed)
                targetEnd -= UInt16(removed.count)
                return value
            }
            start = end
        }
        return nil
    }

    /// Whether path and query are these, byte for byte as they came. It makes no text.
    public func hasTarget(_ bytes: [UInt8]) -> Bool {
        arena.withUnsafeBytes { arena in
            hasSameBytes(UnsafeRawBufferPointer(rebasing: arena[Int(pathStart)..<Int(targetEnd)]), bytes)
        }
    }

    /// Path and query as they came, and the length of the path in bytes. It makes no text.
    public func withTarget<T>(_ body: (UnsafeRawBufferPointer, _ pathLength: Int) -> T) -> T {
        arena.withUnsafeBytes { arena in
            body(
                UnsafeRawBufferPointer(rebasing: arena[Int(pathStart)..<Int(targetEnd)]),
                Int(pathEnd) - Int(pathStart))
        }
    }

    /// Whether method, target and headers are the same, byte for byte.
    func hasSameHead(as other: HTTPRequest) -> Bool {
        pathStart == other.pathStart && targetEnd == other.targetEnd && method == other.method
            && arena.withUnsafeBytes { hasSameBytes($0, other.arena) }
    }

    public var headers: HTTPHeaders { HTTPHeaders(arena: arena, start: Int(targetEnd)) }

    /// Makes a request, to call a handler without a socket. Nothing is checked.
    public init(
        method: String, target: String, headers: [(String, String)] = [("Host", "localhost")], body: [UInt8] = [],
        peer: Peer = .unix(uid: 0), number: UInt64 = 0
    ) {
        var arena = Array(target.utf8)
        let end = arena.count
        for (name, value) in headers { HTTPHeaders.pack(name.utf8, value.utf8, into: &arena) }
        self.init(method: method, arena: arena, pathStart: 0, targetEnd: end, peer: peer, number: number)
        self.body = body
    }

    /// - Parameter arena: the target, and from `targetEnd` on the headers as ``HTTPHeaders`` packs them. The target is
    ///   shorter than 64 KiB.
    init(method: String, arena: [UInt8], pathStart: Int, targetEnd: Int, peer: Peer, number: UInt64) {
        self.method = method
        self.arena = arena
        self.pathStart = UInt16(pathStart)
        self.targetEnd = UInt16(targetEnd)
        self.pathEnd = arena.withUnsafeBufferPointer { bytes in
            var index = pathStart
            while index < targetEnd, bytes[index] != UInt8(ascii: "?") { index += 1 }
            return UInt16(index)
        }
        self.peer = peer
        self.number = number
        self.body = []
    }
}

/// Array's own comparison goes byte by byte.
private func hasSameBytes(_ left: UnsafeRawBufferPointer, _ right: [UInt8]) -> Bool {
    right.withUnsafeBytes { right in
        left.count == right.count && (left.isEmpty || memcmp(left.baseAddress!, right.baseAddress!, left.count) == 0)
    }
}

/// Decodes a query such as `a=1&b=x%20y`. A `%` without two hexadecimal digits stays as it is, and ill-formed UTF-8
/// becomes U+FFFD.
func decodeQuery(_ bytes: ArraySlice<UInt8>) -> [(name: String, value: String)] {
    bytes.split(separator: UInt8(ascii: "&")).map { pair in
        guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else {
            return (percentDecoded(pair, plusIsSpace: true), "")
        }
        return (
            percentDecoded(pair[..<equals], plusIsSpace: true), percentDecoded(pair[(equals + 1)...], plusIsSpace: true)
        )
    }
}

/// Decodes each `%HH`. A `%` without two hexadecimal digits stays as it is, and ill-formed UTF-8 becomes U+FFFD.
/// - Parameter plusIsSpace: true in a query, false in a path.
public func percentDecoded(_ bytes: some Collection<UInt8>, plusIsSpace: Bool = false) -> String {
    var out: [UInt8] = []
    out.reserveCapacity(bytes.count)
    var index = bytes.startIndex
    while index != bytes.endIndex {
        let byte = bytes[index]
        index = bytes.index(after: index)
        if byte == UInt8(ascii: "%"), index != bytes.endIndex {
            let next = bytes.index(after: index)
            if next != bytes.endIndex, let high = hexValue(bytes[index]), let low = hexValue(bytes[next]) {
                out.append(high << 4 | low)
                index = bytes.index(after: next)
                continue
            }
        }
        out.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
    }
    return String(decoding: out, as: UTF8.self)
}

private func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
}

/// A request's header fields, in the order they came.
///
/// The bytes are in one array, which is shared with the request. Each access makes new Strings. A field is packed as
/// two 16-bit lengths (name, value), the name and the value.
public struct HTTPHeaders: Sendable, Sequence {
    let arena: [UInt8]
    let start: Int

    init(arena: [UInt8], start: Int) {
        self.arena = arena
        self.start = start
    }

    /// Fields for a request that did not come from a socket. Names and values must be shorter than 64 KiB.
    public init(_ fields: [(String, String)]) {
        var arena: [UInt8] = []
        for (name, value) in fields { HTTPHeaders.pack(name.utf8, value.utf8, into: &arena) }
        self.init(arena: arena, start: 0)
    }

    static func pack(_ name: some Collection<UInt8>, _ value: some Collection<UInt8>, into arena: inout [UInt8]) {
        for length in [UInt16(name.count), UInt16(value.count)] {
            arena.append(UInt8(truncatingIfNeeded: length))
            arena.append(UInt8(truncatingIfNeeded: length >> 8))
        }
        arena.append(contentsOf: name)
        arena.append(contentsOf: value)
    }

    /// The value of the first field of this name, in any letter case; nil when there is none.
    public subscript(name: String) -> String? {
        var cursor = start
        return next(name, after: &cursor).map(text)
    }

    /// The values of all fields of this name, in any letter case, in the order in which they came.
    public func all(_ name: String) -> [String] {
        var values: [String] = []
        var cursor = start
        while let value = next(name, after: &cursor) { values.append(text(value)) }
        return values
    }

    public func makeIterator() -> AnyIterator<(name: String, value: String)> {
        var cursor = start
        return AnyIterator {
            guard let field = field(at: &cursor) else { return nil }
            return (
                String(decoding: arena[field.name], as: UTF8.self), String(decoding: arena[field.value], as: UTF8.self)
            )
        }
    }

    private struct Field {
        var name: Range<Int>
        var value: Range<Int>
    }

    private func field(at cursor: inout Int) -> Field? {
        guard cursor < arena.count else { return nil }
        let nameLength = Int(arena[cursor]) | Int(arena[cursor + 1]) << 8
        let valueLength = Int(arena[cursor + 2]) | Int(arena[cursor + 3]) << 8
        let name = cursor + 4
        let value = name + nameLength
        cursor = value + valueLength
        return Field(name: name..<value, value: value..<cursor)
    }

    /// The place of the next value of this name. Every request asks for a dozen names that it does not have, so a field
    /// whose name is of another length is passed over at once.
    private func next(_ name: String, after cursor: inout Int) -> Range<Int>? {
        var name = name
        return name.withUTF8 { wanted in
            arena.withUnsafeBufferPointer { bytes in
                while cursor < bytes.count {
                    let length = Int(bytes[cursor]) | Int(bytes[cursor + 1]) << 8
                    let valueLength = Int(bytes[cursor + 2]) | Int(bytes[cursor + 3]) << 8
                    let start = cursor + 4
                    cursor = start + length + valueLength
                    if length == wanted.count,
                        matches(wanted, UnsafeBufferPointer(rebasing: bytes[start..<start + length]))
                    {
                        return start + length..<cursor
                    }
                }
                return nil
            }
        }
    }

    private func matches(_ wanted: UnsafeBufferPointer<UInt8>, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
        for index in wanted.indices where lowercased(wanted[index]) != lowercased(name[index]) { return false }
        return true
    }

    private func text(_ range: Range<Int>) -> String { String(decoding: arena[range], as: UTF8.self) }
}

@inline(__always)
func lowercased(_ byte: UInt8) -> UInt8 {
    byte &- 0x41 < 26 ? byte | 0x20 : byte
}
