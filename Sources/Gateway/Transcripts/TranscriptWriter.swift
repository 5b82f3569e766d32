import Bounds
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
    private var parentBytes = 0
    private var isEmpty = true

    /// The most bytes of parents that are remembered; of later ones a reply says only that it is one.
    private static let maximumParentBytes = ByteBound.transcriptParents.bytes

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

    /// Returns no more memory than is written.
    ///
    /// - Parameter messages: the next ones as the API writes them, oldest first.
    mutating func add(_ messages: [ArraySlice<UInt8>]) throws -> [UInt8] {
        var pieces: [[UInt8]] = []
        for bytes in messages {
            if form == .json {
                if !isEmpty { pieces.append([UInt8(ascii: ",")]) }
                pieces.append(Array(bytes))
            } else {
                pieces.append(Array(try words(Message(canonicalJSON: Array(bytes))).utf8))
            }
            isEmpty = false
        }
        return pieces.fitted
    }

    private mutating func words(_ message: Message) -> String {
        let entry = TranscriptEntry(message: message)
        let parent = message.parentID.flatMap { parents[$0] }
        if message.replyCount > 0 { remember(entry) }
        if form == .html { return TranscriptPage.item(entry, parent: parent, offset) }
        let notes = entry.notes(parent: parent).map { "(\($0))" }
        let parts = notes + ([entry.text] + entry.files).filter { !$0.isEmpty }
        let line = "\(offset.rfc3339(message.createdAt))  \(entry.author): \(parts.joined(separator: " "))"
        return line.shownSafely + "\n"
    }

    private mutating func remember(_ parent: TranscriptEntry) {
        let short = parent.short
        let size = 64 + parent.message.id.utf8.count + short.utf8.count
        guard parentBytes + size <= Self.maximumParentBytes else { return }
        parentBytes += size
        parents[parent.message.id] = short
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

extension [[UInt8]] {
    /// One after the other, in an array that has no room for more: one that grows has up to twice what is in it.
    var fitted: [UInt8] {
        var all: [UInt8] = []
        all.reserveCapacity(reduce(0) { $0 + $1.count })
        for piece in self { all += piece }
        return all
    }
}
