import ChatModel
import Formats

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
