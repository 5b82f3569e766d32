import Bounds
import ChatModel
import Dispatch
import Formats
import Glibc
import Synchronization

/// The folder with the bytes of attachments. Each file has its attachment's id as its name; the store makes the ids.
///
/// A file is written under `incoming` and gets its name when it is complete and synchronized. The row that makes it
/// an attachment is committed after that, so a row never names a missing file. A process that is killed may leave
/// files without rows. The sweep moves them to `unclaimed` and deletes them later. When an older database with such a
/// row is restored, the file is moved back.
///
/// Functions that are not asynchronous may be called from any thread; the others do their work on one queue.
final class FileStore: Sendable {
    let folder: String
    /// All work that may wait for the disk runs here, in order.
    private let queue = DispatchQueue(label: "files")
    private let state = Mutex(State())

    private struct State {
        var next = 0
        var arriving: Set<String> = []
        /// Why the last file could not be stored; nil when it could.
        var fault: String?
        /// When it was last tried whether it is possible again, in milliseconds.
        var lastTrial: Int64?
    }

    /// The time between two trials, in milliseconds. Anybody may call the readiness probe, so it must not cause a
    /// write each time.
    private static let trialInterval: Int64 = 1000

    private var incoming: String { folder + "/incoming" }
    private var unclaimed: String { folder + "/unclaimed" }

    /// Makes the folder if it is missing, and empties `incoming`.
    init(folder: String) {
        self.folder = folder
        // Failures show when the first file is written, which says what is wrong.
        makeFolders()
        for name in Self.names(in: folder + "/incoming") { unlink("\(folder)/incoming/\(name)") }
    }

    /// An empty file to write to. It is deleted with the object unless it was moved to its place. Throws
    /// `storageFull`, `storageFailed`.
    func stage() throws(ChatError) -> StagedFile {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        let path = "\(incoming)/\(number)"
        var descriptor = Self.create(path)
        if descriptor < 0, errno == ENOENT {
            // Somebody has deleted the folders.
            makeFolders()
            descriptor = Self.create(path)
        }
        guard descriptor >= 0 else { throw recordFault(errno) }
        return StagedFile(path: path, descriptor: descriptor) { [weak self] code in _ = self?.recordFault(code) }
    }

    private static func create(_ path: String) -> Int32 {
        Glibc.open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    }

    private func makeFolders() {
        for path in [folder, incoming, unclaimed] { mkdir(path, 0o700) }
    }

    // MARK: Whether files can be stored

    /// Notes that a file could not be stored, so that ``fault(at:)`` reports it until one can be stored. Returns the
    /// error to throw.
    private func recordFault(_ code: Int32) -> ChatError {
        let error = ChatError(file: code)
        state.withLock { $0.fault = error.detail }
        return error
    }

    /// The reason why no file can be stored now, as text for people; nil when one can be stored.
    ///
    /// It costs two system calls. Only after a failure does it write a small file, at most once a second.
    func fault(at now: Timestamp) async -> String? {
        await onQueue { [self] in
            if let fault = quickFault() { return fault }
            let isDue = state.withLock { state in
                guard state.fault != nil else { return false }
                // The clock may have been set back.
                if let last = state.lastTrial, abs(now.milliseconds - last) < Self.trialInterval { return false }
                state.lastTrial = now.milliseconds
                return true
            }
            if isDue { try? tryOut() }
            return state.withLock { $0.fault }
        }
    }

    /// What can be seen without writing: a folder without permission to write, or a full disk.
    private func quickFault() -> String? {
        if access(incoming + "/.", W_OK | X_OK) != 0 {
            if errno == ENOENT { makeFolders() }
            guard access(incoming + "/.", W_OK | X_OK) == 0 else { return ChatError(file: errno).detail }
        }
        var info = statvfs()
        if statvfs(incoming, &info) == 0, info.f_bavail == 0 { return ChatError(file: ENOSPC).detail }
        return nil
    }

    /// Stores a small file, and removes it again.
    private func tryOut() throws {
        let file = try stage()
        let bytes = [UInt8](repeating: 0, count: 4096)
        try bytes.withUnsafeBytes { try file.write($0) }
        try file.synchronize()
        noteSuccess()
    }

