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
                do throws(BrokenAnswer) { elements = try scanner.take(piece) } catch {
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
