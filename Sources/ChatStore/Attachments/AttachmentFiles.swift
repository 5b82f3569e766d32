import ChatModel
import Formats
import Glibc
import Synchronization

extension ChatStore {
    /// An empty file for what is being received. Throws `storageFailed`, `storageFull`.
    public func stageFile() throws(ChatError) -> StagedFile { try files.stage() }

    /// The reason why no file can be stored now, as text for people; nil when one can be stored. For the readiness
    /// probe: it costs two system calls and writes only after a failure.
    public func fileFault() async -> String? { await files.fault(at: environment.now()) }

    /// Gives a staged file, whose bytes are synchronized, its place under an id that is not in use, and then runs the
    /// unit that inserts the attachment.
    ///
    /// When the unit fails, the file is deleted, unless an attachment of this id exists: then the file may be that
    /// attachment's, and the sweep decides. A database that keeps files itself has the bytes before the unit runs. Throws
    /// what the unit throws, and `storageFailed` or `storageFull`.
    public func storeFile<T: Sendable>(
        _ file: StagedFile, as id: String, _ unit: @escaping @Sendable (WriteTransaction) throws -> T
    ) async throws(ChatError) -> T {
        defer { files.settle(id) }
        do throws(ChatError) {
            try await files.place(file, as: id)
            guard backend.keepsFiles else { return try await write(unit) }
            try await keepParts(of: id)
            return try await write { transaction in
                let result = try unit(transaction)
                try transaction.noteArrived(id)
                return result
            }
        } catch {
            if let isKnown = try? await read({ try $0.attachment(id) != nil }), !isKnown { files.remove([id]) }
            throw error
        }
    }

