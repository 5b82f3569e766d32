/// A statement's text as PostgreSQL numbers parameters.
enum PostgresPlaceholders {
    /// `?` becomes `$1`, `$2` and so on, `?5` becomes `$5`. What is in quotes stays.
    static func numbered(_ sql: String) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(sql.utf8.count + 16)
        var isQuoted = false
        var count = 0
        var rest = sql.utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "'") { isQuoted.toggle() }
            guard byte == UInt8(ascii: "?"), !isQuoted else {
                text.append(byte)
                continue
            }
            text.append(UInt8(ascii: "$"))
            let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            if digits.isEmpty {
                count += 1
                text += Array(String(count).utf8)
            } else {
                text += Array(digits)
                rest = rest.dropFirst(digits.count)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
