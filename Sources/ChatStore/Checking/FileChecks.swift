import ChatModel
import Glibc

extension StoreReader {
    /// Looks whether each file that the rows name is there, with its size and its digest. Calls `report` for each fault.
    ///
    /// It reads the rows in many short snapshots. While a gateway runs, files come before their rows and go after them,
    /// so a fault is told only if the row is still there when the file was not found.
    package func inspectFiles(
        in place: FilePlace, digest: @escaping PiecesDigest, report: (StoreFault) -> Void
    ) throws -> CheckedPart {
        try FileCheck(
            portion: { last in try self.reading { try $0.suspects(after: last, in: place, digest) } },
            again: { file in
                try self.reading { try $0.keptFile(file.id) == file ? $0.fault(of: file, in: place, digest) : nil }
            }
        ).run(report)
    }
}

extension ReadTransaction {
    /// The same on the snapshot of this transaction, beside which nobody writes.
    package func inspectFiles(
        in place: FilePlace, digest: @escaping PiecesDigest, report: (StoreFault) -> Void
    ) throws -> CheckedPart {
        try FileCheck(
            portion: { try self.suspects(after: $0, in: place, digest) },
            again: { try self.fault(of: $0, in: place, digest) }
        ).run(report)
    }

    /// The next files in which something seems to be wrong, of how many, and after which id to go on; nil at the end.
    fileprivate func suspects(
        after last: String?, in place: FilePlace, _ digest: PiecesDigest
    ) throws -> (files: [KeptFile], count: Int, next: String?) {
        let found = try keptFiles(after: last)
        return (try found.files.filter { try fault(of: $0, in: place, digest) != nil }, found.files.count, found.next)
    }

    /// What is wrong with a file; nil if nothing is.
    fileprivate func fault(of file: KeptFile, in place: FilePlace, _ digest: PiecesDigest) throws -> String? {
        var (number, size) = (Int64(0), Int64(0))
        do {
            guard let pieces = try pieces(of: file, in: place) else { return "its file is missing" }
            let found = try digest {
                let piece = try pieces(number)
                (number, size) = (number + 1, size + Int64(piece?.count ?? 0))
                return piece
            }
            if size != file.size { return "its file has \(size) bytes, and should have \(file.size)" }
            return found == file.digest ? nil : "its file has other bytes than were stored"
        } catch is UnreadableFile {
            return "its file cannot be read"
        }
    }
}

/// The loop of both.
private struct FileCheck {
    let portion: (_ last: String?) throws -> (files: [KeptFile], count: Int, next: String?)
    let again: (KeptFile) throws -> String?

    func run(_ report: (StoreFault) -> Void) throws -> CheckedPart {
        var (last, count, faults) = (String?.none, 0, 0)
        repeat {
            let found = try portion(last)
            count += found.count
            for file in found.files {
                guard let fault = try again(file) else { continue }
                faults += 1
                report(StoreFault(check: "files", detail: "attachment \(file.id): \(fault)"))
            }
            last = found.next
        } while last != nil
        return CheckedPart(check: "files", rows: count, faults: faults)
    }
}

/// A file that a store says it has.
package struct KeptFile: Equatable, Sendable {
    package let id: String
    package let size: Int64
    /// SHA-256.
    package let digest: [UInt8]

    /// Nil where only a remote service has the file, and where the JSON cannot be read: that is a fault of the row.
    fileprivate init?(row: SQLRow) {
        let digest = row.blob(1)
        guard !digest.isEmpty, let attachment = try? Attachment(canonicalJSON: row.blob(2)) else { return nil }
        (id, size, self.digest) = (row.text(0), attachment.size, digest)
    }
}

/// Where a store has the bytes of its files.
package enum FilePlace: Sendable {
    /// In this folder.
    case folder(String)
    /// In rows, see ``FilePart``.
    case rows
}

/// The SHA-256 of bytes that come in pieces, until there are none.
package typealias PiecesDigest = (_ next: () throws -> [UInt8]?) throws -> [UInt8]

/// A file of a folder that cannot be read.
struct UnreadableFile: Error {}

/// A file of the folder of files, which is read in the pieces of ``FilePart``.
final class OpenedFile {
    private let descriptor: Int32

    /// Nil when there is none. Throws ``UnreadableFile``, also for what is no regular file. A file that was set aside is
    /// found, for it moves back when it is asked for.
    init?(_ id: String, in folder: String) throws(UnreadableFile) {
        for path in ["\(folder)/\(id)", "\(folder)/unclaimed/\(id)"] {
            // Not blocking: a FIFO without a writer would be waited for.
            let opened = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
            if opened < 0, errno == ENOENT { continue }
            guard opened >= 0 else { throw UnreadableFile() }
            descriptor = opened
            var info = stat()
            guard fstat(opened, &info) == 0, info.st_mode & S_IFMT == S_IFREG else { throw UnreadableFile() }
            return
        }
        return nil
    }

    deinit { close(descriptor) }

    /// The bytes of one piece; nil beyond the file's end. Throws ``UnreadableFile``.
    func part(_ number: Int64) throws(UnreadableFile) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: FilePart.size)
        var count = 0
        while count < bytes.count {
            let place = Int(number) * FilePart.size + count
            let got = bytes.withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress! + count, $0.count - count, place)
            }
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw UnreadableFile() }
            if got == 0 { break }
            count += got
        }
        return count == 0 ? nil : Array(bytes[..<count])
    }
}

extension ReadTransaction {
    /// The next files in the order of their ids, and after which id to go on; nil at the end.
    package func keptFiles(after last: String?) throws -> (files: [KeptFile], next: String?) {
        var (files, count, end) = ([KeptFile](), 0, last)
        try db.query(
            "SELECT id, digest, json FROM attachment WHERE id \(last == nil ? ">=" : ">") ? ORDER BY id LIMIT ?",
            [.text(last ?? ""), .integer(Int64(Inspection.portion))]
        ) { row in
            (count, end) = (count + 1, row.text(0))
            if let file = KeptFile(row: row) { files.append(file) }
            return true
        }
        return (files, count == Inspection.portion ? end : nil)
    }

    func keptFile(_ id: String) throws -> KeptFile? {
        try db.first("SELECT id, digest, json FROM attachment WHERE id = ?", [.text(id)]) { KeptFile(row: $0) } ?? nil
    }

    /// What gives the pieces of a file, by their numbers from 0; nil when it is missing.
    package func pieces(of file: KeptFile, in place: FilePlace) throws -> ((Int64) throws -> [UInt8]?)? {
        switch place {
        case .folder(let folder):
            guard let opened = try OpenedFile(file.id, in: folder) else { return nil }
            return { try opened.part($0) }
        case .rows:
            if file.size > 0, try part(0, of: file.id) == nil { return nil }
            return { [self] in try part($0, of: file.id) }
        }
    }
}
