/// Texts in the columns of a terminal.
extension String {
    /// How many columns of a terminal the text takes, about: wide characters of East Asia and emoji take two.
    var columns: Int { reduce(0) { $0 + $1.columns } }

    /// The text cut to so many columns, with `…` at the end of what was cut.
    func cut(to limit: Int) -> String {
        if utf8.count <= limit || columns <= limit { return self }
        var (cut, width) = ("", 0)
        for character in self {
            width += character.columns
            if width > limit - 1 { break }
            cut.append(character)
        }
        return cut + "…"
    }

    /// The text with blanks up to so many columns.
    func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - columns)) }
}

extension Character {
    fileprivate var columns: Int {
        guard let first = unicodeScalars.first else { return 0 }
        switch first.value {
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
            0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
            return 2
        default: return first.properties.isEmojiPresentation ? 2 : 1
        }
    }
}
