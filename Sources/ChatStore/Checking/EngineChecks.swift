extension StoreCheck {
    /// What each engine keeps in its own way: its file, its commits, and the numbers that it draws.
    static let engine = [
        StoreCheck(name: "engine") { look in
            switch look.db {
            case .lite: try look.checkFile()
            case .remote: try look.checkCommits()
            }
        },
        StoreCheck(name: "numbers") { look in
            for table in numberedTables {
                let last = try look.number("SELECT max(number) FROM \(table)")
                let drawn = try look.number(look.db.lastNumberQuery(table))
                guard last > drawn else { continue }
                look.report("\(table): its last number is \(last), and only \(drawn) were given out")
            }
        },
    ]

    /// Tables whose numbers are never used again.
    static let numberedTables = ["thread", "contact", "target", "delivery"]
}

extension Session {
    /// The query for the last number that was drawn for a table; no row, or null, before the first.
    func lastNumberQuery(_ table: String) -> String {
        switch self {
        case .lite: SQLiteConnection.lastNumberQuery(table)
        case .remote:
            """
            SELECT last_value FROM pg_sequences WHERE schemaname = current_schema() \
            AND sequencename = '\(table)_number_seq'
            """
        }
    }
}

extension Inspection {
    /// SQLite's own look at pages and indexes. It tells at most some faults.
    fileprivate func checkFile() throws {
        try db.query("/* check */ PRAGMA integrity_check(20)", []) { row in
            let words = row.text(0)
            if words != "ok" { report("the database file: \(words)") }
            return true
        }
    }

    /// Each commit begins where the one before has ended. There is one row of what exists once.
    fileprivate func checkCommits() throws {
        for table in ["identity", "writer"] {
            let count = try number("SELECT count(*) FROM \(table)")
            if count != 1 { report("\(table): it has \(count) rows, and should have one") }
        }
        var last: (number: Int64, place: Int64)?
        try each("number, first, place", of: "committed", { ($0.integer(0), $0.integer(1), $0.integer(2)) }) { row in
            let (number, first, place) = row
            if first > place { report("commit \(number): it begins at \(first) and ends at \(place)") }
            if let last, last.number + 1 == number, last.place != first {
                report("commit \(number): it begins at \(first), and the one before has ended at \(last.place)")
            }
            last = (number, place)
        }
        try find(
            "attachment", in: "filePart",
            where: """
                number = 0 AND NOT EXISTS (SELECT 1 FROM attachment WHERE attachment.id = filePart.attachment)
                AND NOT EXISTS (SELECT 1 FROM arrivingFile WHERE arrivingFile.attachment = filePart.attachment)
                """
        ) { "attachment \($0) is missing, and has a file" }
    }
}
