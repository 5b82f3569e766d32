import MicroHTTP

/// A plain page that is made here: no script, no style of its own, so that the strictest policy holds.
struct HTMLPage {
    static let contentType = ("Content-Type", "text/html; charset=utf-8")

    private let title: String
    /// The body so far, after its heading.
    var html = ""

    init(title: String) { self.title = title }

    mutating func paragraph(_ text: String) { html += "<p>\(Self.escape(text))</p>\n" }

    var bytes: [UInt8] {
        let title = Self.escape(title)
        return Array("""
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(title)</title>
            </head>
            <body>
            <h1>\(title)</h1>
            \(html)</body>
            </html>

            """.utf8)
    }

    func response(status: Int = 200) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: [Self.contentType, ("Content-Security-Policy", SecurityHeaders.pagePolicy)], body: .bytes(bytes))
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
