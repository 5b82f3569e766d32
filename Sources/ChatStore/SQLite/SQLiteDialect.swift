/// SQLite's words for what the engines do not have in common.
extension SQLiteConnection {
    static func jsonText(of column: String, at path: [String]) -> String {
        "json_extract(CAST(\(column) AS TEXT), '$.\(path.joined(separator: "."))')"
    }

    static func contains(_ column: String) -> String { "instr(\(column), ?) > 0" }

    /// Of two BLOBs, `instr` compares bytes.
    static func hasPrefix(_ text: String, _ parameter: String) -> String {
        "instr(CAST(\(text) AS BLOB), CAST(\(parameter) AS BLOB)) = 1"
    }

    /// The query for the last number that a table with drawn numbers gave out.
    static func lastNumberQuery(_ table: String) -> String { "SELECT seq FROM sqlite_sequence WHERE name = '\(table)'" }

    func restartNumbers(of table: String) throws {
        try run("DELETE FROM sqlite_sequence WHERE name = ?", [.text(table)])
    }
}
