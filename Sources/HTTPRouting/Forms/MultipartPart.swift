/// The headers of one part of a form (RFC 7578, 4.2 to 4.8). Headers that a form has no use for are ignored.
package struct MultipartPart: Sendable {
    /// The field that the part belongs to.
    package let name: String
    /// The whole `Content-Disposition`: ``FileNameHeader`` finds a file's name in it.
    package let disposition: String
    /// The `Content-Type`, as it came; nil without one.
    package let type: String?

    /// - Parameter head: the header lines, with the empty one.
    /// - Throws: `invalidForm`.
    init(head: [UInt8]) throws(Problem) {
        var found: [String: String] = [:]
        for line in Self.lines(head) {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
                line[..<colon].allSatisfy(ParameterScanner.isToken)
            else { throw Problem(.invalidForm, "A line in a part's headers is not like Name: value.") }
            let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
            guard ["content-disposition", "content-type", "content-transfer-encoding"].contains(name) else { continue }
            let value = line[(colon + 1)...].trimmingPrefix { $0 == 0x20 || $0 == 0x09 }
            guard found.updateValue(String(decoding: value, as: UTF8.self), forKey: name) == nil else {
                throw Problem(.invalidForm, "A part has the header \(name) twice.")
            }
        }
        let form = "A part needs Content-Disposition: form-data; name=\"file\"; filename=\"name.ext\"."
        guard let disposition = found["content-disposition"] else { throw Problem(.invalidForm, form) }
        var scanner = ParameterScanner(disposition)
        guard scanner.token()?.lowercased() == "form-data",
            let name = scanner.parameters()?.first(where: { $0.name == "name" })?.value
        else { throw Problem(.invalidForm, form) }
        // Deprecated by RFC 7578, 4.7. What is encoded would be kept as it is, and be another file.
        let encoding = found["content-transfer-encoding"]?.lowercased() ?? "binary"
        guard ["binary", "8bit", "7bit"].contains(encoding) else {
            throw Problem(.invalidForm, "A part has a Content-Transfer-Encoding. The file has to come as it is.")
        }
        self.name = name
        self.disposition = disposition
        type = found["content-type"]
    }

    /// The lines without their ends, up to the empty one.
    private static func lines(_ head: [UInt8]) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var start = head.startIndex
        for end in head.indices.dropFirst() where head[end] == 0x0A && head[end - 1] == 0x0D {
            lines.append(head[start..<(end - 1)])
            start = end + 1
        }
        return lines.dropLast()
    }
}
