/// What part of a file a request wants (RFC 9110, 14).
package enum ByteRange: Equatable {
    case whole
    case part(Range<Int64>)
    case unsatisfiable

    /// One range is answered; several, and what is no range of bytes, mean the whole file, as the RFC allows.
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
            // Of an empty file there is no last byte (RFC 9110, 14.1.2).
            self = count > 0 && size > 0 ? .part(max(0, size - count)..<size) : .unsatisfiable
        default: return
        }
    }
}
