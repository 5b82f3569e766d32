extension WireValue {
    /// What people can read in content of any shape, as an adaptive card or a form: its titles, texts and labels, in the
    /// order in which they stand. A link stands behind its title, and a fact's value behind its name.
    ///
    /// At most 50 lines of 500 characters each: it stands in for the content, and the content may be anything.
    var readableLines: [String] {
        var lines: [String] = []
        collectLines(into: &lines)
        return lines
    }

    private static let lineLimit = 50, lengthLimit = 500

    private func collectLines(into lines: inout [String]) {
        guard lines.count < Self.lineLimit else { return }
        if let elements {
            for element in elements { element.collectLines(into: &lines) }
            return
        }
        for (name, value) in members {
            if let text = value.string {
                guard Self.isForPeople(name) else { continue }
                add(text, behind: name, to: &lines)
            } else {
                value.collectLines(into: &lines)
            }
        }
    }

    private func add(_ text: String, behind name: String, to lines: inout [String]) {
        var line = text
        if name == "title" || name == "label" {
            let rest = self["url"]?.filledString ?? self["value"]?.filledString
            if let rest, !text.isEmpty { line += ": " + rest }
        }
        line = String(String.UnicodeScalarView(line.unicodeScalars.prefix(Self.lengthLimit)))
        guard !line.allSatisfy(\.isWhitespace), lines.last != line, lines.count < Self.lineLimit else { return }
        lines.append(line)
    }

    /// Whether members of this name are shown by the platform's own clients. Others are ids, addresses, sizes and colours.
    private static func isForPeople(_ name: String) -> Bool {
        ["title", "subtitle", "text", "label", "content", "altText", "placeholder"].contains(name)
    }
}
