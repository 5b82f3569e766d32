/// The rows of a table as CSV (RFC 4180): lines end with CR LF, and cells with a quote, a comma or a line's end are quoted.
package struct CSVTable {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package mutating func row(_ cells: [String]) {
        for (index, cell) in cells.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            append(cell)
        }
        bytes += [0x0D, 0x0A]
    }

    /// The rows since the last call, to be written in pieces.
    package mutating func takeRows() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }

    /// A text that begins like a formula gets an apostrophe before it, because spreadsheets would carry it out.
    private mutating func append(_ cell: String) {
        var text = Array(cell.utf8)
        if let first = text.first, "=+-@\t\r".utf8.contains(first) { text.insert(UInt8(ascii: "'"), at: 0) }
        let isPlain = !text.contains { [UInt8(ascii: "\""), UInt8(ascii: ","), 0x0A, 0x0D].contains($0) }
        if isPlain {
            bytes += text
        } else {
            bytes.append(UInt8(ascii: "\""))
            for byte in text { bytes += byte == UInt8(ascii: "\"") ? [byte, byte] : [byte] }
            bytes.append(UInt8(ascii: "\""))
        }
    }
}
