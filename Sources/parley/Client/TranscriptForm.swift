import ArgumentParser
import Formats

/// A transcript as a file: messages, oldest first.
enum TranscriptForm: String, ExpressibleByArgument, CaseIterable {
    /// An object with `thread` and `items`, as the API writes them.
    case json
    /// A line for each message.
    case text
    /// A page that needs nothing else, and runs nothing.
    case html

    /// - Parameter thread: the thread as the API writes it.
    func written(_ messages: [JSONElement], of thread: JSONElement) -> [UInt8] {
        switch self {
        case .json:
            var json = JSONWriter()
            json.beginObject()
            json.name("thread")
            json.raw(thread.bytes)
            json.name("items")
            json.beginArray()
            for message in messages { json.raw(message.bytes) }
            json.endArray()
            json.endObject()
            return json.bytes
        case .text:
            let lines = messages.map {
                "\($0["createdAt"]?.string ?? "")  \(Transcript.line($0) ?? "")".shownSafely
            }
            return Array(lines.joined(separator: "\n").utf8)
        case .html: return Array(Self.page(messages, thread).utf8)
        }
    }

    private static func page(_ messages: [JSONElement], _ thread: JSONElement) -> String {
        let title = (thread["name"]?.string ?? thread["id"]?.string ?? "").escapedForMarkup
        var page = """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>\(title)</title>
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
            <style>
            body { font: 1em/1.5 sans-serif; max-width: 45em; margin: 2em auto; padding: 0 1em }
            li { list-style: none; margin: 1em 0 }
            ol { padding: 0 }
            p { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere }
            time { color: #595959 }
            </style></head>
            <body><h1>\(title)</h1>
            <ol>

            """
        for message in messages {
            let time = (message["createdAt"]?.string ?? "").escapedForMarkup
            page +=
                "<li><b>\(Transcript.author(message).escapedForMarkup)</b> <time datetime=\"\(time)\">\(time)</time>"
            page += "<p dir=\"auto\">\(Transcript.text(message).escapedForMarkup)</p></li>\n"
        }
        return page + "</ol></body></html>"
    }
}

extension String {
    /// The text as HTML and XML may hold it: what XML 1.0 has no way to write is replaced.
    var escapedForMarkup: String {
        var escaped = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "\n": escaped += "&#10;"
            case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
