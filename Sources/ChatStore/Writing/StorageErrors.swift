import ChatModel
import Synchronization

extension ChatError {
    /// The error for a client: `storageFull`, `storageUnavailable` or `storageFailed`. A ``ChatError`` stays as it is.
    package init(storage error: any Error) {
        if let error = error as? ChatError {
            self = error
        } else if error is CancellationError {
            self.init(.eventTimeout, "The reading was ended: it took too long, or nobody waited for it.")
        } else if let error = error as? any EngineError {
            self.init(
                error.isFull ? .storageFull : error.isUnavailable ? .storageUnavailable : .storageFailed,
                "\(error.summary).")
        } else {
            self.init(.storageFailed, "The database could not be used: \(type(of: error)).")
        }
    }
}

/// Why a database was not opened. The description tells the operator what to do.
public enum StoreError: Error, Sendable, CustomStringConvertible {
    case newerVersion(path: String)
    case unusable(path: String, reason: String)
    /// The folder was in use, and its database is gone.
    case missing(path: String)
    /// The database belongs to another folder than the files beside it.
    case foreign(path: String, file: String)

    public var description: String {
        switch self {
        case .newerVersion(let path):
            "The database \(path) was written by a newer version of Parley. Run that version, or another data folder."
        case .unusable(let path, let reason):
            "The database \(path) cannot be used: \(reason)."
        case .missing(let path):
            """
            The database \(path) is missing or empty, but its folder holds an earlier gateway's files. Nothing was changed. \
            Restore the database from a backup; or choose another folder with --data; or empty this folder to begin anew.
            """
        case .foreign(let path, let file):
            """
            The database \(path) does not belong to the files beside it: \(file) names another one. Nothing was changed. \
            Put back the database of this folder; or, if this one is meant, remove \(file): uploaded files that the database does \
            not know are then set aside, and deleted after 7 days.
            """
        }
    }
}

/// What the database was used for when it failed.
public enum StorageWork: String, Sendable, CaseIterable {
    case read, write
}

/// How often the database could not be used, counted since the store was opened. Any thread may use it.
public final class StorageErrorCounts: Sendable {
    /// The codes of clients' errors that are the database's.
    public static let codes: [ChatError.Code] = [.storageFull, .storageUnavailable, .storageFailed]

    private struct Key: Hashable {
        let work: StorageWork
        let code: ChatError.Code
    }

    private let counts = Mutex<[Key: Int]>([:])

    /// Counts an error of the database, and no other one.
    func countError(_ error: any Error, of work: StorageWork) {
        // What ends a reading for which nobody waits is no fault.
        guard error is any EngineError || error is ChatError else { return }
        countError(ChatError(storage: error), of: work)
    }

    func countError(_ error: ChatError, of work: StorageWork) {
        guard Self.codes.contains(error.code) else { return }
        counts.withLock { $0[Key(work: work, code: error.code), default: 0] += 1 }
    }

    public func count(_ code: ChatError.Code, of work: StorageWork) -> Int {
        counts.withLock { $0[Key(work: work, code: code)] ?? 0 }
    }
}
