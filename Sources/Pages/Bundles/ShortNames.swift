/// A tight script whose own names are short: those that it declares at its top, and keeps to itself.
///
/// A name that may also be one of a member somewhere stays as it is: behind a dot, before a colon, alone in braces,
/// before parameters. All places of another name get the same new name, which the script has nowhere, so that no
/// meaning changes. Classes may have fields that begin with `static` or `#`, and no others.
struct ShortNames {
    private enum Bracket {
        case statements
        /// Braces of an object, a pattern or a class.
        case members
        case values
    }

    private struct Word {
        var range: Range<Int>
        var name: String
        /// The brackets that are open around it, the innermost last.
        var brackets: [Bracket]
        /// Whether a comma or a semicolon outside of all brackets is before it, behind the last word.
        var isBehind: (comma: Bool, semicolon: Bool)
    }

    private let script: TightScript
    private(set) var text: [UInt8] = []
    private var words: [Word] = []

    init(_ script: TightScript) {
        self.script = script
        readWords()
        let short = shortNames(for: declared().subtracting(words.indices.filter(mayBeMember).map { words[$0].name }))
        var end = 0
        for word in words {
            text += script.text[end..<word.range.lowerBound]
            text += short[word.name].map { Array($0.utf8) } ?? Array(script.text[word.range])
            end = word.range.upperBound
        }
        text += script.text[end...]
    }

    private mutating func readWords() {
        var (at, brackets): (Int, [Bracket]) = (0, [])
        var isBehind = (comma: false, semicolon: false)
        while at < script.text.count {
            let start = at
            while at < script.text.count, script.isCode[at], TightScript.isOfWord(script.text[at]) { at += 1 }
            guard at == start else {
                let name = String(decoding: script.text[start..<at], as: UTF8.self)
                words.append(Word(range: start..<at, name: name, brackets: brackets, isBehind: isBehind))
                isBehind = (false, false)
                continue
            }
            let sign = script.text[at]
            switch script.isCode[at] ? sign : 0 {
            case UInt8(ascii: "{"): brackets.append(beginsStatements(at) ? .statements : .members)
            case UInt8(ascii: "("), UInt8(ascii: "["): brackets.append(.values)
            case UInt8(ascii: "}"), UInt8(ascii: ")"), UInt8(ascii: "]"): _ = brackets.popLast()
            case UInt8(ascii: ",") where brackets.isEmpty: isBehind.comma = true
            case UInt8(ascii: ";") where brackets.isEmpty: isBehind.semicolon = true
            default: break
            }
            at += 1
        }
    }

    /// Whether the brace here is behind parameters, a condition, an arrow or one of the words that statements follow.
    private func beginsStatements(_ index: Int) -> Bool {
        let code = script.text[..<index].reversed().drop(while: Self.isBlank)
        if code.first == UInt8(ascii: ")") || code.starts(with: ">=".utf8) { return true }
        let word = String(decoding: code.prefix(while: TightScript.isOfWord).reversed(), as: UTF8.self)
        return ["else", "try", "catch", "finally", "do"].contains(word)
    }

    /// The names of constants, variables, functions and classes outside of all braces, without what is exported.
    private func declared() -> Set<String> {
        var names: Set<String> = []
        var (isList, isNext) = (false, false)
        var last = ""
        for word in words {
            isList = isList && !word.isBehind.semicolon
            if word.brackets.isEmpty, isNext || (isList && word.isBehind.comma) { names.insert(word.name) }
            isNext = false
            if word.brackets.isEmpty, ["const", "let", "function", "class"].contains(word.name) {
                isNext = last != "export"
                isList = isNext && (word.name == "const" || word.name == "let")
            }
            last = word.name
        }
        return names
    }

    private func mayBeMember(_ index: Int) -> Bool {
        let word = words[index]
        let (before, behind) = (sign(before: word), sign(behind: word))
        let last = index > 0 && before == nil ? words[index - 1].name : ""
        switch behind {
        case UInt8(ascii: ":"): return true
        case UInt8(ascii: "(") where isMethod(word): return last != "function"
        case UInt8(ascii: "="), UInt8(ascii: ","), UInt8(ascii: "}"):
            if word.brackets.last == .members, before.map("{,".utf8.contains) ?? (last == "static") { return true }
        default: break
        }
        let isSpread = script.text[..<word.range.lowerBound].suffix(3).elementsEqual("...".utf8)
        return before == UInt8(ascii: ".") && !isSpread
    }

    /// Whether the parentheses behind a word have a body: they are parameters.
    private func isMethod(_ word: Word) -> Bool {
        var depth = 0
        for index in word.range.upperBound..<script.text.count where script.isCode[index] {
            switch script.text[index] {
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"):
                depth -= 1
                guard depth == 0 else { continue }
                return script.text[(index + 1)...].first { !Self.isBlank($0) } == UInt8(ascii: "{")
            default: continue
            }
        }
        return false
    }

    /// The sign of code before a word; nil if there is none, or a word.
    private func sign(before word: Word) -> UInt8? {
        guard let index = script.text[..<word.range.lowerBound].lastIndex(where: { !Self.isBlank($0) }),
            script.isCode[index], !TightScript.isOfWord(script.text[index])
        else { return nil }
        return script.text[index]
    }

    private func sign(behind word: Word) -> UInt8? {
        script.text[word.range.upperBound...].first { !Self.isBlank($0) }
    }

    /// A short name for each, the shortest for those that are there most often.
    private func shortNames(for names: Set<String>) -> [String: String] {
        var uses: [String: Int] = [:]
        for word in words { uses[word.name, default: 0] += 1 }
        let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".map(String.init)
        var free = (letters + letters.flatMap { first in letters.map { first + $0 } }).filter { uses[$0] == nil }[...]
        var short: [String: String] = [:]
        for name in names.sorted(by: { (uses[$1, default: 0], $0) < (uses[$0, default: 0], $1) }) {
            guard let next = free.first, next.utf8.count < name.utf8.count else { continue }
            short[name] = next
            free.removeFirst()
        }
        return short
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") }
}
