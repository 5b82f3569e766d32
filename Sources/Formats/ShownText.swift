/// Texts of others, where parts of them would be obeyed: by a terminal, a reader of lines, a shell.
///
/// All of it goes by Unicode scalars. Swift's `Character` hides what a program sees: CR LF is one `Character`, and so is
/// a quotation mark with an accent behind it, or a letter with 20,000 marks.
extension Unicode.Scalar {
    /// Whether a terminal or a reader of lines obeys the character instead of showing it: C0 controls, DEL and C1
    /// controls, the separators of lines and paragraphs, and the marks and overrides of direction.
    public var isObeyed: Bool {
        switch value {
        case 0...0x1F, 0x7F...0x9F, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// `\u{...}`, which everybody sees.
    public var shown: String { "\\u{\(String(value, radix: 16))}" }

    /// The number in hexadecimal, with at least four digits, as JSON and YAML write it behind `\u`.
    public var fourDigits: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}

extension String {
    /// The text with some of its characters written as `\u{...}`, so that a reader sees them.
    public func escapingScalars(where isEscaped: (Unicode.Scalar) -> Bool) -> String {
        escapingScalars { isEscaped($0) ? $0.shown : nil }
    }

    /// The text with some of its characters written in another way.
    ///
    /// - Parameter escape: what stands for a character; nil for one that stays.
    public func escapingScalars(_ escape: (Unicode.Scalar) -> String?) -> String {
        if unicodeScalars.allSatisfy({ escape($0) == nil }) { return self }
        var shown = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            if let text = escape(scalar) { shown += text.unicodeScalars } else { shown.append(scalar) }
        }
        return String(shown)
    }

    /// The text in one line, as a terminal can show it without being led: what would be obeyed is written as `\u{...}`.
    ///
    /// Texts come from customers. A terminal would obey the escape sequences in them.
    public var shownSafely: String { escapingScalars(where: \.isObeyed) }

    /// The text's lines, each ``shownSafely``. A line ends at LF, CR LF, or CR.
    public var linesShownSafely: [String] {
        var lines: [String] = []
        var line = String.UnicodeScalarView(), last: Unicode.Scalar?
        for scalar in unicodeScalars {
            if scalar == "\n" && last == "\r" {
                // The line has ended already.
            } else if scalar == "\n" || scalar == "\r" {
                lines.append(String(line).shownSafely)
                line = String.UnicodeScalarView()
            } else {
                line.append(scalar)
            }
            last = scalar
        }
        return lines + [String(line).shownSafely]
    }

    /// The text as JSON writes it, with what a terminal would obey as `\uXXXX`, so that it is the same JSON. Line feeds
    /// and tabs stay: in JSON they stand between values only.
    public var shownSafelyInJSON: String {
        escapingScalars { scalar in
            scalar.isObeyed && scalar != "\n" && scalar != "\t" ? "\\u\(scalar.fourDigits)" : nil
        }
    }

    /// The beginning of the text, of at most so many code points, and whether something is missing. It ends with a whole
    /// character, unless that one alone is longer.
    public func cut(toScalars limit: Int) -> (text: String, isCut: Bool) {
        if utf8.count <= limit { return (self, false) }
        var (end, count) = (startIndex, 0)
        while end < endIndex {
            let next = index(after: end)
            count += unicodeScalars[end..<next].count
            if count > limit {
                let isTooLong = end == startIndex
                return (String(isTooLong ? Substring(unicodeScalars.prefix(limit)) : self[..<end]), true)
            }
            end = next
        }
        return (self, false)
    }

    /// The text as a part of a JSON Pointer (RFC 6901, 3).
    public var escapedForPointer: String {
        escapingScalars { $0 == "~" ? "~0" : $0 == "/" ? "~1" : nil }
    }

    /// The text as HTML and XML may hold it, between tags and between quotes. What XML 1.0 has no way to write, and
    /// other controls, are replaced. Marks of direction stay: the text needs an element with `dir="auto"`, which
    /// keeps them from what stands around it.
    public var escapedForMarkup: String {
        escapingScalars { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": "&quot;"
            // In an attribute they would become spaces.
            case "\t", "\n", "\r": "&#\(scalar.value);"
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}": "\u{FFFD}"
            default: nil
            }
        }
    }
}
