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

    /// The text that this percent encoding stands for. A plus sign stays a plus sign. Nil if a percent sign does not
    /// precede two hexadecimal digits, or if the bytes are not UTF-8.
    public var percentDecoded: String? {
        if !utf8.contains(UInt8(ascii: "%")) { return self }
        var out: [UInt8] = []
        var rest = utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                out.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(Hexadecimal.value(of:)),
                let low = rest.popFirst().flatMap(Hexadecimal.value(of:))
            else { return nil }
            out.append(high << 4 | low)
        }
        return String(validating: out, as: UTF8.self)
    }
}

extension UInt8 {
    fileprivate var isUnreserved: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
