import Formats

/// What others wrote, on its way to standard output as it comes, piece by piece.
///
/// At a terminal, what it would obey is escaped: in JSON as JSON does it, elsewhere as `\u{...}`. Line ends and tabs
/// stay. Elsewhere the bytes go out as they are.
struct ForeignText {
    private let output: Output
    private let isJSON: Bool
    /// The beginning of a character, or a CR, that the next piece goes on from.
    private var rest: [UInt8] = []

    init(_ output: Output, isJSON: Bool) { (self.output, self.isJSON) = (output, isJSON) }

    mutating func write(_ piece: [UInt8]) {
        guard output.isTerminal else { return output.write(piece) }
        let bytes = rest + piece
        let end = bytes.count - Self.unfinished(bytes)
        rest = Array(bytes[end...])
        output.write(Self.shown(bytes[..<end], isJSON: isJSON))
    }

    /// To be called behind the last piece.
    mutating func end() {
        if !rest.isEmpty { output.write(Self.shown(rest[...], isJSON: isJSON)) }
        rest = []
    }

    static func shown(_ bytes: ArraySlice<UInt8>, isJSON: Bool) -> [UInt8] {
        let text = String(decoding: bytes, as: UTF8.self)
        if isJSON { return Array(text.shownSafelyInJSON.utf8) }
        let lines = text.replacing("\r\n", with: "\n")
        return Array(lines.escapingScalars { $0.isObeyed && $0 != "\n" && $0 != "\t" ? $0.shown : nil }.utf8)
    }

    /// How many bytes at the end are the beginning of a character, or of CR LF.
    static func unfinished(_ bytes: [UInt8]) -> Int {
        if bytes.last == UInt8(ascii: "\r") { return 1 }
        for (count, byte) in zip(1...3, bytes.reversed()) {
            if byte & 0xC0 == 0x80 { continue }
            let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
            return count < length ? count : 0
        }
        return 0
    }
}
