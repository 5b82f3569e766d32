import ChatModel
import Formats

/// What a user looks for: words, `"words in this order"` and prefixes such as `begin*`. All of them must occur.
///
/// Every text can be read, and its first words count. Only folded words reach SQLite, so no text can use FTS5's operators.
package struct SearchQuery: Equatable {
    /// Words that follow one another in the text. Of a prefix, the last one is the beginning of a word.
    package struct Term: Hashable {
        package var words: [[UInt8]]
        package var isPrefix: Bool
    }

    /// The most words that count; those that come again count once. Each is work for every message that has the others.
    package static let wordLimit = 16

    package private(set) var terms: [Term] = []

    package init(_ text: String) {
        var rest = text.unicodeScalars[...]
        while let first = rest.first, wordCount < Self.wordLimit {
            let term: Substring.UnicodeScalarView
            var isPrefix = false
            if first == "\"" {
                rest.removeFirst()
                term = rest.prefix { $0 != "\"" }
                rest = rest.dropFirst(term.count).dropFirst()
                while rest.first == "*" {
                    isPrefix = true
                    rest.removeFirst()
                }
            } else {
                term = rest.prefix { !$0.properties.isWhitespace && $0 != "\"" }
                rest = rest.dropFirst(max(1, term.count))
                isPrefix = term.last == "*"
            }
            add(SearchText(Substring(term)), isPrefix: isPrefix)
        }
    }

    private mutating func add(_ text: SearchText, isPrefix: Bool) {
        let words = text.words.indices.prefix(Self.wordLimit - wordCount)
        guard !words.isEmpty else { return }
        // What a phrase is cut to ends with a whole word.
        let term = Term(
            words: words.map { Array(text.bytes($0)) }, isPrefix: isPrefix && words.count == text.words.count)
        if !terms.contains(term) { terms.append(term) }
    }

    private var wordCount: Int { terms.reduce(0) { $0 + $1.words.count } }

    /// The query as an FTS5 expression; nil when it has no word, which finds nothing.
    package var expression: String? {
        if terms.isEmpty { return nil }
        return terms.map { term in
            let words = term.words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
            return "\"\(words)\"\(term.isPrefix ? " *" : "")"
        }.joined(separator: " AND ")
    }
}

extension SearchQuery {
    /// The most places that are remembered of one text. Where it has more, those at its end are not marked.
    private static let placeLimit = 256

    /// Where the terms occur in a text, by the end of the place; nil if one of them does not occur. The work grows with
    /// the text's length, and not with the number of places.
    package func places(in text: String) -> [Range<String.Index>]? {
        let text = SearchText(text[...])
        var places: [Range<String.Index>] = []
        var missing = Set(terms.indices)
        for end in text.words.indices {
            let isFull = places.count == Self.placeLimit
            if isFull, missing.isEmpty { break }
            var start: Int?
            for index in isFull ? Array(missing) : Array(terms.indices) {
                guard text.ends(terms[index], at: end) else { continue }
                missing.remove(index)
                start = min(start ?? end, end + 1 - terms[index].words.count)
            }
            guard let start, !isFull else { continue }
            places.append(text.words[start].place.lowerBound..<text.words[end].place.upperBound)
        }
        return missing.isEmpty && !terms.isEmpty ? places : nil
    }
}

extension SearchText {
    /// Whether the term's last word is the text's word of this number, with its other words before it.
    fileprivate func ends(_ term: SearchQuery.Term, at end: Int) -> Bool {
        let start = end + 1 - term.words.count
        guard start >= 0, let last = term.words.last else { return false }
        guard term.isPrefix ? bytes(end).starts(with: last) : bytes(end).elementsEqual(last) else { return false }
        return term.words.dropLast().enumerated().allSatisfy { bytes(start + $0.offset).elementsEqual($0.element) }
    }
}

/// What a search asks of a message besides its words. All conditions must hold; nil asks for nothing.
public struct SearchFilter: Sendable, Hashable {
    public var types: Set<MessageType>?
    public var senderKinds: Set<Author.Kind>?
    public var senderIDs: Set<String>?

    public init(
        types: Set<MessageType>? = nil, senderKinds: Set<Author.Kind>? = nil, senderIDs: Set<String>? = nil
    ) {
        self.types = types
        self.senderKinds = senderKinds
        self.senderIDs = senderIDs
    }

