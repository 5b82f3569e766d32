import ChatStore
import CPostgreSQL

/// Values in PostgreSQL's binary form, for one call of libpq.
struct PostgresParameters {
    /// The types by which a statement is prepared: a null fits every type.
    let types: [UInt32]
    private let bytes: [UInt8]
    /// Where each value begins, and its length; nil for null.
    private let places: [Range<Int>?]

    init(_ values: [SQLValue]) {
        var bytes: [UInt8] = []
        var places: [Range<Int>?] = []
        places.reserveCapacity(values.count)
        for value in values {
            let start = bytes.count
            switch value {
            case .null:
                places.append(nil)
                continue
            case .integer(let number):
                withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
            case .text(let text): bytes.append(contentsOf: text.utf8)
            case .blob(let blob): bytes.append(contentsOf: blob)
            }
            places.append(start..<bytes.count)
        }
        // libpq takes a null pointer for null, so an empty value must not be at the address of nothing.
        if bytes.isEmpty { bytes.append(0) }
        types = values.map(Self.type)
        self.bytes = bytes
        self.places = places
    }

    private static func type(of value: SQLValue) -> UInt32 {
        switch value {
        case .null: 0
        case .integer: PostgresType.int8
        case .text: PostgresType.text
        case .blob: PostgresType.bytea
        }
    }

    /// Calls `body` with what `PQsendQueryPrepared` wants: pointers, lengths and formats.
    func withPointers<T>(
        _ body: (UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<CInt>?, UnsafePointer<CInt>?) -> T
    ) -> T {
        let lengths = places.map { CInt($0?.count ?? 0) }
        let formats = [CInt](repeating: 1, count: places.count)
        return bytes.withUnsafeBytes { buffer in
            let start = buffer.baseAddress!.assumingMemoryBound(to: CChar.self)
            let pointers = places.map { place in place.map { start + $0.lowerBound } }
            return pointers.withUnsafeBufferPointer { pointers in
                lengths.withUnsafeBufferPointer { lengths in
                    formats.withUnsafeBufferPointer { formats in
                        body(pointers.baseAddress, lengths.baseAddress, formats.baseAddress)
                    }
                }
            }
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
