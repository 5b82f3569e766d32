/// A message's text without the marks that the pages show as bold, code, quotes or links, in one line.
///
/// It is what `plain` of `web/assets/markup.js` makes of the text, so that a push says what a notification of the page
/// says. The rules are kept there; `Tests/Web/markup-cases.json` has examples for both. Texts are read as UTF-16, as
/// JavaScript does, and from their beginning alone.
struct PlainText {
    private var words: [UInt16] = []

    /// Units of a text that are read: many times what a push has room for.
    static let limit = 8192

    init(_ text: String) {
        let lines = text.utf16.prefix(Self.limit).split(separator: Self.newline, omittingEmptySubsequences: false).map(
            Array.init)
        let fences = lines.indices.filter { Self.isFence(lines[$0]) }
        var (at, fence, isAfterLine) = (0, 0, false)
        while at < lines.count {
            while fence < fences.count, fences[fence] < at { fence += 1 }
            if fence + 1 < fences.count, fences[fence] == at {
                append(block: Array(lines[(at + 1)..<fences[fence + 1]].joined(separator: [Self.newline])))
                (at, isAfterLine) = (fences[fence + 1] + 1, false)
                continue
            }
            let quoted = lines[at...].prefix { $0.starts(with: "> ".utf16) }
            if quoted.isEmpty {
                if isAfterLine { words.append(Self.newline) }
                words += MarkedLine(lines[at]).words
                (at, isAfterLine) = (at + 1, true)
            } else {
                let inner = quoted.map { MarkedLine(Array($0.dropFirst(2))).words }
                append(block: Array(inner.joined(separator: [Self.newline])))
                (at, isAfterLine) = (at + quoted.count, false)
            }
        }
    }

    /// White space is one blank, and none at the ends.
    var text: String {
        let parts = words.split { $0.isSpace }
        return String(decoding: Array(parts.joined(separator: [UInt16(ascii: " ")])), as: UTF16.self)
    }

    private mutating func append(block: [UInt16]) {
        words += [UInt16(ascii: " ")] + block + [UInt16(ascii: " ")]
    }

    private static let newline = UInt16(ascii: "\n")

    /// Three back-quotes, perhaps the name of a language, and nothing else.
    private static func isFence(_ line: [UInt16]) -> Bool {
        guard line.starts(with: "```".utf16) else { return false }
        return line.dropFirst(3).drop { $0.isWord || $0 == UInt16(ascii: "+") || $0 == UInt16(ascii: "-") }
            .allSatisfy(\.isSpace)
    }
}

/// The words of one line. Marks that are open are kept until they close; one that does not was none.
private struct MarkedLine {
    /// The line itself, and in it the marks that are open, innermost last, each with the words behind it.
    private var open: [(name: String, words: [UInt16])] = [("", [])]
    private let line: [UInt16]

    private static let names: Set<String> = ["**", "*", "_", "~~"]
    private static let before = Set("([{\"'“‘«*_~—–-".utf16)
    private static let after = Set(")]}\"'”’»*_~.,;:!?…—–-".utf16)

    var words: [UInt16] { open[0].words }

    init(_ line: [UInt16]) {
        self.line = line
        read()
    }

    private mutating func read() {
        var (at, hasCode) = (0, true)
        while at < line.count {
            let unit = line[at]
            switch unit {
            case UInt16(ascii: "["):
                if let link = WebLink(labelledIn: line, at: at) {
                    append(link.shown)
                    at += link.count
                } else {
                    append(unit)
                    at += 1
                }
            case UInt16(ascii: "h"), UInt16(ascii: "H"):
                let scheme = WebLink.scheme(in: line, at: at)
                let link = scheme > 0 ? WebLink(addressIn: line, at: at) : nil
                append(link?.shown ?? line[at..<(at + max(1, scheme))])
                at += link?.count ?? max(1, scheme)
            case UInt16(ascii: "`"):
                let close = hasCode ? line[(at + 1)...].firstIndex(of: unit) : nil
                if close == nil { hasCode = false }
                if let close, close > at + 1 {
                    append(line[(at + 1)..<close])
                    at = close + 1
                } else {
                    append(unit)
                    at += 1
                }
            case UInt16(ascii: "*"), UInt16(ascii: "_"), UInt16(ascii: "~"):
                let end = line[at...].firstIndex { $0 != unit } ?? line.count
                mark(
                    line[at..<end], before: at > 0 ? line[at - 1] : nil, after: end < line.count ? line[end] : nil)
                at = end
            default:
                append(unit)
                at += 1
            }
        }
        while open.count > 1 { forget() }
    }

    private mutating func append(_ unit: UInt16) { open[open.count - 1].words.append(unit) }

    private mutating func append(_ words: some Sequence<UInt16>) { open[open.count - 1].words += words }

    /// A run of one sign: closes what it can close, else opens what it can open, else is text.
    private mutating func mark(_ run: ArraySlice<UInt16>, before: UInt16?, after: UInt16?) {
        let name = String(decoding: run.prefix(4), as: UTF16.self)
        let marks = name == "***" ? ["**", "*"] : Self.names.contains(name) ? [name] : []
        let closes = after.map { $0.isSpace || Self.after.contains($0) } ?? true
        if closes, before?.isSpace == false, !marks.isEmpty, marks.allSatisfy(isOpen) {
            var left = marks
            while !left.isEmpty, let wanted = open.last(where: { left.contains($0.name) })?.name {
                while open.last?.name != wanted { forget() }
                append(open.removeLast().words)
                left.removeAll { $0 == wanted }
            }
        } else if !marks.isEmpty, before.map({ $0.isSpace || Self.before.contains($0) }) ?? true,
            after?.isSpace == false
        {
            for mark in marks {
                // The nearest one counts.
                while isOpen(mark) { forget() }
                open.append((mark, []))
            }
        } else {
            append(run)
        }
    }

    private func isOpen(_ name: String) -> Bool { open.contains { $0.name == name } }

    /// The innermost open mark was none.
    private mutating func forget() {
        let (name, words) = open.removeLast()
        append(name.utf16)
        append(words)
    }
}

extension UInt16 {
    init(ascii scalar: Unicode.Scalar) { self = UInt16(UInt8(ascii: scalar)) }

    /// What JavaScript's `\s` and `trim` take for white space.
    var isSpace: Bool {
        switch self {
        case 0x09...0x0D, 0x20, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF: true
        default: false
        }
    }

    /// What JavaScript's `\w` takes for a part of a word.
    var isWord: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A: true
        default: false
        }
    }
}
