import ChatModel

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
