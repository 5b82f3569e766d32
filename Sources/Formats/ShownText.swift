extension String {
    /// The text with some of its characters written as `\u{...}`, so that a reader sees them.
    public func escapingScalars(where isEscaped: (Unicode.Scalar) -> Bool) -> String {
        if unicodeScalars.allSatisfy({ !isEscaped($0) }) { return self }
        var shown = ""
        for scalar in unicodeScalars {
            if isEscaped(scalar) {
                shown += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                shown.unicodeScalars.append(scalar)
            }
        }
        return shown
    }
}

/// Texts of others, where parts of them would be obeyed.
extension String {
    /// The text as a terminal can show it without being led: control characters, and those that turn the direction of
    /// writing or end a line, are written as `\u{...}`.
    ///
    /// Texts come from customers. A terminal would obey the escape sequences in them.
    public var shownSafely: String {
        escapingScalars { scalar in
            switch scalar.value {
            // C0 and C1 controls, line and paragraph separators, and the marks and overrides of direction.
            case 0...0x1F, 0x7F...0x9F, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
            default: false
            }
        }
    }

    /// The text as HTML and XML may hold it, between tags and between quotes: what XML 1.0 has no way to write is
    /// replaced.
    public var escapedForMarkup: String {
        var escaped = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            // In an attribute they would become spaces.
            case "\t", "\n", "\r": escaped += "&#\(scalar.value);"
            case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
