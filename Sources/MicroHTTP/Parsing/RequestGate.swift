import CMicroHTTPD
import Glibc

/// Reads a request's head from libmicrohttpd, and refuses a head that two programs could understand differently.
///
/// The library's parser accepts two Host headers or two Content-Lengths, and uses the first. A proxy before this server
/// may use the second, so that both see different requests (request smuggling). No such request reaches a handler.
struct RequestGate {
    /// Bytes announced by Content-Length; nil with `chunked`, 0 without a body.
    private(set) var announced: Int? = 0
    /// A body follows the head, perhaps an empty one in chunks.
    var announcesBody: Bool { announced != 0 }

    /// - Parameter target: the request target as the client sent it. The library has split its own copy.
    /// - Returns: the request, and why it is refused (nil when it is not). A refused request is for the log only.
    mutating func read(
        _ mhd: OpaquePointer, line: RequestLine, target: [UInt8], peer: Peer, number: UInt64
    ) -> (request: HTTPRequest, refusal: HTTPRefusal?) {
        // A packed field is at most one byte longer than the same field in the head.
        let head = cmhd_head_size(mhd)
        let capacity = target.count + head + head / 2 + 64
        var fields = HeadFields(targetEnd: target.count, capacity: capacity, expected: line.version + 10)
        var arena = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            target.withUnsafeBufferPointer { bytes in
                if bytes.count > 0 { memcpy(buffer.baseAddress!, bytes.baseAddress!, bytes.count) }
            }
            fields.base = buffer.baseAddress
            withUnsafeMutablePointer(to: &fields) { context in
                _ = MHD_get_connection_values_n(mhd, .HEADER_KIND, collectField, context)
            }
            count = fields.used
        }
        let (name, methodRefusal) = knownMethod(line.method)
        var pathStart = 0
        let isAsSent =
            line.isAsSent(targetLength: target.count) && fields.isAsSent && fields.endsAsSent(at: line.method + head)
        let refusal =
            methodRefusal ?? fields.refusal(isHTTP10: line.isHTTP10, isAsSent: isAsSent)
            ?? checkTarget(&arena, pathStart: &pathStart, end: target.count, host: fields.hostRange, method: name)
        announced = fields.isChunked ? nil : fields.length
        let request = HTTPRequest(
            method: name, arena: arena, pathStart: pathStart, targetEnd: target.count, peer: peer, number: number)
        return (request, refusal)
    }

    private func knownMethod(_ method: UnsafePointer<CChar>) -> (String, HTTPRefusal?) {
        @inline(__always) func isMethod(_ known: StaticString) -> Bool {
            strcmp(method, UnsafeRawPointer(known.utf8Start).assumingMemoryBound(to: CChar.self)) == 0
        }
        if isMethod("GET") { return ("GET", nil) }
        if isMethod("POST") { return ("POST", nil) }
        if isMethod("HEAD") { return ("HEAD", nil) }
        if isMethod("PUT") { return ("PUT", nil) }
        if isMethod("PATCH") { return ("PATCH", nil) }
        if isMethod("DELETE") { return ("DELETE", nil) }
        if isMethod("OPTIONS") { return ("OPTIONS", nil) }
        // Known, and allowed nowhere: the handler says so with what is allowed.
        if isMethod("TRACE") { return ("TRACE", nil) }
        let text = String(cString: method)
        if ["GET", "POST", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"].contains(text.uppercased()) {
            return (
                text, HTTPRefusal(status: 400, code: "method", detail: "The method must be written in capital letters.")
            )
        }
        if !text.utf8.allSatisfy(ByteSet.token.contains) || text.isEmpty {
            return (
                text,
                HTTPRefusal(
                    status: 400, code: "method", detail: "The method is empty, or has a character that no method has.")
            )
        }
        return (text, HTTPRefusal(status: 501, code: "method", detail: "The server does not know this method."))
    }

    private func checkTarget(
        _ arena: inout [UInt8], pathStart: inout Int, end: Int, host: Range<Int>, method: String
    ) -> HTTPRefusal? {
        func bad(_ detail: String) -> HTTPRefusal { HTTPRefusal(status: 400, code: "target", detail: detail) }
        guard end > 0 else { return bad("The request has no target.") }
        let slash = UInt8(ascii: "/")
        for index in 0..<end where arena[index] <= 0x20 || arena[index] == 0x7f || arena[index] == UInt8(ascii: "#") {
            return bad("The target has a character that must be percent-encoded.")
        }
        if arena[0] == slash { return nil }
        if end == 1, arena[0] == UInt8(ascii: "*") {
            return method == "OPTIONS" ? nil : bad("The target * is allowed with OPTIONS only.")
        }
        let scheme = Array("http://".utf8)
        guard end > scheme.count, zip(scheme, arena).allSatisfy({ $0 == lowercased($1) }) else {
            return bad("The target is neither a path nor an http address.")
        }
        var cursor = scheme.count
        while cursor < end, arena[cursor] != slash, arena[cursor] != UInt8(ascii: "?") { cursor += 1 }
        guard cursor - scheme.count == host.count,
            zip(arena[scheme.count..<cursor], arena[host]).allSatisfy({ lowercased($0) == lowercased($1) })
        else { return bad("The target names another host than the Host header.") }
        if cursor == end || arena[cursor] != slash {
            cursor -= 1
            arena[cursor] = slash  // An http address without a path means /. It overwrites the authority's last byte.
        }
        pathStart = cursor
        return nil
    }
}

