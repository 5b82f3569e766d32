import ChatStore
import CPostgreSQL

/// A statement's values in PostgreSQL's binary form, as libpq takes them. It is used again for each statement, so that
/// a statement allocates nothing.
struct PostgresParameters {
    /// The types by which a statement is prepared: a null fits every type.
    private(set) var types: [UInt32] = []
    private var bytes: [UInt8] = []
    /// Where each value begins; nil for null.
    private var starts: [Int?] = []
    private var lengths: [CInt] = []
    private var formats: [CInt] = []
    private var pointers: [UnsafePointer<CChar>?] = []

    /// A larger buffer is given back after the statement.
    private static let mostKept = 1 << 16

    /// Takes the values of the next statement.
    mutating func set(_ values: [SQLValue]) {
        types.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: bytes.count <= Self.mostKept)
        starts.removeAll(keepingCapacity: true)
        lengths.removeAll(keepingCapacity: true)
        for value in values {
            let start = bytes.count
            switch value {
            case .null: types.append(0)
            case .integer(let number):
                types.append(PostgresType.int8)
                withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
            case .text(let text):
                types.append(PostgresType.text)
                bytes.append(contentsOf: text.utf8)
            case .blob(let blob):
                types.append(PostgresType.bytea)
                bytes.append(contentsOf: blob)
            }
            if case .null = value { starts.append(nil) } else { starts.append(start) }
            lengths.append(CInt(clamping: bytes.count - start))
        }
        // libpq takes a null pointer for null, so an empty value must not be at the address of nothing.
        if bytes.isEmpty { bytes.append(0) }
        while formats.count < values.count { formats.append(1) }
    }

    /// Calls `body` with what `PQsendQueryPrepared` wants: the number of values, pointers, lengths and formats.
    mutating func withPointers<T>(
        _ body: (
            CInt, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<CInt>?, UnsafePointer<CInt>?
        ) -> T
    ) -> T {
        let (bytes, starts, lengths, formats) = (bytes, starts, lengths, formats)
        return bytes.withUnsafeBytes { buffer in
            let first = buffer.baseAddress!.assumingMemoryBound(to: CChar.self)
            pointers.removeAll(keepingCapacity: true)
            for start in starts { pointers.append(start.map { first + $0 }) }
            return body(CInt(starts.count), pointers, lengths, formats)
        }
    }
}

/// Numbers of PostgreSQL's types, from its catalogue `pg_type`; they never change.
enum PostgresType {
    static let bool: UInt32 = 16
    static let bytea: UInt32 = 17
    static let int8: UInt32 = 20
    static let int2: UInt32 = 21
    static let int4: UInt32 = 23
    static let text: UInt32 = 25
    static let numeric: UInt32 = 1700
}

/// A statement's text as PostgreSQL numbers parameters.
enum PostgresPlaceholders {
    /// `?` becomes `$1`, `$2` and so on, `?5` becomes `$5`. What is in quotes stays.
    static func numbered(_ sql: String) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(sql.utf8.count + 16)
        var isQuoted = false
        var count = 0
        var rest = sql.utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "'") { isQuoted.toggle() }
            guard byte == UInt8(ascii: "?"), !isQuoted else {
                text.append(byte)
                continue
            }
            text.append(UInt8(ascii: "$"))
            let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            if digits.isEmpty {
                count += 1
                text += Array(String(count).utf8)
            } else {
                text += Array(digits)
                rest = rest.dropFirst(digits.count)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}

/// libpq's functions. The library is loaded by the first call, so a gateway on SQLite does without it.
enum PostgresLibrary {
    /// Throws ``PostgresError`` when the library is not installed, with the sentence that helps.
    static func functions() throws(PostgresError) -> libpq {
        var reason: UnsafePointer<CChar>?
        guard let functions = libpq_load(&reason) else {
            let reason = reason.map { String(cString: $0) } ?? ""
            throw PostgresError(
                .connection, detail: "PostgreSQL's client library is missing (Debian's package libpq5): \(reason)")
        }
        return functions.pointee
    }
}
