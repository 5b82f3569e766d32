extension String {
    /// The text as a segment of a path, or as a name or value of a query (RFC 3986): all but unreserved characters are
    /// written `%XX`.
    public var percentEncoded: String {
        if utf8.allSatisfy(\.isUnreserved) { return self }
        let digits = Array("0123456789ABCDEF".utf8)
        var out: [UInt8] = []
        for byte in utf8 {
            if byte.isUnreserved {
                out.append(byte)
            } else {
                out += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: out, as: UTF8.self)
    }
}

extension UInt8 {
    fileprivate var isUnreserved: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
             UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
             UInt8(ascii: "~"): true
        default: false
        }
    }
}
