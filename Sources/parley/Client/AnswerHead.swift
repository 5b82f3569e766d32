import Formats

/// Status and headers of an answer (RFC 9112).
struct AnswerHead: Equatable {
    var status: Int
    /// In the order of the answer.
    var headers: [(name: String, value: String)]
    /// The bytes as they came, with the empty line at the end.
    var bytes: [UInt8]

    /// The most bytes of a head.
    static let maximumLength = 64 << 10

    /// The value of the first header of this name, in any case.
    subscript(name: String) -> String? {
        let name = name.lowercased()
        return headers.first { $0.name.lowercased() == name }?.value
    }

    /// Takes the head from the front of the bytes. Returns nil while it is not complete. Throws ``BrokenAnswer``.
    static func take(from bytes: inout ArraySlice<UInt8>) throws(BrokenAnswer) -> AnswerHead? {
        guard let end = end(of: bytes) else {
            if bytes.count > maximumLength { throw BrokenAnswer("its head is too long") }
            return nil
        }
        let head = Array(bytes[..<end])
        var lines = String(decoding: head, as: UTF8.self).split(
            separator: "\r\n", omittingEmptySubsequences: true
        )[...]
        let start = lines.popFirst()?.split(separator: " ", maxSplits: 2) ?? []
        guard start.count >= 2, start[0].hasPrefix("HTTP/1."), start[1].utf8.count == 3,
            let status = Int(digits: start[1])
        else { throw BrokenAnswer("it is not HTTP") }
        var headers: [(String, String)] = []
        for line in lines {
            guard let colon = line.firstIndex(of: ":") else { throw BrokenAnswer("a header has no name") }
            let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            headers.append((String(line[..<colon]), String(value)))
        }
        bytes = bytes[end...]
        return AnswerHead(status: status, headers: headers, bytes: head)
    }

    /// The index after the empty line.
    private static func end(of bytes: ArraySlice<UInt8>) -> Int? {
        var index = bytes.startIndex
        while index + 4 <= bytes.endIndex, index - bytes.startIndex <= maximumLength {
            if bytes[index..<index + 4].elementsEqual([13, 10, 13, 10]) { return index + 4 }
            index += 1
        }
        return nil
    }

    static func == (left: AnswerHead, right: AnswerHead) -> Bool { left.bytes == right.bytes }
}

/// An answer that breaks the rules of HTTP, or that ends too early. The text completes "The gateway's answer cannot be
/// read: ".
struct BrokenAnswer: Error, Equatable {
    var reason: String
    init(_ reason: String) { self.reason = reason }
}
