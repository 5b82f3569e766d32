import ChatModel
import Dispatch
import Glibc
import Synchronization

/// The folder that holds the bytes of attachments, each in a file named by its attachment's id, which the store has made.
///
/// A file is written under `incoming`, and gets its name when it is whole and on the disk; the row
/// that makes it an attachment commits after that. What a kill leaves behind has no row, and is swept.
final class FileStore: Sendable {
    private let folder: String
    /// Everything that may wait for the disk.
    private let queue = DispatchQueue(label: "files")
    private let state = Mutex((next: 0, arriving: Set<String>()))

    private var incoming: String { folder + "/incoming" }

    /// Makes the folder if it is missing, and empties `incoming`.
    init(folder: String) {
        self.folder = folder
        // Failures show when the first file is written, which says what is wrong.
        mkdir(folder, 0o700)
        mkdir(folder + "/incoming", 0o700)
        for name in Self.names(in: folder + "/incoming") { unlink("\(folder)/incoming/\(name)") }
    }

    /// An empty file to be written. It is gone with the object unless it is kept.
    func stage() throws(ChatError) -> StagedFile {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        let path = "\(incoming)/\(number)"
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw ChatError(file: errno) }
        return StagedFile(path: path, descriptor: descriptor)
    }

    /// Gives a whole file its name, durably. Until ``settle(_:)`` the sweep leaves it alone.
    func place(_ file: StagedFile, as id: String) async throws(ChatError) {
        _ = state.withLock { $0.arriving.insert(id) }
        let error = await onQueue { [self] in
            do throws(ChatError) {
                try file.move(to: path(id))
                try synchronizeFolder()
                return ChatError?.none
            } catch {
                return error
            }
        }
        if let error { throw error }
    }

    /// The file's row is committed, or never will be.
    func settle(_ id: String) { state.withLock { _ = $0.arriving.remove(id) } }

    /// Opens a file for reading. Returns the descriptor, or nil when there is none.
    func open(_ id: String) async -> Int32? {
        await onQueue { [self] in
            let descriptor = Glibc.open(path(id), O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return nil }
            // Its beginning comes into memory meanwhile, so that the kernel does not wait for the disk while sending.
            posix_fadvise(descriptor, 0, 4 << 20, Int32(POSIX_FADV_WILLNEED))
            return descriptor
        }
    }

    /// Removes files whose rows are gone, some time soon.
    func remove(_ ids: [String]) {
        guard !ids.isEmpty else { return }
        queue.async { [self] in
            for id in ids { unlink(path(id)) }
        }
    }

    /// Returns when what was asked before is done.
    func finish() async { await onQueue {} }

    /// The names of all files, by hundreds.
    func batches() async -> [[String]] {
        let names = await onQueue { [self] in Self.names(in: folder).filter { $0 != "incoming" } }
        return stride(from: 0, to: names.count, by: 100).map { Array(names[$0..<min($0 + 100, names.count)]) }
    }

    /// Those whose rows are not about to be committed. Ask this before asking for rows: then a name without one is an orphan.
    func settled(_ names: [String]) -> [String] { state.withLock { state in names.filter { !state.arriving.contains($0) } } }

    private func path(_ id: String) -> String { "\(folder)/\(id)" }

    private func synchronizeFolder() throws(ChatError) {
        let descriptor = Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw ChatError(file: errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw ChatError(file: errno) }
    }

    private func onQueue<T: Sendable>(_ work: @escaping @Sendable () -> T) async -> T {
        await withCheckedContinuation { continuation in queue.async { continuation.resume(returning: work()) } }
    }

    private static func names(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}

extension ChatError {
    /// What writing a file met.
    init(file code: Int32) {
        let isFull = code == ENOSPC || code == EDQUOT
        self.init(
            isFull ? .storageFull : .storageFailed,
            isFull ? "The disk that holds the data folder is full." : "A file could not be stored: \(String(cString: strerror(code))).")
    }
}
