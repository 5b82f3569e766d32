import HTTPRouting
import MicroHTTP

/// A plain page that is made here: no script, and its style from `web/`, so that the pages' policy holds.
struct HTMLPage {
    static let contentType = ("Content-Type", "text/html; charset=utf-8")

    private let title: String
    /// The body so far, after its heading.
    var html = ""

    init(title: String) { self.title = title }

    mutating func paragraph(_ text: String) { html += "<p>\(Self.inline(text))</p>\n" }

    var bytes: [UInt8] {
        let title = Self.escape(title)
        return Array("""
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(title)</title>
            <link rel="icon" href="/assets/icon.svg">
            <link rel="stylesheet" href="/assets/docs.css">
            </head>
            <body>
            <main>
            <h1>\(title)</h1>
            \(html)</main>
            </body>
            </html>

            """.utf8)
    }

    func response(status: Int = 200) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: [Self.contentType, ("Content-Security-Policy", SecurityHeaders.pagePolicy)], body: .bytes(bytes))
    }

    /// Text in which backticks mark code, as the OpenAPI document writes it.
    static func inline(_ text: String) -> String {
        let parts = text.split(separator: "`", omittingEmptySubsequences: false)
        // An odd backtick marks nothing.
        guard parts.count % 2 == 1 else { return escape(text) }
        return parts.enumerated().map { $0.offset % 2 == 1 ? "<code>\(escape(String($0.element)))</code>" : escape(String($0.element)) }.joined()
    }

    static func escape(_ text: String) -> String {
        var out = ""
        out.reserveCapacity(text.utf8.count)
        for character in text.unicodeScalars {
            switch character {
            case "&": out += "&amp;"
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            case "\"": out += "&quot;"
            default: out.unicodeScalars.append(character)
            }
        }
        return out
    }
}
