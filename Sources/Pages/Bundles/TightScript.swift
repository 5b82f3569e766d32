/// A script without comments and without the blanks that nothing needs. Each line stays a line, so that semicolons which are
/// left out, and the numbers of lines in errors, stay right.
///
/// It knows strings, templates and regular expressions as far as it must not change what is in them. A template behind
/// the word `css` is a style sheet.
struct TightScript {
    private let source: [UInt8]
    private var at = 0
    private(set) var text: [UInt8] = []
    /// For each byte, whether it is code: neither of a string, nor of a template, nor of a regular expression.
    private(set) var isCode: [Bool] = []
    /// How many braces are open, and at how many each open template goes on.
    private var depth = 0
    private var templates: [Int] = []

    init(_ script: some StringProtocol) {
        source = Array(script.utf8)
        text.reserveCapacity(source.count)
        while at < source.count { step() }
    }

    private mutating func step() {
        let byte = source[at]
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): takeQuoted(until: byte)
        case UInt8(ascii: "`"):
            let isStyle = text.suffix(4).elementsEqual("=css".utf8)
            copyByte()
            if isStyle { takeStyle() } else { takeTemplate() }
        case UInt8(ascii: "/") where next == UInt8(ascii: "/"):
            while at < source.count, source[at] != Self.newline { at += 1 }
            if text.last == Self.blank { (_, _) = (text.removeLast(), isCode.removeLast()) }
        case UInt8(ascii: "/") where next == UInt8(ascii: "*"): skipComment()
        case UInt8(ascii: "/") where beginsExpression: takePattern()
        case UInt8(ascii: "{"):
            depth += 1
            takeCode()
        case UInt8(ascii: "}") where templates.last == depth:
            copyByte()
            templates.removeLast()
            takeTemplate()
        case UInt8(ascii: "}"):
            depth -= 1
            takeCode()
        case Self.blank: takeBlanks()
        default: takeCode()
        }
    }

    // MARK: What stays as it is

    private mutating func takeQuoted(until end: UInt8) {
        copyByte()
        while at < source.count, source[at] != end { takeEscaped() }
        copyByte()
    }

    /// Up to the end of a template, or to an expression in it.
    private mutating func takeTemplate() {
        while at < source.count {
            if source[at] == UInt8(ascii: "`") { return copyByte() }
            if source[at] == UInt8(ascii: "$"), next == UInt8(ascii: "{") {
                copyByte()
                copyByte()
                templates.append(depth)
                return
            }
            takeEscaped()
        }
    }

    /// A style sheet, up to the end of its template.
    private mutating func takeStyle() {
        let sheet = source[at...].prefix { $0 != UInt8(ascii: "`") }
        at = sheet.endIndex
        let tight = TightStyle(sheet).text
        text += tight
        isCode += tight.map { _ in false }
        // Each line stays a line.
        for byte in sheet where byte == Self.newline { append(byte, isCode: false) }
        copyByte()
    }

    private mutating func takePattern() {
        copyByte()
        var isInClass = false
        while at < source.count, source[at] != UInt8(ascii: "/") || isInClass {
            if source[at] == UInt8(ascii: "[") { isInClass = true }
            if source[at] == UInt8(ascii: "]") { isInClass = false }
            takeEscaped()
        }
        copyByte()
    }

    // MARK: What goes

    private mutating func skipComment() {
        at += 2
        while at < source.count, source[at] != UInt8(ascii: "*") || next != UInt8(ascii: "/") {
            if source[at] == Self.newline { append(Self.newline, isCode: true) }
            at += 1
        }
        at += 2
    }

    /// One blank stays between two words, and where two signs would become another one.
    private mutating func takeBlanks() {
        while at < source.count, source[at] == Self.blank { at += 1 }
        guard let before = text.last, at < source.count else { return }
        let after = source[at]
        let isNeeded =
            (Self.isOfWord(before) && Self.isOfWord(after)) || (before == after && "+-".utf8.contains(before))
            || before == UInt8(ascii: "/") || after == UInt8(ascii: "/")
        if isNeeded, before != Self.newline { append(Self.blank, isCode: true) }
    }

    /// Behind these a value begins.
    private static let keywords: Set<String> = [
        "return", "typeof", "case", "in", "of", "delete", "void", "throw", "new", "else", "do", "yield", "await",
    ]

    // MARK: Bytes

    private static let newline = UInt8(ascii: "\n")
    private static let blank = UInt8(ascii: " ")

    private var next: UInt8? { at + 1 < source.count ? source[at + 1] : nil }

    private mutating func append(_ byte: UInt8, isCode: Bool) {
        text.append(byte)
        self.isCode.append(isCode)
    }

    private mutating func copyByte(isCode: Bool = false) {
        guard at < source.count else { return }
        append(source[at], isCode: isCode)
        at += 1
    }

    private mutating func takeCode() { copyByte(isCode: true) }

    private mutating func takeEscaped() {
        if source[at] == UInt8(ascii: "\\") { copyByte() }
        copyByte()
    }

    static func isOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), UInt8(ascii: "#"), 0x80...:
            true
        default: false
        }
    }

    /// Whether a slash here begins a regular expression: behind a sign or a keyword, and not behind a value.
    private var beginsExpression: Bool {
        let code = text.reversed().drop { $0 == Self.blank || $0 == Self.newline }
        guard let last = code.first else { return true }
        if "(,=:[!&|?{};+-*%<>~^".utf8.contains(last) { return true }
        let word = String(decoding: code.prefix(while: Self.isOfWord).reversed(), as: UTF8.self)
        return Self.keywords.contains(word)
    }
}

/// A style sheet without comments and without the blanks that nothing needs.
///
/// It knows strings. Blanks inside of values and selectors become one.
struct TightStyle {
    private let source: [UInt8]
    private var at = 0
    private(set) var text: [UInt8] = []

    init(_ sheet: some Sequence<UInt8>) {
        source = Array(sheet)
        text.reserveCapacity(source.count)
        while at < source.count { step() }
    }

    private mutating func step() {
        let byte = source[at]
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            copyByte()
            while at < source.count, source[at] != byte {
                if source[at] == UInt8(ascii: "\\") { copyByte() }
                copyByte()
            }
            copyByte()
        case UInt8(ascii: "/") where at + 1 < source.count && source[at + 1] == UInt8(ascii: "*"): skipComment()
        case let blank where Self.isBlank(blank):
            while at < source.count, Self.isBlank(source[at]) { at += 1 }
            guard let before = text.last, at < source.count else { return }
            // `a :hover` and `a:hover` are two selectors, and `+` and `-` need their blanks in sums.
            if "{};,:".utf8.contains(before) || "{};,!".utf8.contains(source[at]) { return }
            if before != UInt8(ascii: " ") { text.append(UInt8(ascii: " ")) }
        case UInt8(ascii: "}"):
            if text.last == UInt8(ascii: ";") { text.removeLast() }
            copyByte()
        default: copyByte()
        }
    }

    private mutating func skipComment() {
        at += 2
        while at + 1 < source.count, source[at] != UInt8(ascii: "*") || source[at + 1] != UInt8(ascii: "/") { at += 1 }
        at = min(at + 2, source.count)
    }

    private mutating func copyByte() {
        guard at < source.count else { return }
        text.append(source[at])
        at += 1
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") }
}