    /// Opens an attachment's file for reading, off the calling thread. The caller closes the descriptor.
    ///
    /// Throws `unknownAttachment` when the file is gone, and `storageFailed` when its size is not the attachment's:
    /// the size is promised as `Content-Length` before any byte is sent.
    public func openFile(of attachment: Attachment) async throws(ChatError) -> Int32 {
        var opened = try await files.open(attachment.id)
        if opened == nil, backend.keepsFiles, try await copyParts(of: attachment) {
            opened = try await files.open(attachment.id)
        }
        guard let descriptor = opened else { throw .unknownAttachment(attachment.id) }
        if backend.keepsFiles { FileStore.noteReading(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, Int64(status.st_size) == attachment.size else {
            Glibc.close(descriptor)
            throw ChatError(
                .storageFailed,
                "The file of the attachment \(attachment.id) has \(status.st_size) bytes, and should have \(attachment.size)."
            )
        }
        return descriptor
    }

    /// Removes uploads that were never sent, and messages of removed threads, and sets files without a row aside.
    /// Files that were set aside 7 days ago are deleted. Where the database keeps files itself, nothing is set aside.
    ///
    /// Called at the start and at intervals. When its task is cancelled it returns soon, and the next call does the
    /// rest.
    @discardableResult
    public func sweepFiles() async -> FileSweep {
        let now = environment.now()
        let time = now.advanced(byMilliseconds: -AttachmentRecord.lifetimeInMilliseconds)
        await repeatInBackground { try $0.discardUnsent(before: time, limit: 200) }
        await repeatInBackground { try $0.collectOrphans(limit: 500) }
        try? await write(inBackground: true) { try $0.removeErasedAccounts() }
        search.forgetRemovedThreads()
        try? await discardLost()
        if backend.keepsFiles {
            await sweepCopies(before: time)
            return FileSweep()
        }
        var sweep = FileSweep()
        for batch in await files.batches() {
            if Task.isCancelled { return sweep }
            let settled = files.settled(batch)
            // After a failed read nobody knows whether the rows are missing, so the files stay.
            guard let rows = try? await existingAttachments(among: settled) else { continue }
            sweep.setAside += await files.setAside(settled.filter { !rows.contains($0) }, at: now)
        }
        for batch in await files.setAsideBatches() {
            if Task.isCancelled { return sweep }
            guard let rows = try? await existingAttachments(among: batch.map(\.id)) else { continue }
            files.restore(batch.map(\.id).filter(rows.contains))
            let old = batch.filter { file in
                !rows.contains(file.id) && now.milliseconds - FileSweep.graceInMilliseconds > file.since.milliseconds
            }
            files.remove(old.map(\.id))
            sweep.deleted += old.count
        }
        await files.finish()
        return sweep
    }

    /// The sweep where the database keeps the files. What stands in the folder is a copy, so nothing of it is set aside:
    /// copies of removed attachments are deleted, and those that nobody has read for the longest time when all together
    /// are larger than ``FileStore/copiesLimit``.
    private func sweepCopies(before time: Timestamp) async {
        await repeatInBackground { try $0.removeAbandonedParts(before: time, limit: 20) }
        for batch in await files.batches() {
            if Task.isCancelled { return }
            let settled = files.settled(batch)
            guard let rows = try? await existingAttachments(among: settled) else { continue }
            files.remove(settled.filter { !rows.contains($0) })
        }
        await files.trimCopies()
    }

    /// Repeats a background unit until it returns false, throws, or the task is cancelled.
    private func repeatInBackground(_ unit: @escaping @Sendable (WriteTransaction) throws -> Bool) async {
        while !Task.isCancelled, (try? await write(inBackground: true, unit)) == true {}
    }

    /// Removes attachments of messages that are gone. The search runs as reads, so that the writer is not kept busy.
    private func discardLost() async throws(ChatError) {
        var next: Int64? = .min
        while let number = next, !Task.isCancelled {
            let found = try await read { try $0.lostMessages(after: number, limit: 500) }
            if !found.lost.isEmpty {
                try await write(inBackground: true) { try $0.discardAttachments(ofLost: found.lost) }
            }
            next = found.next
        }
    }

    private func existingAttachments(among ids: [String]) async throws(ChatError) -> Set<String> {
        guard !ids.isEmpty else { return [] }
        return try await read { transaction in
            Set(try ids.filter { try transaction.attachment($0) != nil })
        }
    }
}

/// What a sweep did with files that have no row in the database.
public struct FileSweep: Sendable, Equatable {
    /// A file that was set aside is kept for 7 days. Somebody who restored the wrong database can put the right one
    /// back in this time.
    public static let graceInMilliseconds: Int64 = 7 * 24 * 3_600_000

    /// Files that were moved to `files/unclaimed`.
    public var setAside = 0
    /// Files that were set aside at least 7 days ago and are deleted now.
    public var deleted = 0
}

/// A piece of an attachment's file as a row, in a database that keeps files itself (``StoreBackend/keepsFiles``).
///
/// The parts of a file are committed one by one, before the attachment is. Until then a row of `arrivingFile` says since
/// when they are there: parts that nobody came for are removed after a day. With the attachment its parts are removed.
enum FilePart {
    /// Bytes of each part but the last one.
    static let size = 256 << 10

    /// How many parts a file of this many bytes has.
    static func count(_ byteCount: Int64) -> Int64 { (byteCount + Int64(size) - 1) / Int64(size) }
}

extension WriteTransaction {
    /// Adds a part, or replaces it. The first one marks the file as arriving.
    func keepPart(_ number: Int64, of file: String, bytes: [UInt8]) throws {
        if number == 0 {
            try db.run(
                """
                INSERT INTO arrivingFile (attachment, at) VALUES (?, ?)
                ON CONFLICT (attachment) DO UPDATE SET at = excluded.at
                """, [.text(file), .integer(now.milliseconds)])
        }
        try db.run(
            """
            INSERT INTO filePart (attachment, number, bytes) VALUES (?, ?, ?)
            ON CONFLICT (attachment, number) DO UPDATE SET bytes = excluded.bytes
            """, [.text(file), .integer(number), .blob(bytes)])
    }

    /// The file's attachment is committed with this unit.
    fileprivate func noteArrived(_ file: String) throws {
        try db.run("DELETE FROM arrivingFile WHERE attachment = ?", [.text(file)])
    }

    /// Removes all parts of a file.
    func removeParts(of file: String) throws {
        try db.run("DELETE FROM filePart WHERE attachment = ?", [.text(file)])
        try noteArrived(file)
    }

    /// Removes up to `limit` files that arrived before a time and belong to no attachment. Returns whether there may be
    /// more.
    fileprivate func removeAbandonedParts(before time: Timestamp, limit: Int) throws -> Bool {
        let files = try db.all(
            "SELECT attachment FROM arrivingFile WHERE at < ? ORDER BY at LIMIT ?",
            [.integer(time.milliseconds), .integer(Int64(limit))]
        ) { $0.text(0) }
        for file in files {
            // A file of an attachment that is there already arrived once more, and was not noted.
            if try attachment(file) == nil { try removeParts(of: file) } else { try noteArrived(file) }
        }
        return files.count == limit
    }
}

extension ReadTransaction {
    /// The bytes of a part; nil when there is none.
    func part(_ number: Int64, of file: String) throws -> [UInt8]? {
        try db.first(
            "SELECT bytes FROM filePart WHERE attachment = ? AND number = ?", [.text(file), .integer(number)]
        ) { $0.blob(0) }
    }
}

extension ChatStore {
    /// Commits the parts of a file that has its place in the folder, one after the other.
    private func keepParts(of id: String) async throws(ChatError) {
        var number: Int64 = 0
        while let bytes = try await files.part(number, of: id) {
            try await write(isRepeatable: true) { [number] in try $0.keepPart(number, of: id, bytes: bytes) }
            number += 1
        }
    }

    /// Writes an attachment's file into the folder from its parts. Returns false when a part is missing.
    ///
    /// Two readers may do it at the same time: each writes a file of its own, and both have the same bytes.
    private func copyParts(of attachment: Attachment) async throws(ChatError) -> Bool {
        let (file, id) = (try files.stage(), attachment.id)
        for number in 0..<FilePart.count(attachment.size) {
            guard let bytes = try await read({ try $0.part(number, of: id) }) else { return false }
            try await files.append(bytes, to: file)
        }
        try await files.place(file, as: id)
        files.settle(id)
        return true
    }
}

/// A file that is being received. It is deleted with its last reference, unless the store has kept it.
///
/// Every operation may wait for the disk, so neither the server's loop nor a task may call it: use a thread that may
/// block. Calls must not overlap.
public final class StagedFile: Sendable {
    private let path: String
    private let descriptor: Int32
    private let isKept = Mutex(false)
    /// Told the code of each failure.
    private let onFailure: @Sendable (Int32) -> Void

    init(path: String, descriptor: Int32, onFailure: @escaping @Sendable (Int32) -> Void) {
        self.path = path
        self.descriptor = descriptor
        self.onFailure = onFailure
    }

    deinit {
        close(descriptor)
        if !isKept.withLock({ $0 }) { unlink(path) }
    }

    /// Appends bytes. Throws `storageFull`, `storageFailed`; the file is of no use then.
    public func write(_ bytes: UnsafeRawBufferPointer) throws(ChatError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Glibc.write(descriptor, rest.base.baseAddress! + rest.startIndex, rest.count)
            if count < 0 {
                if errno == EINTR { continue }
                throw failure(errno)
            }
            rest = rest.dropFirst(count)
        }
    }

    /// Returns when all bytes that were written are on the disk (`fsync`). To be called before
    /// ``ChatStore/storeFile(_:as:_:)``.
    public func synchronize() throws(ChatError) {
        guard fsync(descriptor) == 0 else { throw failure(errno) }
    }

    /// Renames the file to its final place on the same file system. From then on it stays when this object goes.
    func move(to place: String) throws(ChatError) {
        guard rename(path, place) == 0 else { throw failure(errno) }
        isKept.withLock { $0 = true }
    }

    private func failure(_ code: Int32) -> ChatError {
        onFailure(code)
        return ChatError(file: code)
    }
}
