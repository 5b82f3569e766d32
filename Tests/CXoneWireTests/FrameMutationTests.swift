import Testing

@testable import CXoneWire

/// Frames that were broken at random, the same way in every run, are refused or read; nothing else happens.
@Suite struct FrameMutationTests {
    @Test func mutatedClientFrames() throws {
        try mutate((ClientExamples.ios + ClientExamples.others), seed: 1)
    }

    @Test func mutatedServerFrames() throws {
        try mutate(AnswerExamples.all + AnswerExamples.lenient + PushExamples.all + PushExamples.lenient, seed: 2)
    }

    @Test func truncatedFrames() {
        for example in ClientExamples.ios + ClientExamples.others { expectTruncationsRefused(example) }
        for example in AnswerExamples.all + PushExamples.all { expectTruncationsRefused(example) }
    }

    private func expectTruncationsRefused<Value>(_ example: Example<Value>) {
        let bytes = Array(example.json.utf8)
        for end in stride(from: 0, to: bytes.count, by: 3) {
            do throws(WireError) {
                _ = try Value(json: Array(bytes[..<end]), limit: WireLimit.frame)
                Issue.record("\(example.name) was read after \(end) bytes")
            } catch {
                #expect(error.kind == .notJSON, "\(example.name) after \(end) bytes")
            }
        }
    }

    private func mutate<Value>(_ examples: [Example<Value>], seed: UInt64) throws {
        var random = SplitMix64(state: seed)
        var (read, refused) = (0, 0)
        for example in examples {
            for _ in 0..<100 {
                let bytes = mutation(of: Array(example.json.utf8), &random)
                let value: Value
                do throws(WireError) {
                    value = try Value(json: bytes, limit: WireLimit.frame)
                } catch {
                    refused += 1
                    continue
                }
                read += 1
                // What was understood can be said again, and then stays as it is.
                let written = value.encoded()
                let again = try Value(json: written, limit: WireLimit.frame)
                #expect(again.encoded() == written, "\(String(decoding: bytes, as: UTF8.self))")
            }
        }
        // Both must happen often, or the mutations are no good.
        #expect(read > examples.count * 10 && refused > examples.count * 10, "\(read) read, \(refused) refused")
    }

    private static let tokens = [
        "null", "true", "0", "-1", "1e999", "123456789012345678901234567890", "\"\"", "\"x\"", "[]", "{}", "[[]]",
        "{\"id\":null}", "\"\\ud800\"", "\"\\u0000\"", "\"2026-02-30T00:00:00Z\"", "\"9999-12-31T23:59:59.999-2359\"",
    ]

    private func mutation(of bytes: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...2, using: &random) {
            let place = bytes.isEmpty ? 0 : Int.random(in: bytes.indices, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0 where !bytes.isEmpty: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.insert(UInt8.random(in: 32...126, using: &random), at: place)
            case 2 where !bytes.isEmpty: bytes.remove(at: place)
            default: replaceValue(in: &bytes, from: place, &random)
            }
        }
        return bytes
    }

    /// Puts another value in the place of the next string or number after a colon.
    private func replaceValue(in bytes: inout [UInt8], from place: Int, _ random: inout SplitMix64) {
        guard let colon = bytes[place...].firstIndex(of: UInt8(ascii: ":")), colon + 1 < bytes.count else { return }
        let start = colon + 1
        var end = start + 1
        if bytes[start] == UInt8(ascii: "\"") {
            while end < bytes.count, bytes[end] != UInt8(ascii: "\"") { end += 1 }
            end = min(end + 1, bytes.count)
        } else if bytes[start] == UInt8(ascii: "{") || bytes[start] == UInt8(ascii: "[") {
            var depth = 1
            while end < bytes.count, depth > 0 {
                if bytes[end] == UInt8(ascii: "{") || bytes[end] == UInt8(ascii: "[") { depth += 1 }
                if bytes[end] == UInt8(ascii: "}") || bytes[end] == UInt8(ascii: "]") { depth -= 1 }
                end += 1
            }
        } else {
            while end < bytes.count, !",}]".utf8.contains(bytes[end]) { end += 1 }
        }
        bytes.replaceSubrange(start..<end, with: Self.tokens.randomElement(using: &random)?.utf8.map { $0 } ?? [])
    }
}

/// The same numbers for the same seed.
struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
