import ChatModel
import Formats

/// A piece of a message's text around the first match, and the ranges in it that match. It is plain text.
///
/// Positions and lengths count UTF-16 units, as JavaScript strings do.
package struct Snippet: Equatable {
    package static let maximumLength = 200
    /// Units shown before the first match, so that the match is seen in context.
    private static let lead = 40

    package var text: String
    package var ranges: [Range<Int>]

    /// - Parameters:
    ///   - marked: the whole text with marks around what matches.
    ///   - mark: stands before and after each match, and nowhere else.
    package init(marked: String, mark: String) {
        var whole = ""
        var found: [Range<Int>] = []
        var start: Int?
        for (index, part) in marked.split(separator: mark, omittingEmptySubsequences: false).enumerated() {
            if index > 0 {
                let position = whole.utf16.count
                if let begun = start {
                    if begun < position { found.append(begun..<position) }
                    start = nil
                } else {
                    start = position
                }
            }
            whole += part
        }
        self.init(whole, found)
    }

    private init(_ whole: String, _ found: [Range<Int>]) {
        let count = whole.utf16.count
        guard count > Self.maximumLength else {
            (text, ranges) = (whole, found)
            return
        }
        let wanted = max(0, min((found.first?.lowerBound ?? 0) - Self.lead, count - Self.maximumLength))
        let start = Self.boundary(of: whole, at: wanted)
        let end = Self.boundary(of: whole, at: min(count, start + Self.maximumLength))
        let before = start > 0 ? "…" : ""
        let shift = before.utf16.count - start
        text = before + String(whole.utf16Slice(start..<end)) + (end < count ? "…" : "")
        ranges = found.compactMap { range in
            let part = range.clamped(to: start..<end)
            return part.isEmpty ? nil : part.lowerBound + shift..<part.upperBound + shift
        }
    }

    /// The nearest place at or before it that is inside no character.
    private static func boundary(of text: String, at offset: Int) -> Int {
        var offset = offset
        // A character of more than this many units is none that anybody reads.
        for _ in 0..<64 {
            if offset <= 0 { return 0 }
            if String.Index(text.utf16.index(text.utf16.startIndex, offsetBy: offset), within: text) != nil {
                return offset
            }
            offset -= 1
        }
        return offset
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

extension String {
    fileprivate func utf16Slice(_ range: Range<Int>) -> Substring {
        self[
            utf16.index(
                utf16.startIndex, offsetBy: range.lowerBound)..<utf16.index(
                    utf16.startIndex, offsetBy: range.upperBound)]
    }
}
