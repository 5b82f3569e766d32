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
