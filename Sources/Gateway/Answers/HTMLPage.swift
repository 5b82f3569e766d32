import HTTPRouting
import MicroHTTP

/// A page that is made here: its style and script from `web/`, so that the pages' policy holds. A page of the reference has
/// a column beside it.
package struct HTMLPage {
    package static let contentType = ("Content-Type", "text/html; charset=utf-8")

    private let title: String
    /// The body so far, after its heading.
    package var html = ""
    /// What stands beside the page, for finding one's way; empty for none.
    package var column = "" {
        didSet { script = "/assets/docs.js" }
    }
    /// The path of the page's script; nil for none.
    package var script: String?

    package init(title: String) { self.title = title }

    package var bytes: [UInt8] {
        let title = Self.escape(title)
        let script = script.map { "<script type=\"module\" src=\"\($0)\"></script>\n" } ?? ""
        let beside =
            column.isEmpty
            ? ""
            : """
            <a class="skip" href="#main">To the content</a>
            <nav class="column" aria-label="Documentation">
            \(column)</nav>

            """
        return Array(
            """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(title)</title>
            <link rel="icon" href="/assets/icon.svg">
            <link rel="stylesheet" href="/assets/docs.css">
            \(script)</head>
            <body\(column.isEmpty ? "" : " class=\"reference\"")>
            \(beside)<main id="main">
            <h1>\(title)</h1>
            \(html)</main>
            </body>
            </html>

            """.utf8)
    }

    func response(status: Int = 200) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: [Self.contentType, ("Content-Security-Policy", SecurityHeaders.pagePolicy)],
            body: .bytes(bytes))
    }

    package static func escape(_ text: some StringProtocol) -> String {
        var out: [UInt8] = []
        out.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): out += Array("&amp;".utf8)
            case UInt8(ascii: "<"): out += Array("&lt;".utf8)
            case UInt8(ascii: ">"): out += Array("&gt;".utf8)
            case UInt8(ascii: "\""): out += Array("&quot;".utf8)
            default: out.append(byte)
            }
        }
        return String(decoding: out, as: UTF8.self)
    }
}
