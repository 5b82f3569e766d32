import Foundation
import Synchronization

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
