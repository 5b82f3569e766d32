import Foundation
import Synchronization

/// A text as the search sees it: its words in their order, folded (``SearchFolding``).
///
/// A word is a run of letters and numbers with the marks on them.
struct SearchText {
    /// The words with a space between two: what the index has of the text.
    private(set) var folded: [UInt8] = []
    private(set) var words: [Word] = []

    struct Word {
        /// Where it is in ``SearchText/folded``.
        var folded: Range<Int>
        /// Where it is in the text.
        var place: Range<String.Index>
    }

    init(_ text: Substring) {
        let scalars = text.unicodeScalars
        folded.reserveCapacity(text.utf8.count)
        words.reserveCapacity(text.utf8.count / 5)
        SearchFolding.shared.withLock { folding in
            var index = scalars.startIndex
            while index < scalars.endIndex {
                guard SearchFolding.beginsWord(scalars[index]) else {
                    scalars.formIndex(after: &index)
                    continue
                }
                let start = index
                if !words.isEmpty { folded.append(UInt8(ascii: " ")) }
                let begun = folded.count
                while index < scalars.endIndex, SearchFolding.continuesWord(scalars[index]) {
                    let scalar = scalars[index]
                    if scalar.isASCII {
                        folded.append(("A"..."Z").contains(scalar) ? UInt8(scalar.value) | 0x20 : UInt8(scalar.value))
                    } else {
                        folded += folding.fold(scalar)
                    }
                    scalars.formIndex(after: &index)
                }
                if folded.count > begun {
                    words.append(Word(folded: begun..<folded.count, place: start..<index))
                } else if !words.isEmpty {
                    folded.removeLast()
                }
            }
        }
    }

    /// What the index has of a text: its words, folded, with a space between two.
    ///
    /// Most texts have ASCII only. They need neither the places of their words nor Unicode's tables.
    static func folded(_ text: String) -> String {
        var text = text
        return text.withUTF8(foldedASCII) ?? String(decoding: SearchText(text[...]).folded, as: UTF8.self)
    }

    /// Nil if there is another character.
    private static func foldedASCII(_ text: UnsafeBufferPointer<UInt8>) -> String? {
        if text.contains(where: { $0 >= 0x80 }) { return nil }
        return String(unsafeUninitializedCapacity: text.count) { folded in
            var (count, isBetween) = (0, false)
            for byte in text {
                let lower = UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
                switch lower {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                    if isBetween, count > 0 {
                        folded[count] = UInt8(ascii: " ")
                        count += 1
                    }
                    folded[count] = lower
                    (count, isBetween) = (count + 1, false)
                default: isBetween = true
                }
            }
            return count
        }
    }

    /// The bytes of a word.
    func bytes(_ word: Int) -> ArraySlice<UInt8> { folded[words[word].folded] }
}

/// What a character is to the search: letters without case, marks and other differences of form.
///
/// A character is decomposed (NFKD, Unicode's annex 15), loses its marks, and goes through upper case to lower case, so
/// that both sigmas are one letter and ß is ss. What is left are letters and numbers.
///
/// A mark that spells a vowel, or takes one away, is a letter for the readers of its script, and stays: those of
/// Devanagari, Thai and their neighbours. So does the mark that makes another kana.
///
/// A few characters stand for a phrase, such as U+FDFA for four words. Those stay what they are: a text of nothing else
/// would take the index many times its own size.
struct SearchFolding {
    /// Of a few thousand characters the result is kept: texts have few different ones.
    private var known: [(scalar: UInt32, folded: [UInt8])]
    private static let capacity = 4096

    /// Any thread may use it. It is held for the time of one text.
    static let shared = Mutex(SearchFolding())

    private init() { known = Array(repeating: (.max, []), count: Self.capacity) }

    /// The UTF-8 bytes of a character that belongs to a word; none for one that does not matter.
    mutating func fold(_ scalar: Unicode.Scalar) -> [UInt8] {
        let place = Int(scalar.value) % Self.capacity
        if known[place].scalar == scalar.value { return known[place].folded }
        let folded = Self.folded(scalar)
        known[place] = (scalar.value, folded)
        return folded
    }

    /// How many bytes a character has at most, for each of its own. The syllables of Korean have so many.
    private static let greatestGrowth = 3

    private static func folded(_ scalar: Unicode.Scalar) -> [UInt8] {
        let folded = folded(String(scalar).decomposedStringWithCompatibilityMapping)
        return folded.count <= greatestGrowth * UTF8.width(scalar) ? folded : Array(String(scalar).utf8)
    }

    private static func folded(_ decomposed: String) -> [UInt8] {
        var folded = String.UnicodeScalarView()
        for part in decomposed.unicodeScalars where matters(part) {
            // Lower, upper, lower: each of the three leaves out what another one joins, as with the two sharp s.
            for lower in part.properties.lowercaseMapping.unicodeScalars {
                for upper in lower.properties.uppercaseMapping.unicodeScalars {
                    folded.append(contentsOf: upper.properties.lowercaseMapping.unicodeScalars.filter(matters))
                }
            }
        }
        return Array(String(folded).utf8)
    }

    /// Whether a word may begin with it: a letter or a number.
    static func beginsWord(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII {
            return ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
        }
        return switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .decimalNumber, .letterNumber, .otherNumber, .privateUse:
            true
        default: false
        }
    }

    /// Whether a word goes on with it: marks, and what nobody sees, such as a soft hyphen. The invisible space between
    /// words ends them.
    static func continuesWord(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return beginsWord(scalar) }
        return switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: beginsWord(scalar) || scalar.properties.isDefaultIgnorableCodePoint && scalar != "\u{200B}"
        }
    }

    private static func matters(_ scalar: Unicode.Scalar) -> Bool {
        // The Arabic line that only makes a word longer.
        if scalar.properties.isDefaultIgnorableCodePoint || scalar == "\u{640}" { return false }
        return switch scalar.properties.generalCategory {
        case .spacingMark: true
        case .nonspacingMark: spellingClasses.contains(scalar.properties.canonicalCombiningClass.rawValue)
        default: beginsWord(scalar)
        }
    }

    /// The combining classes of marks that spell: vowels of Indic scripts and of Thai (0), the voicing of kana (8),
    /// what takes a vowel away (9), and vowels of Telugu, Thai, Lao and Tibetan.
    private static let spellingClasses: Set<UInt8> = [0, 8, 9, 84, 91, 103, 118, 129, 130, 132]
}
