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
    func storeFile(_ file: KeptFile, _ piece: (Int64) throws -> [UInt8]?) throws
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
                do { try target.storeFile(file, piece) } catch is UnreadableFile { continue }
            }
            last = found.next
        } while last != nil
    }
}

/// A table that both engines have, as it is copied: all but what there is once (``StoreImage``).
package struct CopiedTable: Sendable, Equatable {
    package enum Kind: Sendable { case integer, text, blob }

    package struct Column: Sendable, Equatable {
        package let name: String
        package let kind: Kind

        package init(name: String, kind: Kind) { (self.name, self.kind) = (name, kind) }
    }

    package let name: String
    package let columns: [Column]

    package init(name: String, columns: [Column]) { (self.name, self.columns) = (name, columns) }

    package var columnNames: String { columns.map(\.name).joined(separator: ", ") }

    /// A statement that adds some rows, whose values are in the order of the columns.
    package func insertion(of rows: Int) -> String {
        let row = "(" + columns.map { _ in "?" }.joined(separator: ", ") + ")"
        let values = Array(repeating: row, count: rows).joined(separator: ", ")
        return "INSERT INTO \(name) (\(columnNames)) VALUES \(values)"
    }

    /// A query for all rows that are copied, in any order.
    ///
    /// - Parameter floor: of the log. What is at or below it is not copied.
    package func selection(above floor: Int64) -> String {
        // The comment says that the whole table is meant: see QueryPlans.
        let all = "/* copy */ SELECT \(columnNames) FROM \(name)"
        return ["log", "audience"].contains(name) ? all + " WHERE place > \(floor)" : all
    }
}

/// What there is once in a store. A copy keeps it, so that all cursors stay valid.
package struct StoreImage: Sendable, Equatable {
    package var epoch: String
    package var instance: String
    package var head: Int64
    /// The log's floor.
    package var floor: Int64
    /// The other numbers of `meta`, without those of one engine alone.
    package var meta: [String: Int64]
    /// The last number that was drawn for a table. It may be higher than that of its last row: none is used again.
    package var lastNumbers: [String: Int64]

    package init(
        epoch: String, instance: String, head: Int64, floor: Int64, meta: [String: Int64] = [:],
        lastNumbers: [String: Int64] = [:]
    ) {
        (self.epoch, self.instance, self.head, self.floor) = (epoch, instance, head, floor)
        (self.meta, self.lastNumbers) = (meta, lastNumbers)
    }

    /// Tables whose numbers are never used again.
    package static var numberedTables: [String] { StoreCheck.numberedTables }

    /// Rows of `meta` that are no number, have a member of their own above, or belong to one engine: the probe of
    /// writing, which server PostgreSQL runs on, what tells the token of its gateways from others, and what
    /// `RestoredDatabase` needs to see a restore.
    package static let ownNames: Set<String> = [
        "epoch", "instance", "head", "floor", "probe", "timeline", "system", "settled",
        "token", "tables", "marked", "copied",
    ]
}

/// A digest of a table's rows that does not depend on their order: two engines read them in different ones.
///
/// Each row has a digest of 128 bits, and they are added up. It finds what was lost or changed by a mistake; it is no
/// protection against somebody who wants to deceive it.
package struct RowDigest: Sendable, Equatable, CustomStringConvertible {
    package private(set) var count = 0
    private var (low, high): (UInt64, UInt64) = (0, 0)

    package init() {}

    package mutating func add(_ row: [SQLValue]) {
        var state = Mixing()
        for value in row {
            switch value {
            case .null: state.mix(0)
            case .integer(let number):
                state.mix(1)
                state.mix(UInt64(bitPattern: number))
            case .text(let text):
                state.mix(2)
                var text = text
                text.withUTF8 { state.mix(UnsafeRawBufferPointer($0)) }
            case .blob(let bytes):
                state.mix(3)
                bytes.withUnsafeBytes { state.mix($0) }
            }
        }
        count += 1
        low &+= state.low
        high &+= state.high
    }

    /// 32 hexadecimal digits.
    package var description: String {
        [high, low].map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}

/// Two words, into which others are mixed by multiplication to the double width.
private struct Mixing {
    // The first digits of the fractions of pi, and odd numbers with about as many ones as zeros.
    private(set) var low: UInt64 = 0x243F_6A88_85A3_08D3
    private(set) var high: UInt64 = 0x1319_8A2E_0370_7344

    mutating func mix(_ word: UInt64) {
        let first = (low ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        let second = (high ^ word &+ 0xA409_3822_299F_31D0).multipliedFullWidth(by: 0xD1B5_4A32_D192_ED03)
        low = first.low ^ first.high &+ high
        high = second.low ^ second.high &+ first.low
    }

    /// The length and the bytes, eight at a time.
    mutating func mix(_ bytes: UnsafeRawBufferPointer) {
        mix(UInt64(bytes.count))
        var place = 0
        while place + 8 <= bytes.count {
            mix(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)))
            place += 8
        }
        var rest: UInt64 = 0
        while place < bytes.count {
            rest = rest << 8 | UInt64(bytes[place])
            place += 1
        }
        mix(rest)
    }
}
