extension String {
    /// The text as a part of a URL: all but RFC 3986's unreserved characters as `%` and two digits for each byte.
    var percentEncoded: String {
        let digits = Array("0123456789ABCDEF".utf8)
        var text: [UInt8] = []
        for byte in utf8 {
            if byte.isAlphanumeric || "-._~".utf8.contains(byte) {
                text.append(byte)
            } else {
                text += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
