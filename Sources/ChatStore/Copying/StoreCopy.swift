import ChatModel

/// A store that is copied. Nobody writes it meanwhile.
package protocol StoreExport: AnyObject {
    /// What there is once.
    func image() throws -> StoreImage
    /// Calls the closure with each row that is copied, in any order. Few rows are in memory at a time.
    func rows(of table: CopiedTable, above floor: Int64, _ body: ([SQLValue]) throws -> Void) throws
    /// The next files in the order of their ids, and after which id to go on; nil at the end.
    func files(after last: String?) throws -> (files: [KeptFile], next: String?)
    /// What gives the pieces of a file (``FilePart``), by their numbers from 0; nil when it is missing.
    func pieces(of file: KeptFile) throws -> ((Int64) throws -> [UInt8]?)?
    func close()
}

/// An empty store that is filled in one transaction: it has all or nothing.
package protocol StoreImport: AnyObject {
    func insert(_ row: [SQLValue], into table: CopiedTable) throws
    /// Stores a file's pieces. What cannot be read is left out; the check of the files tells it.
    func keep(_ file: KeptFile, _ piece: (Int64) throws -> [UInt8]?) throws
    /// Where the files are.
    var filePlace: FilePlace { get }
    /// Stores what there is once. No row and no file comes after it.
    func finish(_ image: StoreImage) throws
    /// Calls the closure with each row that was stored, before ``commit()``.
    func rows(of table: CopiedTable, _ body: ([SQLValue]) throws -> Void) throws
    /// Reads what was stored, before ``commit()``.
    func read(_ body: (ReadTransaction) throws -> Void) throws
    /// Makes all that was stored durable. Before, the target is as it was.
    func commit() throws
    /// Undoes everything, unless it was committed.
    func close()
}

/// Why a copy was given up. The description tells the operator what to do.
package enum StoreCopyError: Error, CustomStringConvertible {
    /// A store is not fit for it.
    case refused(String)
    /// The rows that were read back are not those that were written.
    case different(table: String)

    package var description: String {
        switch self {
        case .refused(let sentence): sentence
        case .different(let table):
            "The rows of \(table) are not the same in both stores. Nothing was stored. Please report this."
        }
    }
}

/// Copies a store to one of another engine.
package enum StoreCopy {
    /// What was copied of one table.
    package struct Part: Sendable, Equatable {
        package let table: String
        package let digest: RowDigest
    }

    /// Copies all tables, the files, and what there is once; reads all rows back, and compares them. Does not commit.
    ///
    /// Throws ``StoreCopyError/different(table:)`` when the target has other rows.
    ///
    /// - Parameter progress: told each table after it was copied and compared.
    package static func run(
        from source: any StoreExport, to target: any StoreImport, progress: (Part) -> Void = { _ in }
    ) throws -> [Part] {
        let image = try source.image()
        var parts: [Part] = []
        for table in try CopiedTable.all() {
            var (written, read) = (RowDigest(), RowDigest())
            try source.rows(of: table, above: image.floor) { row in
                written.add(row)
                try target.insert(row, into: table)
            }
            try target.rows(of: table) { read.add($0) }
            guard written == read else { throw StoreCopyError.different(table: table.name) }
            let part = Part(table: table.name, digest: read)
            parts.append(part)
            progress(part)
        }
        try copyFiles(from: source, to: target)
        try target.finish(image)
        return parts
    }

    /// Copies the files that the rows name. One that is missing is left out.
    private static func copyFiles(from source: any StoreExport, to target: any StoreImport) throws {
        var last: String?
        repeat {
            let found = try source.files(after: last)
            for file in found.files {
                guard let piece = try source.pieces(of: file) else { continue }
                do { try target.keep(file, piece) } catch is UnreadableFile { continue }
            }
            last = found.next
        } while last != nil
    }
}
