import ChatModel

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
