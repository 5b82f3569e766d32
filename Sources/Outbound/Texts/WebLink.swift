/// An address or a labelled link in a text, where the pages make a link of it: the rules of `web/assets/links.js`.
struct WebLink {
    /// What is shown of it: the label, or the address as it was written.
    let shown: ArraySlice<UInt16>
    /// Units of the text that it takes.
    let count: Int

    /// The longest address, in units of UTF-16.
    private static let longest = 2000
    private static let quotes = Set("<>\"`".utf16)
    private static let sentenceEnds = Set(".,;:!?'*_~|…’”»".utf16)
    private static let brackets: [UInt16: UInt16] = [
        UInt16(ascii: ")"): UInt16(ascii: "("), UInt16(ascii: "]"): UInt16(ascii: "["),
        UInt16(ascii: "}"): UInt16(ascii: "{"),
    ]

    /// The length of `http://` or `https://`, in upper or lower case, at a place; 0 if there is neither.
    static func scheme(in line: [UInt16], at place: Int) -> Int {
        let lower = line[place...].prefix(8).map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
        return lower.starts(with: "https://".utf16) ? 8 : lower.starts(with: "http://".utf16) ? 7 : 0
    }

    /// The address that begins at a place, without the marks that end a sentence.
    init?(addressIn line: [UInt16], at place: Int) {
        let scheme = Self.scheme(in: line, at: place)
        guard scheme > 0 else { return nil }
        // The bound first: a text may be one address after another, and each would look at all the rest.
        let rest = line[(place + scheme)...].prefix(Self.longest + 1)
            .prefix { !$0.isSpace && !Self.quotes.contains($0) && !$0.isInvisible }
        guard !rest.isEmpty, scheme + rest.count <= Self.longest else { return nil }
        let whole = line[place..<rest.endIndex]
        let written = whole.prefix(Self.end(of: whole))
        guard Self.isOfTheWeb(written) else { return nil }
        (shown, count) = (written, written.count)
    }

    /// `[label](address)`. A label that looks like an address makes no link.
    init?(labelledIn line: [UInt16], at place: Int) {
        let label = line[(place + 1)...].prefix(201)
            .prefix { $0 != UInt16(ascii: "[") && $0 != UInt16(ascii: "]") }
        guard (1...200).contains(label.count), line[label.endIndex...].starts(with: "](".utf16) else { return nil }
        let start = label.endIndex + 2
        let scheme = start < line.count ? Self.scheme(in: line, at: start) : 0
        guard scheme > 0 else { return nil }
        let rest = line[(start + scheme)...].prefix(Self.longest + 1).prefix { unit in
            !unit.isSpace && !Self.quotes.contains(unit) && unit != UInt16(ascii: "(") && unit != UInt16(ascii: ")")
        }
        guard (1...Self.longest).contains(rest.count), rest.endIndex < line.count,
            line[rest.endIndex] == UInt16(ascii: ")"),
            let first = label.firstIndex(where: { !$0.isSpace }), let last = label.lastIndex(where: { !$0.isSpace }),
            !Self.looksLikeAddress(Array(label[first...last])), Self.isOfTheWeb(line[start..<rest.endIndex])
        else { return nil }
        (shown, count) = (label, rest.endIndex + 1 - place)
    }

    /// Where an address ends, before marks of the sentence. A bracket belongs to it if it was opened in it.
    private static func end(of address: ArraySlice<UInt16>) -> Int {
        var counts: [UInt16: Int] = [:]
        for unit in address { counts[unit, default: 0] += 1 }
        var end = address.endIndex
        while end > address.startIndex {
            let last = address[end - 1]
            if let opening = brackets[last] {
                if counts[last, default: 0] <= counts[opening, default: 0] { break }
                counts[last, default: 0] -= 1
            } else if !sentenceEnds.contains(last) {
                break
            }
            end -= 1
        }
        return end - address.startIndex
    }