/// The request line's parts, as pointers into the library's buffer, in which it has split the line.
struct RequestLine {
    let method: UnsafePointer<CChar>
    let url: UnsafePointer<CChar>
    let version: UnsafePointer<CChar>

    var isHTTP10: Bool { strcmp(version, "HTTP/1.0") == 0 }

    /// Whether there is exactly one space between the parts, and no NUL in them.
    fileprivate func isAsSent(targetLength: Int) -> Bool {
        method + strlen(method) + 1 == url && url + targetLength + 1 == version && strlen(version) == 8
    }
}

/// A set of ASCII characters as two bit masks. It is asked for each byte of a head, and a global array would be slower.
private struct ByteSet {
    let low: UInt64
    let high: UInt64

    @inline(__always)
    func contains(_ byte: UInt8) -> Bool {
        byte < 64 ? low >> UInt64(byte) & 1 != 0 : byte < 128 && high >> UInt64(byte & 63) & 1 != 0
    }

    /// The characters of a token (RFC 9110, 5.6.2): letters, digits and !#$%&'*+-.^_`|~
    @inline(__always) static var token: ByteSet { ByteSet(low: 0x3ff6cfa00000000, high: 0x57ffffffc7fffffe) }
    /// Characters that a host with a port never has: /\?#@, space and tab.
    @inline(__always) static var neverInHost: ByteSet { ByteSet(low: 0x8000900900000200, high: 0x10000001) }
}

/// What `collectField` gathers while the library goes through the head's fields.
///
/// The library parses a head in place: it writes a NUL over each colon and over each line end. So the addresses of the
/// fields show what their values do not show any more: a NUL in a value; a line feed without CR; a folded line, which
/// the library joins to the name, so that the name is wrong; a field without a name, which it takes for the end of the
/// head. ``LayoutCheck`` makes sure before a server starts that the linked library works in this way.
///
/// Three malformed heads cannot be detected: a head that ends with a colon and a line feed instead of the empty line; a
/// line before the request line that begins with a NUL, which the library skips; and a line that ends with NUL and line
/// feed. They do harm only if a proxy before this server passes them on unchanged and reads them differently.
private struct HeadFields {
    var base: UnsafeMutablePointer<UInt8>?
    var used: Int
    let capacity: Int
    var hosts = 0
    var hostRange = 0..<0
    var lengths = 0
    var length = 0
    var lengthIsValid = true
    var encodings = 0
    var isChunked = false
    var badName = false
    var badValue = false
    var badHost = false
    /// The headers of `singleNames` that have come, one bit for each.
    var single: UInt16 = 0
    /// Those of them that have come more than once.
    var repeated: UInt16 = 0
    /// The address that the next field's name must have if this field's line ended with CR LF and nothing else.
    var expected: UnsafePointer<CChar>
    /// Every field so far was at its expected address.
    var isAsSent = true

    init(targetEnd: Int, capacity: Int, expected: UnsafePointer<CChar>) {
        used = targetEnd
        self.capacity = capacity
        self.expected = expected
    }

    /// Whether the head ends with the last field's line and the empty line. In each, two NULs stand where CR LF were.
    /// - Parameter end: the address after the head.
    func endsAsSent(at end: UnsafePointer<CChar>) -> Bool {
        expected + 2 == end && end[-4] == 0 && end[-3] == 0 && end[-2] == 0 && end[-1] == 0
    }

    func refusal(isHTTP10: Bool, isAsSent: Bool) -> HTTPRefusal? {
        if !isAsSent {
            return HTTPRefusal(
                status: 400, code: "malformedHead",
                detail:
                    "The head has a NUL, a line that does not end with CR LF, a folded line, or a header without name.")
        }
        if badName {
            return HTTPRefusal(
                status: 400, code: "headerName", detail: "A header's name has a character that is not allowed there.")
        }
        if badValue {
            return HTTPRefusal(status: 400, code: "headerValue", detail: "A header's value has a control character.")
        }
        // HTTP/1.0 does not have the header yet. Whether a request may come without is for the handler to say.
        if hosts > 1 || hosts == 0 && !isHTTP10 {
            return HTTPRefusal(status: 400, code: "hostHeader", detail: "There must be exactly one Host header.")
        }
        if repeated != 0 {
            return HTTPRefusal(
                status: 400, code: "repeatedHeader",
                detail: "The header \(Self.singleNames[repeated.trailingZeroBitCount]) may be given only once.")
        }
        if badHost || hosts > 0 && hostRange.isEmpty {
            return HTTPRefusal(status: 400, code: "hostHeader", detail: "The Host header does not have a valid host.")
        }
        if encodings > 0 {
            if lengths > 0 {
                return HTTPRefusal(
                    status: 400, code: "contentLength",
                    detail: "A request cannot have both Content-Length and Transfer-Encoding.")
            }
            if encodings > 1 || !isChunked || isHTTP10 {
                return HTTPRefusal(
                    status: 400, code: "transferEncoding",
                    detail: "Transfer-Encoding must be chunked, given once, and not in version 1.0.")
            }
        }
        if lengths > 1 || !lengthIsValid {
            return HTTPRefusal(
                status: 400, code: "contentLength", detail: "Content-Length may come only once, and must be a number.")
        }
        return nil
    }

