import ChatModel
import Synchronization

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
    func note(_ error: any Error, of work: StorageWork) {
        // What ends a reading for which nobody waits is no fault.
        guard error is any EngineError || error is ChatError else { return }
        note(ChatError(storage: error), of: work)
    }

    func note(_ error: ChatError, of work: StorageWork) {
        guard Self.codes.contains(error.code) else { return }
        counts.withLock { $0[Key(work: work, code: error.code), default: 0] += 1 }
    }

    public func count(_ code: ChatError.Code, of work: StorageWork) -> Int {
        counts.withLock { $0[Key(work: work, code: code)] ?? 0 }
    }
}
