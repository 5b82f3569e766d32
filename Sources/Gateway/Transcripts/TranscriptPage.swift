import ChatModel
import Formats
import HTTPRouting

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