    private func noteSuccess() { state.withLock { ($0.fault, $0.lastTrial) = (nil, nil) } }

    /// Moves a complete file to its name, and synchronizes the folder. Until ``settle(_:)`` is called the sweep
    /// leaves the file alone, because its row may not be committed yet.
    func place(_ file: StagedFile, as id: String) async throws(ChatError) {
        _ = state.withLock { $0.arriving.insert(id) }
        let error = await onQueue { [self] in
            do throws(ChatError) {
                try file.move(to: path(id))
                try synchronizeFolder()
                noteSuccess()
                return ChatError?.none
            } catch {
                return error
            }
        }
        if let error { throw error }
    }

    /// To be called when the file's row is committed, or when it is certain that it never will be.
    func settle(_ id: String) { state.withLock { _ = $0.arriving.remove(id) } }

    /// A part of a file in its place, see ``FilePart``; nil beyond its end. An empty file has none. Throws
    /// `storageFailed`.
    func part(_ number: Int64, of id: String) async throws(ChatError) -> [UInt8]? {
        let result = await onQueue { [self] () -> Result<[UInt8]?, ChatError> in
            do throws(UnreadableFile) {
                guard let file = try OpenedFile(id, in: folder) else { return .failure(ChatError(file: ENOENT)) }
                return .success(try file.part(number))
            } catch {
                return .failure(ChatError(file: EIO))
            }
        }
        return try result.get()
    }

    /// Appends to a file that is being made. Throws `storageFull`, `storageFailed`.
    func append(_ bytes: [UInt8], to file: StagedFile) async throws(ChatError) {
        let result = await onQueue {
            bytes.withUnsafeBytes { bytes in Result { () throws(ChatError) in try file.write(bytes) } }
        }
        try result.get()
    }

    /// Opens a file for reading; nil when there is none. A file that was set aside is moved back first. The caller
    /// closes the descriptor. Throws `storageFailed` when it cannot be opened, for example for want of descriptors.
    func open(_ id: String) async throws(ChatError) -> Int32? {
        let result = await onQueue { [self] () -> Result<Int32?, ChatError> in
            var descriptor = Glibc.open(path(id), O_RDONLY | O_CLOEXEC)
            if descriptor < 0, errno == ENOENT, rename(asidePath(id), path(id)) == 0 {
                descriptor = Glibc.open(path(id), O_RDONLY | O_CLOEXEC)
            }
            guard descriptor >= 0 else { return errno == ENOENT ? .success(nil) : .failure(ChatError(file: errno)) }
            // The kernel reads the first 4 MiB ahead, so that sending does not wait for the disk.
            posix_fadvise(descriptor, 0, 4 << 20, Int32(POSIX_FADV_WILLNEED))
            return .success(descriptor)
        }
        return try result.get()
    }

    /// Deletes files whose rows are gone. It returns at once; ``finish()`` waits for the deletion.
    func remove(_ ids: [String]) {
        guard !ids.isEmpty else { return }
        queue.async { [self] in
            for id in ids where unlink(path(id)) != 0 && errno == ENOENT { unlink(asidePath(id)) }
        }
    }

    // MARK: What nobody has a row for

    /// Moves files without a row to `unclaimed`, and sets their modification time to this time. Returns how many were
    /// moved.
    func setAside(_ ids: [String], at time: Timestamp) async -> Int {
        guard !ids.isEmpty else { return 0 }
        return await onQueue { [self] in
            var count = 0
            for id in ids where rename(path(id), asidePath(id)) == 0 {
                Self.setTime(of: asidePath(id), to: time)
                count += 1
            }
            return count
        }
    }

    /// The files that were set aside and when, in batches of 100.
    func setAsideBatches() async -> [[(id: String, since: Timestamp)]] {
        let files = await onQueue { [self] in
            Self.names(in: unclaimed).map { (id: $0, since: Self.time(of: asidePath($0))) }
        }
        return stride(from: 0, to: files.count, by: 100).map { Array(files[$0..<min($0 + 100, files.count)]) }
    }