    /// Whether a message fulfils the filter.
    func contains(_ message: Message) -> Bool {
        types?.contains(message.type) != false && senderKinds?.contains(message.author.kind) != false
            && senderIDs?.contains(message.author.id) != false
    }
}

/// Which threads are searched, and as which reader.
public enum SearchScope: Sendable {
    /// In all threads of an account.
    case account(Int64)
    /// In one thread of an account.
    case thread(String, of: Int64)
    /// All threads of a service that the desk knows.
    ///
    /// - Parameter channels: only of these channels; nil for all.
    case desk(service: String, within: Set<String>? = nil)
    /// In one thread that the desk knows.
    case deskThread(number: Int64)

    var reader: Audience {
        switch self {
        case .account(let number), .thread(_, let number): .account(number)
        case .desk, .deskThread: .desk
        }
    }
}

/// A page of what was found, newest first.
public struct SearchPage: Sendable {
    /// `{"items":[...],"next":"..","indexedTo":".."`: without the member `cursor` and the closing brace.
    public var body: [UInt8]
    public var next: String?
    /// The place in the log, as a cursor, up to which the search found everything.
    public var indexedTo: String
    /// The position in the log from which to follow.
    public var offset: Int64
}

/// A piece of a message's text around the first match, and the ranges in it that match. It is plain text.
///
/// Positions and lengths count UTF-16 units, as JavaScript strings do. The piece and each range begin and end between
/// two characters as people see them (grapheme clusters).
package struct Snippet: Equatable {
    package static let maximumLength = 200
    /// Units shown before the first match, so that the match is seen in context.
    private static let lead = 40

    package var text: String
    package var ranges: [Range<Int>]

    /// - Parameter places: what matches in the text.
    package init(_ whole: String, _ places: [Range<String.Index>]) {
        let units = whole.utf16
        var found: [Range<Int>] = []
        for place in places.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            let (from, to) = (place.lowerBound.utf16Offset(in: whole), place.upperBound.utf16Offset(in: whole))
            let range = Self.boundary(of: whole, before: from)..<Self.boundary(of: whole, after: to)
            if let last = found.last, range.lowerBound < last.upperBound {
                found[found.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                found.append(range)
            }
        }
        let count = units.count
        guard count > Self.maximumLength else {
            (text, ranges) = (whole, found)
            return
        }
        let wanted = max(0, min((found.first?.lowerBound ?? 0) - Self.lead, count - Self.maximumLength))
        let start = Self.boundary(of: whole, before: wanted)
        let end = Self.boundary(of: whole, before: min(count, start + Self.maximumLength))
        let before = start > 0 ? "…" : ""
        let shift = before.utf16.count - start
        let piece = units.index(units.startIndex, offsetBy: start)..<units.index(units.startIndex, offsetBy: end)
        text = before + String(whole[piece]) + (end < count ? "…" : "")
        ranges = found.compactMap { range in
            let part = range.clamped(to: start..<end)
            return part.isEmpty ? nil : part.lowerBound + shift..<part.upperBound + shift
        }
    }

    /// A character of more than this many units is none that anybody reads: it is cut.
    private static let longestCharacter = 64

    /// The nearest place at or before it that is inside no character.
    private static func boundary(of text: String, before offset: Int) -> Int {
        (max(0, offset - longestCharacter)...offset).last { isBoundary($0, of: text) }
            ?? scalarBoundary(of: text, before: offset)
    }

    /// The nearest place at or after it that is inside no character.
    private static func boundary(of text: String, after offset: Int) -> Int {
        (offset...min(text.utf16.count, offset + longestCharacter)).first { isBoundary($0, of: text) }
            ?? scalarBoundary(of: text, before: offset)
    }

    private static func scalarBoundary(of text: String, before offset: Int) -> Int {
        let index = text.utf16.index(text.utf16.startIndex, offsetBy: offset)
        return index < text.endIndex && UTF16.isTrailSurrogate(text.utf16[index]) ? offset - 1 : offset
    }

    private static func isBoundary(_ offset: Int, of text: String) -> Bool {
        String.Index(text.utf16.index(text.utf16.startIndex, offsetBy: offset), within: text) != nil
    }

    func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("text", text)
        json.name("ranges")
        json.beginArray()
        for range in ranges {
            json.beginArray()
            json.value(range.lowerBound)
            json.value(range.count)
            json.endArray()
        }
        json.endArray()
        json.endObject()
    }
}
