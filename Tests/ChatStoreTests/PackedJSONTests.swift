import Formats
import TestSupport
import Testing

@testable import ChatStore

@Suite struct PackedJSONTests {
    private static let message = Array(
        #"{"id":"m1","threadId":"t1","author":{"id":"c1","kind":"customer"},"type":"text","text":"Hello","attachments":[]}"#
            .utf8)

    private static func event(_ text: String) -> [UInt8] {
        Array(#"{"threadId":"t1","message":{"id":"m1","text":"\#(text)"},"actor":{"id":"c1","kind":"customer"}}"#.utf8)
    }

    /// Rows of all databases are packed with these words. Other words need another ``PackedJSON/Form``.
    @Test func theWordsAreThoseOfAllDatabases() {
        #expect(PackedJSON.words.count == 1162)
        var hash = StableHash()
        hash.add(String(decoding: PackedJSON.words, as: UTF8.self))
        #expect(hash.value == 4_226_959_832_959_381_205)
        #expect(!PackedJSON.words.contains(0x0A))
    }

    /// As an earlier build has written it.
    @Test func whatWasPackedEarlierIsRead() throws {
        let stored: [UInt8] = [
            2, 92, 29, 123, 102, 0, 3, 238, 4, 5, 179, 1, 2, 139, 0, 2, 9, 3, 2, 70, 0, 28, 125, 201, 4, 14, 138, 0,
            80, 101, 114, 34, 125, 125,
        ]
        #expect(try PackedJSON.unpacked(stored, base: { Self.message }) == Self.event("Hello"))
    }

    @Test func whatIsPackedIsReadAgain() throws {
        let packer = JSONPacker()
        var generator = SeededGenerator(seed: 33)
        for length in [0, 1, 2, 15, 127, 128, 300, 5000, 40_000, 57_000, 70_000, 300_000] {
            for base in [nil, Self.message, [], [UInt8](repeating: 0x41, count: 57_000)] {
                let bytes = (0..<length).map { _ in UInt8.random(in: 0x61...0x64, using: &generator) }
                let json = Self.event(String(decoding: bytes, as: UTF8.self))
                let stored = packer.packed(json, base: base)
                #expect(stored.count <= json.count)
                #expect(try PackedJSON.unpacked(stored) { base ?? [] } == json)
            }
        }
        // Nothing is gained.
        for json in [[], [UInt8(ascii: "{")], Array("{}".utf8), (0..<200).map { UInt8($0 + 3) }] {
            #expect(packer.packed(json) == json)
            #expect(try PackedJSON.unpacked(json) == json)
        }
    }

    @Test func theBaseIsReadOnlyWhereItIsNeeded() throws {
        let packer = JSONPacker()
        let alone = packer.packed(Self.event("Hello"))
        #expect(PackedJSON.form(of: alone) == .words)
        #expect(
            try PackedJSON.unpacked(alone) { () -> [UInt8] in throw ModelError(member: "base") } == Self.event("Hello"))
        let based = packer.packed(Self.event("Hello"), base: Self.message)
        #expect(PackedJSON.form(of: based) == .based)
        #expect(throws: ModelError(member: "base")) {
            try PackedJSON.unpacked(based) { () -> [UInt8] in throw ModelError(member: "base") }
        }
        #expect(PackedJSON.form(of: Self.message) == nil)
    }

    /// A row whose bytes somebody or something has changed is an error, or other bytes of a bounded length; never a crash.
    @Test func damagedBytesDoNoHarm() throws {
        let packer = JSONPacker()
        var generator = SeededGenerator(seed: 7)
        let stored = packer.packed(Self.event(String(repeating: "Hello ", count: 60)), base: Self.message)
        for _ in 0..<20_000 {
            var damaged = stored
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                damaged[Int.random(in: 1..<damaged.count, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            if Bool.random(using: &generator) {
                damaged.removeLast(Int.random(in: 1..<damaged.count, using: &generator))
            }
            let read = try? PackedJSON.unpacked(damaged) { Self.message }
            #expect((read ?? []).count <= PackedJSON.limit)
        }
        for bytes: [UInt8] in [[1], [2], [1, 0x80], [1, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F, 0], [1, 5], [2, 0x7F, 0xF0]] {
            #expect(throws: ModelError.self) { try PackedJSON.unpacked(bytes) { Self.message } }
        }
    }
}
