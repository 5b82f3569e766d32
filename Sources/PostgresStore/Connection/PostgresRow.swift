import ChatStore
import CPostgreSQL

/// The rows of a result, in binary form, and the current one of them. The result lives as long as the object.
final class PostgresRow: RemoteRow {
    private let functions: libpq
    private let result: OpaquePointer
    private var row: CInt = 0

    init(functions: libpq, result: OpaquePointer) {
        self.functions = functions
        self.result = result
    }

    deinit { functions.clear(result) }

    var count: Int { Int(functions.ntuples(result)) }

    /// Calls `body` at each row until it returns false.
    func forEach(_ body: (PostgresRow) throws -> Bool) rethrows {
        for index in 0..<functions.ntuples(result) {
            row = index
            if try !body(self) { return }
        }
    }

    private func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: functions.getvalue(result, row, column), count: Int(functions.getlength(result, row, column)))
    }

    package func isNull(_ column: Int32) -> Bool { functions.getisnull(result, row, column) != 0 }

    /// A whole number of any of PostgreSQL's types; the sum of bigints is `numeric`. 0 for null and for other types.
    package func integer(_ column: Int32) -> Int64 {
        guard !isNull(column) else { return 0 }
        let bytes = bytes(column)
        switch functions.ftype(result, column) {
        case PostgresType.int8 where bytes.count == 8:
            return Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
        case PostgresType.int4 where bytes.count == 4:
            return Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
        case PostgresType.int2 where bytes.count == 2:
            return Int64(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self)))
        case PostgresType.bool: return bytes.first == 1 ? 1 : 0
        case PostgresType.numeric: return Self.whole(bytes)
        default: return 0
        }
    }

    /// The whole part of a `numeric`: digits to the base 10,000 after a count, a weight, a sign and a scale. What is too
    /// large for 64 bits becomes the greatest number.
    private static func whole(_ bytes: UnsafeRawBufferPointer) -> Int64 {
        func short(_ index: Int) -> Int16 {
            guard 2 * index + 2 <= bytes.count else { return 0 }
            return Int16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2 * index, as: Int16.self))
        }
        let (count, weight, isNegative) = (Int(short(0)), Int(short(1)), short(2) == 0x4000)
        var number: Int64 = 0
        guard weight >= 0 else { return 0 }
        for digit in 0...weight {
            let (product, isTooLarge) = number.multipliedReportingOverflow(by: 10_000)
            let (sum, overflows) = product.addingReportingOverflow(digit < count ? Int64(short(4 + digit)) : 0)
            if isTooLarge || overflows { return isNegative ? .min : .max }
            number = sum
        }
        return isNegative ? -number : number
    }

    package func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }

    package func withBlob<T>(_ column: Int32, _ body: (UnsafeRawBufferPointer) throws -> T) rethrows -> T {
        try body(bytes(column))
    }
}
