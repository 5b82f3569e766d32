import ChatModel
import GRDB

extension DatabaseError {
    /// After these SQLite may have given up the transaction by itself, so that no unit of the group is safe.
    var isStorageFailure: Bool {
        switch resultCode {
        case .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_NOMEM, .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_READONLY, .SQLITE_CANTOPEN: true
        default: false
        }
    }
}

extension ChatError {
    /// What storage said, without the SQL and its arguments: those may hold message text.
    init(storage error: any Error) {
        if let error = error as? ChatError {
            self = error
        } else if let error = error as? DatabaseError {
            let isFull = error.resultCode == .SQLITE_FULL
            self.init(
                isFull ? .storageFull : .storageFailed,
                isFull ? "The disk that holds the data folder is full." : "SQLite: \(error.extendedResultCode).")
        } else {
            self.init(.storageFailed, "The database could not be used: \(type(of: error)).")
        }
    }
}

/// Why a database could not be opened.
public enum StoreError: Error, Sendable, CustomStringConvertible {
    case newerVersion(path: String)
    case unusable(path: String, reason: String)

    public var description: String {
        switch self {
        case .newerVersion(let path):
            "The database \(path) was written by a newer version of Parley. Run that version, or another data folder."
        case .unusable(let path, let reason):
            "The database \(path) cannot be used: \(reason)."
        }
    }
}
