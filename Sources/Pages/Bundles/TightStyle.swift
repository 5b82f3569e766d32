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
            take()
            while at < source.count, source[at] != byte {
                if source[at] == UInt8(ascii: "\\") { take() }
                take()
            }
            take()
        case UInt8(ascii: "/") where at + 1 < source.count && source[at + 1] == UInt8(ascii: "*"): skipComment()
        case let blank where Self.isBlank(blank):
            while at < source.count, Self.isBlank(source[at]) { at += 1 }
            guard let before = text.last, at < source.count else { return }
            // `a :hover` and `a:hover` are two selectors, and `+` and `-` need their blanks in sums.
            if "{};,:".utf8.contains(before) || "{};,!".utf8.contains(source[at]) { return }
            if before != UInt8(ascii: " ") { text.append(UInt8(ascii: " ")) }
        case UInt8(ascii: "}"):
            if text.last == UInt8(ascii: ";") { text.removeLast() }
            take()
        default: take()
        }
    }

    private mutating func skipComment() {
        at += 2
        while at + 1 < source.count, source[at] != UInt8(ascii: "*") || source[at + 1] != UInt8(ascii: "/") { at += 1 }
        at = min(at + 2, source.count)
    }

    private mutating func take() {
        guard at < source.count else { return }
        text.append(source[at])
        at += 1
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") }
}
