extension [UInt8] {
    /// The same JSON text with U+FFFD in place of each escaped surrogate that has no partner: programs make such ones
    /// when they cut a text within an emoji. Nothing else changes, and neither does the length.
    public var withoutLoneSurrogates: [UInt8] {
        var bytes = self
        var place = 0
        func codeUnit(at start: Int) -> UInt16? {
            guard start + 6 <= bytes.count, bytes[start] == UInt8(ascii: "\\"), bytes[start + 1] == UInt8(ascii: "u")
            else {
                return nil
            }
            var code: UInt16 = 0
            for byte in bytes[start + 2..<start + 6] {
                guard let digit = Hexadecimal.value(of: byte) else { return nil }
                code = code << 4 | UInt16(digit)
            }
            return code
        }
        while place < bytes.count {
            guard bytes[place] == UInt8(ascii: "\\") else {
                place += 1
                continue
            }
            switch codeUnit(at: place) {
            case .some(0xD800..<0xDC00) where codeUnit(at: place + 6).map { (0xDC00..<0xE000).contains($0) } ?? false:
                place += 12
            case .some(0xD800..<0xE000):
                bytes.replaceSubrange(place + 2..<place + 6, with: "fffd".utf8)
                place += 6
            case .some: place += 6
            // Another escape has two characters: the second one may be a backslash.
            case nil: place += 2
            }
        }
        return bytes
    }
}

extension JSONText {
    /// Reads what a platform has sent: surrogates without partners do no harm.
    public convenience init(lenient bytes: [UInt8]) throws(JSONSyntaxError) {
        do throws(JSONSyntaxError) {
            try self.init(bytes)
        } catch {
            let mended = bytes.withoutLoneSurrogates
            guard mended != bytes else { throw error }
            try self.init(mended)
        }
    }
}
