/// Rows of texts, as people and shells read them.
struct Table {
    /// The titles of the columns; empty for a table without a header.
    var titles: [String]
    /// Each row has a text for each column. Texts of others are made safe here.
    var rows: [[String]]

    /// The lines of the table.
    ///
    /// - Parameter width: columns of the terminal: the table is aligned, has a header, and is cut. Nil elsewhere:
    ///   tabs separate the texts, which are whole.
    func lines(width: Int?) -> [String] {
        let rows = rows.map { $0.map(\.shownSafely) }
        guard let width else { return rows.map { $0.joined(separator: "\t") } }
        let all = titles.isEmpty ? rows : [titles] + rows
        let columns = (0..<(all.map(\.count).max() ?? 0)).map { column in
            all.map { column < $0.count ? $0[column].columns : 0 }.max() ?? 0
        }
        return all.map { row in
            let cells = zip(row, columns).map { $0.padded(to: $1) }
            var line = cells.joined(separator: "  ")
            while line.hasSuffix(" ") { line.removeLast() }
            return line.cut(to: width)
        }
    }
}