    mutating func add(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) {
        let size = 4 + name.count + value.count
        guard used + size <= capacity, name.count < 65536, value.count < 65536, let base else {
            badName = true
            return
        }
        if name.isEmpty { badName = true }
        for byte in name where !ByteSet.token.contains(byte) { badName = true }
        for byte in value where (byte < 0x20 && byte != 0x09) || byte == 0x7f { badValue = true }
        let out = base + used
        out[0] = UInt8(truncatingIfNeeded: name.count)
        out[1] = UInt8(truncatingIfNeeded: name.count >> 8)
        out[2] = UInt8(truncatingIfNeeded: value.count)
        out[3] = UInt8(truncatingIfNeeded: value.count >> 8)
        if let bytes = name.baseAddress { memcpy(out + 4, bytes, name.count) }
        if let bytes = value.baseAddress, value.count > 0 { memcpy(out + 4 + name.count, bytes, value.count) }
        let valueStart = used + 4 + name.count
        used += size
        switch name.count {
        case 4 where equals(name, "host"):
            hosts += 1
            hostRange = valueStart..<used
            for byte in value where ByteSet.neverInHost.contains(byte) { badHost = true }
        case 14 where equals(name, "content-length"):
            lengths += 1
            length = 0
            if value.isEmpty { lengthIsValid = false }
            for byte in value {
                let (product, overflow) = length.multipliedReportingOverflow(by: 10)
                guard byte &- 0x30 < 10, !overflow, product <= Int.max - 9 else {
                    lengthIsValid = false
                    break
                }
                length = product + Int(byte &- 0x30)
            }
        case 17 where equals(name, "transfer-encoding"):
            encodings += 1
            isChunked = equals(value, "chunked")
        case 13 where equals(name, "authorization"): came(0)
        case 12 where equals(name, "content-type"): came(1)
        case 6 where equals(name, "origin"): came(2)
        case 15 where equals(name, "idempotency-key"): came(3)
        case 13 where equals(name, "last-event-id"): came(4)
        case 19 where equals(name, "content-disposition"): came(5)
        case 5 where equals(name, "range"): came(6)
        case 8 where equals(name, "if-range"): came(7)
        default: break
        }
    }

    /// Headers that may come only once: of two values, a proxy before this server might use the other one.
    private static let singleNames = [
        "Authorization", "Content-Type", "Origin", "Idempotency-Key", "Last-Event-ID", "Content-Disposition", "Range",
        "If-Range",
    ]

    private mutating func came(_ index: Int) {
        let bit: UInt16 = 1 << UInt16(index)
        if single & bit != 0 { repeated |= bit }
        single |= bit
    }

    private func equals(_ bytes: UnsafeBufferPointer<UInt8>, _ lower: StaticString) -> Bool {
        guard bytes.count == lower.utf8CodeUnitCount else { return false }
        return lower.withUTF8Buffer { wanted in
            for index in 0..<wanted.count where lowercased(bytes[index]) != wanted[index] { return false }
            return true
        }
    }
}

private func collectField(
    context: UnsafeMutableRawPointer?, kind: MHD_ValueKind, name: UnsafePointer<CChar>?, nameSize: Int,
    value: UnsafePointer<CChar>?,
    valueSize: Int
) -> MHD_Result {
    let fields = context!.assumingMemoryBound(to: HeadFields.self)
    if let name, let value {
        if name != fields.pointee.expected || name + nameSize >= value { fields.pointee.isAsSent = false }
        fields.pointee.expected = value + valueSize + 2
    }
    var value = bytes(value, valueSize)
    // White space around a value is not part of it (RFC 9110, 5.5). The library removes only the leading one.
    while let last = value.last, last == 0x20 || last == 0x09 {
        value = UnsafeBufferPointer(rebasing: value.dropLast())
    }
    fields.pointee.add(bytes(name, nameSize), value)
    return .YES
}

private func bytes(_ pointer: UnsafePointer<CChar>?, _ count: Int) -> UnsafeBufferPointer<UInt8> {
    guard let pointer else { return UnsafeBufferPointer(start: nil, count: 0) }
    return UnsafeBufferPointer(start: UnsafeRawPointer(pointer).assumingMemoryBound(to: UInt8.self), count: count)
}
