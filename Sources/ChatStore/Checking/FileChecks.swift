import ChatModel
import Glibc

extension StoreReader {
    /// Looks whether each file that the rows name is in the folder, with its size and its digest. Calls `report` for
    /// each fault.
    ///
    /// It reads the rows in many short snapshots. While a gateway runs, files come before their rows and go after them,
    /// so a fault is told only if the row is still there when the file was not found.
    ///
    /// - Parameter digest: the SHA-256 of the file at a path; nil when it cannot be read.
    package func inspectFiles(
        in folder: String, digest: (_ path: String) -> [UInt8]?, report: (StoreFault) -> Void
    ) throws -> CheckedPart {
        var (last, count, faults) = (String?.none, 0, 0)
        while true {
            let found = try reading { try $0.keptFiles(after: last) }
            for file in found.files {
                count += 1
                guard file.fault(in: folder, digest) != nil, try reading({ try $0.keptFile(file.id) }) == file,
                    // It may have been on its way between the two places of a file.
                    let fault = file.fault(in: folder, digest)
                else { continue }
                faults += 1
                report(StoreFault(check: "files", detail: "attachment \(file.id): \(fault)"))
            }
            guard let next = found.next else { break }
            last = next
        }
        return CheckedPart(check: "files", rows: count, faults: faults)
    }
}

/// A file that a store says it has.
package struct KeptFile: Equatable, Sendable {
    package let id: String
    package let size: Int64
    /// SHA-256.
    package let digest: [UInt8]

    /// What is wrong with the file in this folder; nil if nothing is.
    fileprivate func fault(in folder: String, _ digest: (String) -> [UInt8]?) -> String? {
        var info = stat()
        guard let path = Self.paths(of: id, in: folder).first(where: { stat($0, &info) == 0 }) else {
            return "its file is missing"
        }
        guard Int64(info.st_size) == size else { return "its file has \(info.st_size) bytes, and should have \(size)" }
        guard let found = digest(path) else { return "its file cannot be read" }
        return found == self.digest ? nil : "its file has other bytes than were stored"
    }

    /// Where a file may be, the usual place first: one that was set aside moves back when it is opened.
    package static func paths(of id: String, in folder: String) -> [String] {
        ["\(folder)/\(id)", "\(folder)/unclaimed/\(id)"]
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

    fileprivate func keptFile(_ id: String) throws -> KeptFile? {
        try db.first("SELECT id, digest, json FROM attachment WHERE id = ?", [.text(id)]) { KeptFile(row: $0) } ?? nil
    }
}

extension KeptFile {
    /// Nil where only a remote service has the file, and where the JSON cannot be read: that is a fault of the row.
    fileprivate init?(row: SQLRow) {
        let digest = row.blob(1)
        guard !digest.isEmpty, let attachment = try? Attachment(canonicalJSON: row.blob(2)) else { return nil }
        self.init(id: row.text(0), size: attachment.size, digest: digest)
    }
}
