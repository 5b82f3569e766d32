/// Keeps each U+FEFF that stands inside a scenario's file.
///
/// Yams takes one at the beginning of a text for the mark of the order of bytes, and drops it; its scanner drops one at
/// the beginning of a line. So a guard stands before each while Yams reads: a letter that the file has nowhere else, or
/// the escape of that letter where the mark is written as an escape. Then the guards are taken out of what was read. Only
/// the mark at the very beginning of the file is dropped.
struct GuardedMarks: Sendable {
    /// The file's text, with the guards.
    let text: String
    /// The letter, and its escape as it looks where escapes mean nothing; nil where there is no mark.
    private let guards: (letter: Unicode.Scalar, escape: String)?

    private static let mark: Unicode.Scalar = "\u{FEFF}"

    init(_ file: String) {
        var letters = Array(file.unicodeScalars)
        if letters.first == Self.mark { letters.removeFirst() }
        let escapes = Self.escapes(in: letters)
        let taken = Set(letters).union(escapes.values)
        // Of the letters that mean nothing to anybody.
        let free = (UInt32(0xE000)...0xF8FF).lazy.compactMap { Unicode.Scalar($0) }.first { !taken.contains($0) }
        guard taken.contains(Self.mark), let letter = free else {
            text = String(String.UnicodeScalarView(letters))
            guards = nil
            return
        }
        let escape = "\\u" + String(letter.value, radix: 16)
        var guarded = String.UnicodeScalarView()
        var backslashes = 0
        for (index, each) in letters.enumerated() {
            if each == Self.mark { guarded.append(letter) }
            // Two backslashes are one, and what follows them is no escape.
            if escapes[index] == Self.mark, backslashes.isMultiple(of: 2) {
                guarded.append(contentsOf: escape.unicodeScalars)
            }
            backslashes = each == "\\" ? backslashes + 1 : 0
            guarded.append(each)
        }
        text = String(guarded)
        guards = (letter, escape)
    }

    /// A text that was read from ``text``, without the guards.
    func removed(from text: String) -> String {
        guard let guards else { return text }
        var letters = text.unicodeScalars
        letters.removeAll { $0 == guards.letter }
        return String(letters).replacing(guards.escape, with: "")
    }

    /// What looks like an escape, by the place of its backslash.
    private static func escapes(in letters: [Unicode.Scalar]) -> [Int: Unicode.Scalar] {
        var found: [Int: Unicode.Scalar] = [:]
        for (index, each) in letters.enumerated() where each == "\\" && index + 1 < letters.count {
            let length = letters[index + 1] == "u" ? 4 : letters[index + 1] == "U" ? 8 : 0
            let digits = letters[(index + 2)...].prefix(length)
            guard length > 0, digits.count == length else { continue }
            let value = UInt32(String(String.UnicodeScalarView(digits)), radix: 16)
            if let letter = value.flatMap({ Unicode.Scalar($0) }) { found[index] = letter }
        }
        return found
    }
}
