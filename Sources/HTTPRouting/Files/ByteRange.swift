/// The part of a file that a `Range` header asks for (RFC 9110, 14.1.2 and 14.2).
package enum ByteRange: Equatable {
    /// Answer 200 with everything: the header cannot be understood, or asks for more than one range.
    case whole
    /// Answer 206 with these bytes. The range is half-open, not empty, and lies within the file.
    case part(Range<Int64>)
    /// Answer 416: the range is well-formed, but the file has none of its bytes.
    case unsatisfiable

    /// Reads the header for a file of `size` bytes; it cannot fail. RFC 9110 allows a server to ignore a header with
    /// several ranges, another unit, or a syntax error.
    package init(_ header: String, size: Int64) {
        self = .whole
        let text = header.filter { $0 != " " && $0 != "\t" }.lowercased()
        guard text.hasPrefix("bytes="), !text.contains(",") else { return }
        let parts = text.dropFirst(6).split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return }
        func number(_ digits: Substring) -> Int64? {
            guard digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }), !digits.isEmpty
            else { return nil }
            return Int64(digits) ?? .max
        }
        switch (number(parts[0]), number(parts[1])) {
        case (let first?, let last?) where first <= last:
            self = first < size ? .part(first..<min(last, size - 1) + 1) : .unsatisfiable
        case (let first?, nil) where parts[1].isEmpty:
            self = first < size ? .part(first..<size) : .unsatisfiable
        case (nil, let count?) where parts[0].isEmpty:
            // An empty file has no last byte, so no suffix range fits it (RFC 9110, 14.1.2).
            self = count > 0 && size > 0 ? .part(max(0, size - count)..<size) : .unsatisfiable
        default: return
        }
    }
}
