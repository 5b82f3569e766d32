/// Renders Markdown as HTML: the articles of the guide, and the texts of the OpenAPI document.
///
/// It reads what those texts use: headings, paragraphs, flat lists, tables, fenced code, code, emphasis and links.
/// DocC's links to articles (`<doc:Webhooks>`) become links below `/docs/`, those to symbols become code. Anything else
/// is text, HTML too. All text is escaped. A link leads to the web or to a path of this gateway, not to `javascript:`.
/// Code and tables can be wider than the page; they get the focus, so that the keyboard scrolls them.
struct Markdown {
    /// The title of an article, by its name; nil if there is no such article. A link to it shows its name as text then.
    var title: (String) -> String? = { _ in nil }

    /// The blocks of a text.
    func html(_ text: some StringProtocol) -> String {
        // By bytes, here and below: reading by characters takes twice the time.
        let bytes = Substring(text).utf8
        let split = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        var lines = split.map { Substring($0) }[...]
        var html = ""
        while let line = lines.first {
            if line.allSatisfy(\.isWhitespace) {
                lines.removeFirst()
            } else if line.hasPrefix("```") {
                html += code(&lines)
            } else if line.hasPrefix("|") {
                html += table(&lines)
            } else if let heading = heading(line) {
                html += heading
                lines.removeFirst()
            } else if let marker = marker(line) {
                html += list(&lines, tag: marker.hasPrefix("-") ? "ul" : "ol")
            } else {
                html += paragraph(&lines)
            }
        }
        return html
    }

    /// The fragment that leads to a heading, as DocC makes it: words joined by hyphens.
    static func anchor(_ heading: some StringProtocol) -> String {
        heading.split { !$0.isLetter && !$0.isNumber }.joined(separator: "-")
    }

    private func heading(_ line: Substring) -> String? {
        let level = line.prefix { $0 == "#" }.count
        guard (1...4).contains(level), line.dropFirst(level).first == " " else { return nil }
        let text = line.dropFirst(level + 1)
        return "<h\(level) id=\"\(HTMLPage.escape(Self.anchor(text)))\">\(inline(text))</h\(level)>\n"
    }

    /// What makes a line an item of a list: "- ", or a number with a dot.
    private func marker(_ line: Substring) -> Substring? {
        if line.hasPrefix("- ") { return line.prefix(2) }
        let digits = line.prefix { $0.isASCII && $0.isNumber }.count
        guard (1...3).contains(digits), line.dropFirst(digits).hasPrefix(". ") else { return nil }
        return line.prefix(digits + 2)
    }

    private func beginsBlock(_ line: Substring) -> Bool {
        line.allSatisfy(\.isWhitespace) || line.hasPrefix("```") || line.hasPrefix("|") || heading(line) != nil
            || marker(line) != nil
    }

    private func code(_ lines: inout ArraySlice<Substring>) -> String {
        lines.removeFirst()
        let body = lines.prefix { !$0.hasPrefix("```") }
        lines = lines.dropFirst(body.count + 1)
        return "<pre tabindex=\"0\"><code>\(body.map { HTMLPage.escape($0) + "\n" }.joined())</code></pre>\n"
    }

    private func paragraph(_ lines: inout ArraySlice<Substring>) -> String {
        let body = [lines.removeFirst()] + lines.prefix { !beginsBlock($0) }
        lines = lines.dropFirst(body.count - 1)
        return "<p>\(inline(body.joined(separator: " ")))</p>\n"
    }

    /// An item goes on in the lines that are indented.
    private func list(_ lines: inout ArraySlice<Substring>, tag: String) -> String {
        var html = "<\(tag)>\n"
        while let first = lines.first, let marker = marker(first), marker.hasPrefix("-") == (tag == "ul") {
            lines.removeFirst()
            let more = lines.prefix { $0.hasPrefix("  ") && !$0.allSatisfy(\.isWhitespace) }
            lines = lines.dropFirst(more.count)
            let words = [first.dropFirst(marker.count)] + more.map { $0.drop(while: \.isWhitespace) }
            html += "<li>\(inline(words.joined(separator: " ")))</li>\n"
        }
        return html + "</\(tag)>\n"
    }

    /// The first row is the head, the second one parts it from the others. An empty cell of the head heads nothing.
    private func table(_ lines: inout ArraySlice<Substring>) -> String {
        let rows = lines.prefix { $0.hasPrefix("|") }.map(cells)
        lines = lines.dropFirst(rows.count)
        var html = "<div class=\"wide\" tabindex=\"0\"><table>\n"
        for (index, row) in rows.enumerated() where index != 1 {
            let cells = row.map { index == 0 && !$0.isEmpty ? "<th>\(inline($0))</th>" : "<td>\(inline($0))</td>" }
            html += "<tr>\(cells.joined())</tr>\n"
        }
        return html + "</table></div>\n"
    }

    /// The cells of a row; `\|` is a bar within a cell.
    private func cells(_ row: Substring) -> [String] {
        var cells: [String] = []
        var cell: [UInt8] = []
        for byte in row.utf8.dropFirst() {
            if byte == UInt8(ascii: "|"), cell.last == UInt8(ascii: "\\") {
                cell[cell.count - 1] = byte
            } else if byte == UInt8(ascii: "|") {
                let words = cell.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
                cells.append(words.joined(separator: " "))
                cell = []
            } else {
                cell.append(byte)
            }
        }
        return cells
    }
}
