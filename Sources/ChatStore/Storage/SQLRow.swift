/// The current row of a statement; valid until the next step. Columns count from 0. A null reads as 0 or empty.
enum SQLRow {
    case lite(SQLiteRow)
    case remote(any RemoteRow)

    func integer(_ column: Int32) -> Int64 {
        switch self {
        case .lite(let row): row.integer(column)
        case .remote(let row): row.integer(column)
        }
    }

    func isNull(_ column: Int32) -> Bool {
        switch self {
        case .lite(let row): row.isNull(column)
        case .remote(let row): row.isNull(column)
        }
    }

    func text(_ column: Int32) -> String {
        switch self {
        case .lite(let row): row.text(column)
        case .remote(let row): row.text(column)
        }
    }

    /// The column's bytes without a copy, valid inside `body`.
    func withBlob<T>(_ column: Int32, _ body: (UnsafeRawBufferPointer) throws -> T) rethrows -> T {
        switch self {
        case .lite(let row): try row.withBlob(column, body)
        case .remote(let row): try row.withBlob(column, body)
        }
    }

    func flag(_ column: Int32) -> Bool { integer(column) != 0 }

    func blob(_ column: Int32) -> [UInt8] { withBlob(column) { Array($0) } }
}
