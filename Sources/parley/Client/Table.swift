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
