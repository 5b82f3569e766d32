import Formats

/// Messages and events as people read them.
package enum Transcript {
    /// Author and text in one line; nil for no message.
    package static func line(_ message: JSONElement?) -> String? { message.map { "\(author($0)): \(text($0))" } }

    package static func author(_ message: JSONElement) -> String {
        let author = message["author"]
        return author?["name"]?.string ?? author?["id"]?.string ?? author?["kind"]?.string ?? ""
    }

    /// The text, and the names of the files; of a message without either, its type.
    package static func text(_ message: JSONElement) -> String {
        let files = (message["attachments"]?.elements ?? []).map { "[\($0["name"]?.string ?? "file")]" }
        let parts = [message["text"]?.string].compactMap { $0 }.filter { !$0.isEmpty } + files
        return parts.isEmpty ? "[\(message["type"]?.string ?? "")]" : parts.joined(separator: " ")
    }

    /// What happened, in a few words.
    package static func words(_ type: String, _ data: JSONElement) -> String {
        switch type {
        case "message.created", "message.updated": return line(data["message"]) ?? ""
        case "message.removed": return data["messageId"]?.string ?? ""
        case "thread.created", "thread.updated":
            let thread = data["thread"]
            return [thread?["name"]?.string, thread?["state"]?.string].compactMap { $0 }.joined(separator: ", ")
        case "typing":
            let author = data["author"]?["name"]?.string ?? data["author"]?["id"]?.string ?? ""
            return author + (data["isTyping"]?.kind == .true ? " types" : " has stopped typing")
        case "chat.updated": return data["state"]?.string ?? ""
        case "reset": return "\(data["reason"]?.string ?? ""): load \(data["snapshot"]?.string ?? "")"
        default: return String(decoding: data.bytes, as: UTF8.self)
        }
    }
}
