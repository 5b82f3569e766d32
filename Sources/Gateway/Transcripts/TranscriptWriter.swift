import ChatModel
import Formats

/// Writes a transcript piece by piece, so that a long one is never in memory as a whole.
struct TranscriptWriter {
    let form: TranscriptForm
    let offset: UTCOffset
    /// How many messages were removed: nothing else is kept of them, not even their place.
    let removed: Int
    /// Messages that have replies, in short, by id.
    private var parents: [String: String] = [:]
    private var isEmpty = true

    /// The most parents that are remembered; of later ones a reply says only that it is one.
    private static let maximumParents = 10_000

    init(_ form: TranscriptForm, _ offset: UTCOffset, removed: Int) {
        (self.form, self.offset, self.removed) = (form, offset, removed)
    }

    /// - Parameter thread: as the API writes it.
    func head(of thread: [UInt8]) throws -> [UInt8] {
        switch form {
        case .json:
            return Array("{\"thread\":".utf8) + thread + Array(",\"removedCount\":\(removed),\"items\":[".utf8)
        case .text: return []
        case .html:
            let root = try JSONText(thread).root
            let title = root["name"]?.string ?? root["id"]?.string ?? ""
            return Array(TranscriptPage.head(title: title, offset).utf8)
        }
    }

    /// - Parameter messages: the next ones as the API writes them, oldest first.
    mutating func add(_ messages: [ArraySlice<UInt8>]) throws -> [UInt8] {
        var written: [UInt8] = []
        for bytes in messages {
            if form == .json {
                if !isEmpty { written.append(UInt8(ascii: ",")) }
                written += bytes
            } else {
                written += try words(Message(canonicalJSON: Array(bytes))).utf8
            }
            isEmpty = false
        }
        return written
    }

    private mutating func words(_ message: Message) -> String {
        let entry = TranscriptEntry(message: message)
        let parent = message.parentID.flatMap { parents[$0] }
        if message.replyCount > 0, parents.count < Self.maximumParents { parents[message.id] = entry.short }
        if form == .html { return TranscriptPage.item(entry, parent: parent, offset) }
        let notes = entry.notes(parent: parent).map { "(\($0))" }
        let parts = notes + ([entry.text] + entry.files).filter { !$0.isEmpty }
        let line = "\(offset.rfc3339(message.createdAt))  \(entry.author): \(parts.joined(separator: " "))"
        return line.shownSafely + "\n"
    }

    /// - Parameter isComplete: false if messages are missing. JSON is left open then, so that nobody takes it for whole.
    func end(isComplete: Bool) -> [UInt8] {
        var note = removed == 0 ? nil : removed == 1 ? "One message was removed." : "\(removed) messages were removed."
        if !isComplete { note = "The transcript breaks off here: the gateway could not read on." }
        return switch form {
        case .json: isComplete ? Array("]}".utf8) : []
        case .text: Array((note.map { "\($0)\n" } ?? "").utf8)
        case .html: Array(TranscriptPage.end(note).utf8)
        }
    }
}
