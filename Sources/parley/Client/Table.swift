import Formats
import Foundation
import Scenarios

/// Rows of texts, as people and shells read them.
struct Table {
    /// The titles of the columns; empty for a table without a header.
    var titles: [String]
    /// Each row has a text for each column. Texts of others are made safe here.
    var rows: [[String]]
    /// The styles of the columns, where texts may have any; the header is bold.
    var styles: [TextStyle?] = []

    /// The lines of the table.
    ///
    /// - Parameters:
    ///   - width: columns of the terminal: the table is aligned, has a header, and is cut. Nil elsewhere: tabs separate
    ///     the texts, which are whole.
    ///   - isStyled: whether texts may have styles.
    func lines(width: Int?, isStyled: Bool = false) -> [String] {
        let rows = rows.map { $0.map(\.shownSafely) }
        guard let width else { return rows.map { $0.joined(separator: "\t") } }
        let all = titles.isEmpty ? rows : [titles] + rows
        let columns = (0..<(all.map(\.count).max() ?? 0)).map { column in
            all.map { column < $0.count ? $0[column].columns : 0 }.max() ?? 0
        }
        return all.enumerated().map { index, row in
            let cells = zip(row, columns).map { $0.padded(to: $1) }
            var line = cells.joined(separator: "  ")
            while line.hasSuffix(" ") { line.removeLast() }
            line = line.cut(to: width)
            guard isStyled else { return line }
            return index == 0 && !titles.isEmpty ? TextStyle.bold.paint(line) : styled(line, cells)
        }
    }

    /// A line that may be cut, with the styles of its cells.
    private func styled(_ line: String, _ cells: [String]) -> String {
        var (rest, styled) = (line[...], "")
        for (cell, style) in zip(cells, styles) {
            let piece = rest.prefix(cell.count)
            styled += style?.paint(piece) ?? String(piece)
            rest = rest.dropFirst(piece.count)
            styled += rest.prefix(2)
            rest = rest.dropFirst(2)
        }
        return styled + rest
    }
}

/// How a text stands out at a terminal.
enum TextStyle: String {
    case bold = "1"
    case dim = "2"
    case coloured = "36"

    /// The text in this style (ECMA-48, SGR). To be used behind ``Swift/String/shownSafely`` and after cutting, because
    /// the sequences take no columns.
    func paint(_ text: some StringProtocol) -> String {
        text.isEmpty ? "" : "\u{1B}[\(rawValue)m\(text)\u{1B}[0m"
    }

    /// Whether texts may have styles: at a terminal that knows them, and where nobody has said no
    /// (https://no-color.org).
    static func isWanted(_ descriptor: Int32, _ environment: [String: String]) -> Bool {
        isatty(descriptor) == 1 && environment["NO_COLOR"] ?? "" == "" && environment["TERM"] ?? "dumb" != "dumb"
    }
}

/// Texts in the columns of a terminal.
extension String {
    /// How many columns of a terminal the text takes, about: wide characters of East Asia and emoji take two.
    var columns: Int { reduce(0) { $0 + $1.columns } }

    /// The text cut to so many columns, with `…` at the end of what was cut.
    func cut(to limit: Int) -> String {
        if utf8.count <= limit || columns <= limit { return self }
        var (cut, width) = ("", 0)
        for character in self {
            width += character.columns
            if width > limit - 1 { break }
            cut.append(character)
        }
        return cut + "…"
    }

    /// The text with blanks up to so many columns.
    func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - columns)) }
}

extension Character {
    fileprivate var columns: Int {
        guard let first = unicodeScalars.first else { return 0 }
        switch first.value {
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
            0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
            return 2
        default: return first.properties.isEmojiPresentation ? 2 : 1
        }
    }
}

/// Messages as rows of a table.
extension Transcript {
    static let titles = ["TIME", "AUTHOR", "TEXT", "MESSAGE"]

    static func row(_ message: JSONElement) -> [String] {
        [message["createdAt"]?.string ?? "", author(message), text(message), message["id"]?.string ?? ""]
    }

    /// Prints a list that has the newest message first, oldest first; but as JSON as it is.
    static func print(_ list: Pages, to output: Output) {
        output.list(
            list.items.reversed(), bytes: list.bytes, titles: titles, styles: [.dim, .bold, nil, .dim], row: row)
    }
}
