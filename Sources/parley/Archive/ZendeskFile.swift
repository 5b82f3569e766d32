import Formats

/// Zendesk's JSON of tickets: an object with arrays `tickets` and `users`, as its API answers, or a ticket in each line, as
/// an account's export has them. It is read in pieces.
enum ZendeskFile {
    /// Gives each ticket and user in the order of the file.
    ///
    /// - Parameter take: gets the array's name, the number within the array from 1, the element, and how much of the file
    ///   is read, in percent.
    static func read(
        _ path: String, limit: Int, _ take: (String, Int, JSONElement, Int?) throws(CommandFailure) -> Void
    ) throws(CommandFailure) {
        if try isObject(path, limit) {
            var pieces = try InputPieces(path)
            defer { pieces.close() }
            var scanner = ElementScanner(limit: limit)
            var numbers: [String: Int] = [:]
            while let piece = try pieces.next() {
                let elements: [ElementScanner.Element]
                do throws(BrokenAnswer) { elements = try scanner.scan(piece) } catch {
                    throw broken(path, error.reason)
                }
                for element in elements {
                    numbers[element.list, default: 0] += 1
                    let number = numbers[element.list] ?? 0
                    guard let json = try? JSONText(element.bytes).root else {
                        throw broken(path, "\(element.list) \(number) is not JSON")
                    }
                    try take(element.list, number, json, pieces.share)
                }
            }
            if !scanner.isEnd { throw broken(path, "it ends early") }
        } else {
            var lines = InputLines(try InputPieces(path), limit: limit)
            defer { lines.pieces.close() }
            while let line = try lines.next() {
                guard let json = try? JSONText(line.bytes ?? []).root else {
                    throw broken(path, "line \(line.number) is not JSON")
                }
                try take("tickets", line.number, json, lines.pieces.share)
            }
        }
    }

    /// Whether the file is one object with tickets. A ticket in a line ends at the end of the line.
    private static func isObject(_ path: String, _ limit: Int) throws(CommandFailure) -> Bool {
        var lines = InputLines(try InputPieces(path), limit: limit)
        defer { lines.pieces.close() }
        guard let first = try lines.next()?.bytes, let json = try? JSONText(first).root else { return true }
        return json["tickets"] != nil
    }

    private static func broken(_ path: String, _ reason: String) -> CommandFailure {
        CommandFailure(.refused, code: "brokenFile", "\(path) cannot be read as tickets: \(reason).")
    }
}

/// Takes the elements of arrays out of a JSON object that comes in pieces and is never in memory as a whole:
/// `{"name":[element,..],..}`. What else the object has is passed over.
///
/// It only finds where elements begin and end. Whoever reads one finds out whether it is JSON.
struct ElementScanner {
    /// One element of an array, and the name of that array.
    struct Element {
        let list: String
        let bytes: [UInt8]
    }

    /// The most bytes of an element.
    let limit: Int
    private var depth = 0
    private var isInString = false
    private var isEscaped = false
    /// The bytes of the element, or of the name, that is being read.
    private var current: [UInt8] = []
    /// The last text of the outer object, which is the name of what follows.
    private var name: [UInt8] = []
    private var isInArray = false
    /// Whether the object has ended.
    private(set) var isEnd = false

    init(limit: Int) { self.limit = limit }

    /// Returns the elements that end in the piece. Throws ``BrokenAnswer``.
    mutating func scan(_ piece: some Sequence<UInt8>) throws(BrokenAnswer) -> [Element] {
        var found: [Element] = []
        for byte in piece {
            if isEnd {
                if Self.blanks.contains(byte) { continue }
                throw BrokenAnswer("something stands behind its end")
            }
            if isInString {
                append(byte)
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                    if depth == 1 { (name, current) = (current, []) }
                }
            } else {
                try takeOutside(byte, &found)
            }
            if current.count > limit { throw BrokenAnswer("one of its elements has more than \(limit) bytes") }
        }
        return found
    }

    private mutating func append(_ byte: UInt8) { if depth == 1 || isInArray { current.append(byte) } }

    private mutating func takeOutside(_ byte: UInt8, _ found: inout [Element]) throws(BrokenAnswer) {
        switch byte {
        case UInt8(ascii: "\""):
            isInString = true
            if depth == 1 { current = [] }
            append(byte)
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            if depth == 1 {
                isInArray = byte == UInt8(ascii: "[")
                current = []
            } else if isInArray {
                current.append(byte)
            }
            if depth == 0, byte == UInt8(ascii: "[") { throw BrokenAnswer("an object was expected") }
            depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            depth -= 1
            if depth == 1 {
                if isInArray { end(&found) }
                isInArray = false
            } else if isInArray {
                current.append(byte)
            }
            if depth <= 0 { isEnd = true }
        case UInt8(ascii: ",") where depth == 2 && isInArray: end(&found)
        default:
            if depth == 0, !Self.blanks.contains(byte) { throw BrokenAnswer("an object was expected") }
            if isInArray { current.append(byte) }
        }
    }

    private mutating func end(_ found: inout [Element]) {
        let bytes = current.drop { Self.blanks.contains($0) }
        current = []
        if bytes.isEmpty { return }
        found.append(Element(list: String(decoding: name.dropFirst().dropLast(), as: UTF8.self), bytes: Array(bytes)))
    }

    private static let blanks: [UInt8] = [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF]
}
