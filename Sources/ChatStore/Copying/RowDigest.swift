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
            case .null: state.take(0)
            case .integer(let number):
                state.take(1)
                state.take(UInt64(bitPattern: number))
            case .text(let text):
                state.take(2)
                var text = text
                text.withUTF8 { state.take(UnsafeRawBufferPointer($0)) }
            case .blob(let bytes):
                state.take(3)
                bytes.withUnsafeBytes { state.take($0) }
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

    mutating func take(_ word: UInt64) {
        let first = (low ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        let second = (high ^ word &+ 0xA409_3822_299F_31D0).multipliedFullWidth(by: 0xD1B5_4A32_D192_ED03)
        low = first.low ^ first.high &+ high
        high = second.low ^ second.high &+ first.low
    }

    /// The length and the bytes, eight at a time.
    mutating func take(_ bytes: UnsafeRawBufferPointer) {
        take(UInt64(bytes.count))
        var place = 0
        while place + 8 <= bytes.count {
            take(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)))
            place += 8
        }
        var rest: UInt64 = 0
        while place < bytes.count {
            rest = rest << 8 | UInt64(bytes[place])
            place += 1
        }
        take(rest)
    }
}
