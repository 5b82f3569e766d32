import ChatModel
import Formats
import Glibc
import Synchronization

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
    func noteArrived(_ file: String) throws {
        try db.run("DELETE FROM arrivingFile WHERE attachment = ?", [.text(file)])
    }

    /// Removes all parts of a file.
    func removeParts(of file: String) throws {
        try db.run("DELETE FROM filePart WHERE attachment = ?", [.text(file)])
        try noteArrived(file)
    }

    /// Removes up to `limit` files that arrived before a time and belong to no attachment. Returns whether there may be
    /// more.
    func removeAbandonedParts(before time: Timestamp, limit: Int) throws -> Bool {
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
    func keepParts(of id: String) async throws(ChatError) {
        var number: Int64 = 0
        while let bytes = try await files.part(number, of: id) {
            try await write(isRepeatable: true) { [number] in try $0.keepPart(number, of: id, bytes: bytes) }
            number += 1
        }
    }

    /// Writes an attachment's file into the folder from its parts. Returns false when a part is missing.
    ///
    /// Two readers may do it at the same time: each writes a file of its own, and both have the same bytes.
    func copyParts(of attachment: Attachment) async throws(ChatError) -> Bool {
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
    /// ``ChatStore/keep(_:as:_:)``.
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
