extension String {
    /// The longest beginning of whole `Character`s within both limits. Empty when the first character is beyond one.
    ///
    /// - Parameters:
    ///   - limit: bytes of UTF-8.
    ///   - jsonLimit: bytes as ``jsonLength`` counts them.
    func cut(toBytes limit: Int, jsonBytes jsonLimit: Int) -> String {
        var end = startIndex
        var length = 0
        var jsonLength = 0
        while end < endIndex {
            let next = index(after: end)
            for byte in utf8[end..<next] { jsonLength += Self.jsonLength(byte) }
            length += utf8.distance(from: end, to: next)
            guard length <= limit, jsonLength <= jsonLimit else { break }
            end = next
        }
        return String(self[..<end])
    }

    /// Bytes of the text in a JSON string as `JSONWriter` writes it, without the quotation marks.
    var jsonLength: Int { utf8.reduce(0) { $0 + Self.jsonLength($1) } }

    private static func jsonLength(_ byte: UInt8) -> Int {
        switch byte {
        case UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"), UInt8(ascii: "\""), UInt8(ascii: "\\"): 2
        case 0..<0x20: 6
        default: 1
        }
    }
}