    /// Moves files that were set aside back to their places, because their rows are there again. Returns at once.
    func restore(_ ids: [String]) {
        guard !ids.isEmpty else { return }
        queue.async { [self] in
            for id in ids { rename(asidePath(id), path(id)) }
        }
    }

    // MARK: Copies of what the database keeps

    /// Bytes of copies that stay; see ``StoreBackend/keepsFiles``.
    static let copiesLimit = Int64(ByteBound.copies.bytes)

    /// Notes that a copy is read now, by its access time. The kernel alone does not keep it: with `noatime` never, and
    /// otherwise once a day.
    static func noteReading(_ descriptor: Int32) {
        // UTIME_NOW and UTIME_OMIT, which are macros of C.
        let times = [timespec(tv_sec: 0, tv_nsec: (1 << 30) - 1), timespec(tv_sec: 0, tv_nsec: (1 << 30) - 2)]
        futimens(descriptor, times)
    }

    /// Deletes the copies that were not read for the longest time, until the others have at most this many bytes.
    func trimCopies(to limit: Int64 = FileStore.copiesLimit) async {
        var copies: [(id: String, size: Int64, readAt: Int)] = []
        for batch in await batches() {
            if Task.isCancelled { return }
            copies += await onQueue { [self] in
                batch.compactMap { id in
                    var info = stat()
                    return stat(path(id), &info) == 0 ? (id, Int64(info.st_size), info.st_atim.tv_sec) : nil
                }
            }
        }
        var rest = copies.reduce(0) { $0 + $1.size }
        guard rest > limit else { return }
        copies.sort { $0.readAt < $1.readAt }
        let settled = Set(settled(copies.map(\.id)))
        var old: [String] = []
        for copy in copies where rest > limit && settled.contains(copy.id) {
            old.append(copy.id)
            rest -= copy.size
        }
        remove(old)
        await finish()
    }

    /// Returns when all work that was asked for before is done.
    func finish() async { await onQueue {} }

    /// The names of all files in their places, in batches of 100.
    func batches() async -> [[String]] {
        let names = await onQueue { [self] in Self.names(in: folder).filter { $0 != "incoming" && $0 != "unclaimed" } }
        return stride(from: 0, to: names.count, by: 100).map { Array(names[$0..<min($0 + 100, names.count)]) }
    }

    /// Those of the names whose rows are not about to be committed.
    ///
    /// Call it before reading the rows: then a name without a row is an orphan. In the other order a row could be
    /// committed in between.
    func settled(_ names: [String]) -> [String] {
        state.withLock { state in names.filter { !state.arriving.contains($0) } }
    }

    private func path(_ id: String) -> String { "\(folder)/\(id)" }
    private func asidePath(_ id: String) -> String { "\(unclaimed)/\(id)" }

    /// Sets the file's modification time, which says since when the file is set aside.
    private static func setTime(of path: String, to time: Timestamp) {
        let (seconds, rest) = time.milliseconds.quotientAndRemainder(dividingBy: 1000)
        let value = timespec(tv_sec: Int(seconds), tv_nsec: Int(rest) * 1_000_000)
        let times = [value, value]
        utimensat(AT_FDCWD, path, times, 0)
    }

    private static func time(of path: String) -> Timestamp {
        var info = stat()
        // A file that cannot be looked at is not old.
        guard stat(path, &info) == 0 else { return Timestamp(milliseconds: .max) }
        return Timestamp(milliseconds: Int64(info.st_mtim.tv_sec) * 1000 + Int64(info.st_mtim.tv_nsec) / 1_000_000)
    }

    private func synchronizeFolder() throws(ChatError) {
        let descriptor = Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw recordFault(errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw recordFault(errno) }
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
    /// The error for the `errno` of a file operation: `storageFull` for `ENOSPC` and `EDQUOT`, otherwise
    /// `storageFailed`.
    init(file code: Int32) {
        let isFull = code == ENOSPC || code == EDQUOT
        self.init(
            isFull ? .storageFull : .storageFailed,
            isFull
                ? "The disk that holds the data folder is full."
                : "The disk does not serve a file: \(String(cString: strerror(code))).")
    }
}
