import Gateway

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

extension Markdown {
    /// One line's or one paragraph's text.
    func inline(_ text: some StringProtocol) -> String {
        var html = ""
        var rest = Substring(text)
        while let mark = rest.utf8.firstIndex(where: Self.isMark) {
            html += HTMLPage.escape(rest[..<mark])
            rest = rest[mark...]
            if let span = span(rest) {
                html += span.html
                rest = span.rest
            } else {
                // A mark without its other half is a character like others.
                html += HTMLPage.escape(rest.prefix(1))
                rest = rest.dropFirst()
            }
        }
        return html + HTMLPage.escape(rest)
    }

    private static func isMark(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "`"), UInt8(ascii: "*"), UInt8(ascii: "["), UInt8(ascii: "<"): true
        default: false
        }
    }

    /// The span that begins with the mark at the start of `text`, and what follows it.
    private func span(_ text: Substring) -> (html: String, rest: Substring)? {
        switch text.first {
        case "`":
            // One backtick marks code, two a symbol: both are shown as code.
            let mark = text.prefix { $0 == "`" }
            guard let (code, rest) = Self.enclosed(text, by: mark, mark) else { return nil }
            return ("<code>\(HTMLPage.escape(code))</code>", rest)
        case "*":
            let mark = text.hasPrefix("**") ? "**" : "*"
            guard let (inner, rest) = Self.enclosed(text, by: mark, mark), inner.first?.isWhitespace == false,
                inner.last?.isWhitespace == false
            else { return nil }
            let tag = mark == "*" ? "em" : "strong"
            return ("<\(tag)>\(inline(inner))</\(tag)>", rest)
        case "[":
            guard let (label, after) = Self.enclosed(text, by: "[", "]"), after.hasPrefix("("),
                let (target, rest) = Self.enclosed(after, by: "(", ")")
            else { return nil }
            return (link(to: target, label: inline(label)), rest)
        case "<":
            guard let (target, rest) = Self.enclosed(text, by: "<", ">"), !target.contains(where: \.isWhitespace)
            else { return nil }
            if target.hasPrefix("doc:") {
                let name = String(target.dropFirst(4))
                return (link(to: target, label: HTMLPage.escape(title(name) ?? name)), rest)
            }
            guard target.hasPrefix("https://") || target.hasPrefix("http://") else { return nil }
            return (link(to: target, label: HTMLPage.escape(target)), rest)
        default: return nil
        }
    }

    private func link(to target: Substring, label: String) -> String {
        guard let address = address(of: target) else { return label }
        return "<a href=\"\(HTMLPage.escape(address))\">\(label)</a>"
    }

    /// Where a link leads; nil if it leads neither to an article, nor to the web, nor to a path of this gateway.
    private func address(of target: Substring) -> String? {
        if target.hasPrefix("doc:") {
            let name = target.dropFirst(4).prefix { $0 != "#" }
            return title(String(name)) == nil ? nil : "/docs/" + target.dropFirst(4)
        }
        let isOwn = target.hasPrefix("#") || target.hasPrefix("/") && !target.hasPrefix("//") && !target.contains("\\")
        return isOwn || ["https://", "http://", "mailto:"].contains(where: target.hasPrefix) ? String(target) : nil
    }

    /// What stands between two marks, which is not nothing, and what follows.
    private static func enclosed(
        _ text: Substring, by opening: some StringProtocol, _ closing: some StringProtocol
    ) -> (Substring, Substring)? {
        let inner = text.utf8.dropFirst(opening.utf8.count)
        guard let first = closing.utf8.first else { return nil }
        var search = inner
        while let start = search.firstIndex(of: first) {
            let rest = inner[start...]
            if rest.starts(with: closing.utf8) {
                guard start > inner.startIndex else { return nil }
                return (Substring(inner[..<start]), Substring(rest.dropFirst(closing.utf8.count)))
            }
            search = rest.dropFirst()
        }
        return nil
    }
}
