/// A hash of texts (FNV-1a, 64 bits) that is the same in every process, so that it can be stored. It does not withstand
/// one who looks for two texts with one hash.
struct StableHash {
    private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func add(_ text: String) {
        for byte in text.utf8 { add(byte) }
        // A byte that UTF-8 never has ends each text.
        add(0xFF)
    }

    private mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
}
