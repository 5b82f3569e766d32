import Bounds
import ChatModel
import Formats
import HTTPRouting

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

/// A message as transcripts tell it, whoever reads them: the words are the same for people and for assistants.
package struct TranscriptEntry {
    let message: Message

    package init(message: Message) { self.message = message }

    /// Who wrote it. A program is not taken for a person.
    var author: String {
        let name = message.author.name ?? message.author.id
        return message.author.kind == .bot ? "\(name) (bot)" : name
    }

    /// One for each file: it is named, and not part of the transcript.
    package var files: [String] {
        message.attachments.map { "[file \($0.name), \($0.mimeType), \($0.size) bytes]" }
    }

    /// The text; of a message that has none, its type. Empty if there are files alone.
    package var text: String {
        if let text = message.text, !text.isEmpty { return text }
        return files.isEmpty ? "[\(message.type.rawValue)]" : ""
    }

    /// What else there is to know of it, for between brackets.
    ///
    /// - Parameter parent: the message that it replies to, in short; nil if the transcript does not have it.
    func notes(parent: String?) -> [String] {
        var notes: [String] = []
        if message.parentID != nil { notes.append(parent.map { "to \($0)" } ?? "a reply") }
        if message.editedAt != nil { notes.append("edited") }
        return notes
    }

    /// Author and beginning of the text, for a reply that names it.
    var short: String {
        let words = ([text] + files).filter { !$0.isEmpty }.joined(separator: " ")
        let start = words.cut(toScalars: Self.shortLength)
        return "\(author): \(start.text)\(start.isCut ? "…" : "")"
    }

    private static let shortLength = 60
}

/// The page of a transcript. It can be saved and opened anywhere: nothing in it is loaded or run.
enum TranscriptPage {
    private static let style = """
        body { font: 1em/1.5 sans-serif; max-width: 45em; margin: 2em auto; padding: 0 1em }
        li { list-style: none; margin: 1em 0 }
        ol { padding: 0 }
        p { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere }
        time, .note { color: #595959 }
        """

    /// Lets the one style count, and no other.
    static let policy: String = {
        let digest = Base64URL.encode(SHA256.hash(Array(style.utf8)))
        return "style-src 'sha256-\(digest.replacing("-", with: "+").replacing("_", with: "/"))='"
    }()

    /// All before the first message.
    static func head(title: String, _ offset: UTCOffset) -> String {
        let title = title.escapedForMarkup
        return """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>\(title)</title>
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; \(policy)">
            <style>\(style)</style></head>
            <body><h1 dir="auto">\(title)</h1>
            <p class="note">Times are in UTC\(offset == .utc ? "" : offset.text).</p>
            <ol>

            """
    }

    static func item(_ entry: TranscriptEntry, parent: String?, _ offset: UTCOffset) -> String {
        let time = entry.message.createdAt
        var item = "<li><b dir=\"auto\">\(entry.author.escapedForMarkup)</b>"
        item += " <time datetime=\"\(time.rfc3339)\">\(offset.words(time))</time>"
        for note in entry.notes(parent: parent) {
            item += "<p class=\"note\" dir=\"auto\">\(note.escapedForMarkup)</p>"
        }
        for words in [entry.text] + entry.files where !words.isEmpty {
            item += "<p dir=\"auto\">\(words.escapedForMarkup)</p>"
        }
        return item + "</li>\n"
    }

    /// - Parameter note: the last words; nil for none.
    static func end(_ note: String?) -> String {
        "</ol>\(note.map { "<p class=\"note\">\($0)</p>" } ?? "")</body></html>\n"
    }
}
