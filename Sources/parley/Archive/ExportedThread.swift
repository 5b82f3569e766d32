import Formats
import Foundation

/// Writes conversations, one after the other, message by message.
protocol ExportWriter {
    /// Before the first conversation.
    var head: [UInt8] { get }
    /// Whether notes are written, too.
    var hasNotes: Bool { get }
    /// A conversation begins: as the gateway's export route writes it.
    mutating func begin(_ thread: JSONElement) -> [UInt8]
    /// A message, the oldest first.
    mutating func message(_ message: JSONElement) -> [UInt8]
    mutating func note(_ note: JSONElement) -> [UInt8]
    mutating func end() -> [UInt8]
}

/// A conversation a line, as `parley import` reads it.
struct ThreadLines: ExportWriter {
    let head: [UInt8] = []
    let hasNotes = true
    private var isFirst = true
    private var isInNotes = false

    /// What follows from the rest, or from where the message is.
    private static let derived: Set<String> = ["threadId", "direction", "status", "replyInfo", "failure"]

    mutating func begin(_ thread: JSONElement) -> [UInt8] {
        (isFirst, isInNotes) = (true, false)
        return thread.bytes.dropLast() + Array(",\"messages\":[".utf8)
    }

    mutating func message(_ message: JSONElement) -> [UInt8] { item(message) }

    mutating func note(_ note: JSONElement) -> [UInt8] {
        guard !isInNotes else { return item(note) }
        (isFirst, isInNotes) = (true, true)
        return Array("],\"notes\":[".utf8) + item(note)
    }

    mutating func end() -> [UInt8] { Array("]}\n".utf8) }

    private mutating func item(_ item: JSONElement) -> [UInt8] {
        var json = JSONWriter(reservingCapacity: item.bytes.count + 1)
        json.beginObject()
        for member in item.members ?? [] {
            if Self.derived.contains(member.name) { continue }
            if member.name == "attachments", member.value.isEmpty { continue }
            if member.name == "updatedAt", member.value.string == item["createdAt"]?.string { continue }
            json.name(member.name)
            json.raw(member.value.bytes)
        }
        json.endObject()
        defer { isFirst = false }
        return (isFirst ? [] : [UInt8(ascii: ",")]) + json.bytes
    }
}

/// A message a row, with what its conversation is. Nothing is lost by it, and a table program can count both.
struct MessageRows: ExportWriter {
    let hasNotes = false
    private var table = CSVTable()
    private var thread: [String] = []
    private var contacts: [JSONElement] = []

    static let columns = [
        "thread", "channel", "customer", "customerName", "customerEmail", "state", "agent", "tags", "openedAt",
        "firstAnswerAt", "closedAt", "score", "message", "createdAt", "author", "authorName", "authorKind", "type",
        "text", "files",
    ]

    /// With the mark by which spreadsheets know UTF-8.
    var head: [UInt8] {
        var table = CSVTable()
        table.row(Self.columns)
        return [0xEF, 0xBB, 0xBF] + table.bytes
    }

    mutating func begin(_ thread: JSONElement) -> [UInt8] {
        let customer = thread["customer"]
        let names = [customer?["firstName"]?.string, customer?["lastName"]?.string].compactMap { $0 }
        let tags = (thread["tags"]?.elements ?? []).compactMap { $0["name"]?.string ?? $0["id"]?.string }
        self.thread = [
            thread["id"]?.string, thread["channel"]?.string, customer?["id"]?.string, names.joined(separator: " "),
            customer?["email"]?.string, thread["state"]?.string, thread["agent"]?["id"]?.string,
            tags.joined(separator: ", "),
        ].map { $0 ?? "" }
        contacts = thread["contacts"]?.elements ?? []
        return []
    }

    mutating func message(_ message: JSONElement) -> [UInt8] {
        let time = message["createdAt"]?.string ?? ""
        let contact = contacts.last { $0["openedAt"]?.string ?? "" <= time }
        let author = message["author"]
        let files = (message["attachments"]?.elements ?? []).compactMap { $0["name"]?.string }
        table.row(
            thread
                + [
                    contact?["openedAt"]?.string, contact?["firstAnswerAt"]?.string, contact?["closedAt"]?.string,
                    contact?["score"]?.number, message["id"]?.string, time, author?["id"]?.string,
                    author?["name"]?.string, author?["kind"]?.string, message["type"]?.string,
                    message["text"]?.string, files.joined(separator: ", "),
                ].map { $0 ?? "" })
        return table.takeRows()
    }

    mutating func note(_ note: JSONElement) -> [UInt8] { [] }
    mutating func end() -> [UInt8] { [] }
}

/// Where an export goes: a file that has its name only when it is whole, or standard output. It is written in pieces.
final class ExportFile {
    private let output: Output
    private let path: String?
    private let isJSON: Bool
    private var descriptor: Int32 = STDOUT_FILENO
    private var text: ForeignText
    private var waiting: [UInt8] = []

    private static let piece = 64 << 10

    /// Opens the file, beside which nothing may stand that is being written. Throws ``CommandFailure``.
    ///
    /// - Parameter path: nil for standard output.
    init(_ path: String?, _ output: Output, isJSON: Bool) throws(CommandFailure) {
        (self.output, self.path, self.isJSON) = (output, path, isJSON)
        text = ForeignText(output, isJSON: isJSON)
        guard let path else { return }
        descriptor = open(Self.unfinished(path), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        if descriptor < 0 { throw .usage("\(path) cannot be written: \(String.system(errno)).") }
    }

    /// The name of the file until it is whole.
    static func unfinished(_ path: String) -> String { path + ".part" }

    /// Throws ``CommandFailure``.
    func write(_ bytes: some Sequence<UInt8>) throws(CommandFailure) {
        waiting += bytes
        if waiting.count >= Self.piece { try flush() }
    }

    private func flush() throws(CommandFailure) {
        defer { waiting.removeAll(keepingCapacity: true) }
        if path == nil { return text.write(waiting) }
        if !Output.write(waiting, to: descriptor) { throw failure(errno) }
    }

    private func failure(_ number: Int32) -> CommandFailure {
        CommandFailure(.refused, code: "notWritten", "\(path ?? "") cannot be written: \(String.system(number)).")
    }

    /// Gives the file its final name. Called after the last write. Throws ``CommandFailure``.
    func finish() throws(CommandFailure) {
        try flush()
        guard let path else { return text.end() }
        guard fsync(descriptor) == 0 || errno == EINVAL, close(descriptor) == 0,
            rename(Self.unfinished(path), path) == 0
        else { throw failure(errno) }
    }

    /// The export ends early. The file goes; what is on standard output ends with a line that nobody can read as one.
    func giveUp() {
        if let path {
            close(descriptor)
            unlink(Self.unfinished(path))
        } else {
            text.write(waiting + Array((isJSON ? "{\"brokenOff" : "\"the export broke off").utf8))
            text.end()
        }
    }
}
