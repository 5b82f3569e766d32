import GRDB
import GRDBSQLite

extension Configuration {
    /// Statements of the connection look at ``ReadStop`` while they run, about each tenth of a millisecond.
    mutating func endReadsWhenAsked() {
        prepareDatabase { db in
            sqlite3_progress_handler(db.sqliteConnection, 10_000, { _ in ReadStop.isAskedHere ? 1 : 0 }, nil)
        }
    }
}
