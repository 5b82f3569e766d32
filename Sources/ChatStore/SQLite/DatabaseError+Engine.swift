import GRDB

extension DatabaseError: EngineError {
    package var isStorageFailure: Bool {
        switch resultCode {
        case .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_NOMEM, .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_READONLY,
            .SQLITE_CANTOPEN:
            true
        default: false
        }
    }

    package var isFull: Bool { resultCode == .SQLITE_FULL }

    package var summary: String {
        isFull ? "The disk that holds the data folder is full" : "SQLite: \(extendedResultCode)"
    }
}
