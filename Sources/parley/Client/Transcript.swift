import Formats

/// Messages as people read them.
enum Transcript {
    static let titles = ["TIME", "AUTHOR", "TEXT", "MESSAGE"]

    static func row(_ message: JSONElement) -> [String] {
        [message["createdAt"]?.string ?? "", author(message), text(message), message["id"]?.string ?? ""]
    }

    /// Prints a list that has the newest message first, oldest first; but as JSON as it is.
    static func print(_ list: Pages, to output: Output) {
        output.list(
            list.items.reversed(), bytes: list.bytes, titles: titles, styles: [.dim, .bold, nil, .dim], row: row)
    }

    /// Author and text in one line; nil for no message.
    static func line(_ message: JSONElement?) -> String? { message.map { "\(author($0)): \(text($0))" } }

    static func author(_ message: JSONElement) -> String {
        let author = message["author"]
        return author?["name"]?.string ?? author?["id"]?.string ?? author?["kind"]?.string ?? ""
    }

    /// The text, and the names of the files; of a message without either, its type.
    static func text(_ message: JSONElement) -> String {
        let files = (message["attachments"]?.elements ?? []).map { "[\($0["name"]?.string ?? "file")]" }
        let parts = [message["text"]?.string].compactMap { $0 }.filter { !$0.isEmpty } + files
        return parts.isEmpty ? "[\(message["type"]?.string ?? "")]" : parts.joined(separator: " ")
    }
}
