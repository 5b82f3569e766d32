import ChatStore
import Formats
import Foundation
import Scenarios

/// Prints events, and notes after each how far it is.
struct EventPrinter {
    let output: Output
    /// Nil: the place is not kept.
    let file: CursorFile?
    /// How many events are still to be printed; nil for any number.
    var count: Int?
    let failsOnReset: Bool

    /// Prints one event. Marks (`ready`, `ping`) are not printed, but their place is kept. Returns false when enough
    /// was printed. Throws ``CommandFailure``.
    ///
    /// The place is written after the event: whoever is killed in between sees it once more, and never misses it.
    mutating func print(_ event: FeedEvent) throws(CommandFailure) -> Bool {
        if event.type == "reset", failsOnReset {
            let reason = (try? JSONText(event.data))?.root["reason"]?.string ?? ""
            throw CommandFailure(
                .refused, code: "reset",
                "The place in the log was lost (\(reason)). Load the state anew, then follow from \(event.id ?? "now")."
            )
        }
        if !event.isMark { Self.print(event, to: output) }
        if let file, let id = event.id { try file.write(id) }
        guard !event.isMark, let left = count else { return true }
        count = left - 1
        return left > 1
    }

    /// Prints an event at once: as a line of JSON, its id, or for people.
    static func print(_ event: FeedEvent, to output: Output) {
        switch output.format {
        case .json, .jsonl: output.line(event.line)
        case .id: if let id = event.id { output.line(id.shownSafely) }
        case .table:
            let data = (try? JSONText(event.data))?.root
            let thread = data?["threadId"]?.string ?? data?["thread"]?["id"]?.string ?? ""
            let cells = [event.id ?? "-", event.type, data.map { Transcript.words(event.type, $0) } ?? "", thread]
            let isTerminal = output.width != nil
            let row = isTerminal ? [cells[0].padded(to: 20), cells[1].padded(to: 16), cells[2], cells[3]] : cells
            output.table(Table(titles: [], rows: [row], styles: [.dim, .coloured]))
        }
    }
}

/// A file that holds the place up to which a command has printed events.
struct CursorFile {
    let path: String

    /// The cursor; nil when there is no such file yet, or nothing in it. Throws ``CommandFailure`` for one that cannot
    /// be read.
    func read() throws(CommandFailure) -> String? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw .usage("The cursor file \(path) cannot be read.")
        }
        let line = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        return line.isEmpty ? nil : line
    }

    /// Replaces the cursor. The file holds the old one or the new one, whatever happens. Throws ``CommandFailure``.
    func write(_ cursor: String) throws(CommandFailure) {
        do throws(WholeFile.Failure) {
            try WholeFile.write(Array((cursor + "\n").utf8), to: path, mode: 0o666)
        } catch {
            throw .usage("The cursor file \(error)")
        }
    }
}