    private static func looksLikeAddress(_ label: [UInt16]) -> Bool {
        let text = String(decoding: label, as: UTF16.self)
        if text.contains("://") || text.lowercased().hasPrefix("www.") { return true }
        if label.contains(where: { (0x200B...0x200F).contains($0) || (0x202A...0x202E).contains($0) }) { return true }
        if label.contains(where: { (0x2060...0x206F).contains($0) }) { return true }
        return label.indices.contains { place in
            guard label[place] == UInt16(ascii: "."), place > 0, label[place - 1].isWord else { return false }
            let word = label[(place + 1)...].prefix(while: \.isWord)
            return word.count >= 2
                && (word.endIndex == label.count || "/:?#".utf16.contains(label[word.endIndex]))
        }
    }

    /// Whether browsers take it for an address of the web (WHATWG URL), without a name and password.
    private static func isOfTheWeb(_ address: ArraySlice<UInt16>) -> Bool {
        let scalars = String(decoding: address, as: UTF16.self).unicodeScalars
        let behind = scalars.drop { $0 != ":" }.dropFirst().drop { $0 == "/" || $0 == "\\" }
        let authority = behind.prefix { !"/\\?#".unicodeScalars.contains($0) }
        let parts = String(String.UnicodeScalarView(authority)).split(separator: "@", omittingEmptySubsequences: false)
        guard let place = parts.last, parts.dropLast().allSatisfy({ $0.isEmpty || $0 == ":" }), parts.count <= 2 else {
            return false
        }
        return isHost(String(place))
    }

    /// A host, with a port or without.
    private static func isHost(_ text: String) -> Bool {
        var (host, port) = (text, "")
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return false }
            let inside = text[text.index(after: text.startIndex)..<end]
            let rest = text[text.index(after: end)...]
            guard inside.count(where: { $0 == ":" }) >= 2,
                inside.allSatisfy({ $0.isHexDigit || $0 == ":" || $0 == "." }), rest.isEmpty || rest.hasPrefix(":")
            else { return false }
            (host, port) = ("ipv6", String(rest.dropFirst()))
        } else if let colon = text.firstIndex(of: ":") {
            (host, port) = (String(text[..<colon]), String(text[text.index(after: colon)...]))
        }
        guard port.utf8.allSatisfy({ (0x30...0x39).contains($0) }), port.isEmpty || UInt16(port) != nil else {
            return false
        }
        guard let decoded = host.removingPercentEncoding, !decoded.isEmpty,
            decoded.unicodeScalars.allSatisfy({
                $0.value > 0x20 && $0.value != 0x7F && !"#%/:<>?@[\\]^|".unicodeScalars.contains($0)
            })
        else { return false }
        return isNumberedWell(decoded)
    }

    /// A host whose last part is a number must be an address of IPv4.
    private static func isNumberedWell(_ host: String) -> Bool {
        var labels = host.split(separator: ".", omittingEmptySubsequences: false)
        if labels.count > 1, labels.last?.isEmpty == true { labels.removeLast() }
        guard let last = labels.last, isNumber(last) else { return true }
        guard labels.count <= 4 else { return false }
        let numbers = labels.map(number)
        guard let end = numbers.last ?? nil, numbers.dropLast().allSatisfy({ $0.map { $0 <= 255 } ?? false }) else {
            return false
        }
        return end < UInt64(1) << (8 * UInt64(5 - labels.count))
    }

    private static func isNumber(_ label: Substring) -> Bool {
        let lower = label.lowercased()
        if lower.hasPrefix("0x") { return lower.dropFirst(2).allSatisfy(\.isHexDigit) }
        return !label.isEmpty && label.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    private static func number(_ label: Substring) -> UInt64? {
        let lower = label.lowercased()
        if lower.hasPrefix("0x") { return lower.count == 2 ? 0 : UInt64(lower.dropFirst(2), radix: 16) }
        if lower.count > 1, lower.hasPrefix("0") { return UInt64(lower, radix: 8) }
        return UInt64(lower)
    }
}

extension UInt16 {
    /// Controls and what shows nothing, by which an address could look like another one.
    fileprivate var isInvisible: Bool {
        switch self {
        case 0...0x1F, 0x7F...0x9F, 0xAD, 0x61C, 0x180E, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF,
            0xFFF9...0xFFFF:
            true
        default: false
        }
    }
}
