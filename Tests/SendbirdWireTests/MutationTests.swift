@testable import SendbirdWire
import Testing

/// Answers and requests that were broken at random, the same way in every run, are refused or read; nothing else happens.
@Suite struct MutationTests {
    @Test(arguments: WireExample.all) func aBrokenAnswerIsRefusedOrRead(_ example: WireExample) throws {
        var random = Random(state: UInt64(example.json.utf8.count))
        var (read, refused) = (0, 0)
        for _ in 0..<300 {
            let bytes = random.mutation(of: Array(example.json.utf8))
            guard let once = try? example.again(bytes) else {
                refused += 1
                continue
            }
            read += 1
            // What was understood can be said again, and then stays as it is.
            #expect(try example.again(once) == once, "\(String(decoding: bytes, as: UTF8.self))")
        }
        // Both must happen often, or the mutations are no good.
        #expect(read > 3 && refused > 30, "\(read) read, \(refused) refused")
    }

    @Test func aBrokenRequestIsRefusedOrRead() throws {
        var message = SendMessage(.text, userID: "a", text: "Hello")
        (message.extras, message.mentionedIDs) = ([SendbirdExtra(key: "k", values: ["v"])], ["b"])
        var random = Random(state: 7), refused = 0
        for _ in 0..<2000 {
            do throws(SendbirdError) {
                let read = try SendbirdRequestReader.read(random.mutation(of: message.encoded), as: SendMessage.self)
                    .body
                let again = try SendbirdRequestReader.read(read.encoded, as: SendMessage.self).body
                #expect(again == read)
            } catch {
                refused += 1
            }
        }
        #expect((100..<2000).contains(refused), "\(refused) refused")
    }
}

/// SplitMix64: the same numbers for the same seed.
private struct Random: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    private static let values = [
        "null", "true", "0", "-1", "1e999", "9223372036854775808", "\"\"", "\"x\"", "[]", "{}", "[[]]", "{\"a\":null}",
        "\"\\ud800\"", "\"\\u0000\"",
    ]

    mutating func mutation(of bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...2, using: &self) where !bytes.isEmpty {
            let place = Int.random(in: bytes.indices, using: &self)
            switch Int.random(in: 0..<5, using: &self) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &self)
            case 1: bytes.insert(UInt8.random(in: 32...126, using: &self), at: place)
            case 2: bytes.remove(at: place)
            default:
                // Another value in the place of the next string, number or word after a colon.
                guard let colon = bytes[place...].firstIndex(of: UInt8(ascii: ":")) else { continue }
                let end = bytes[colon...].firstIndex { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "}") } ?? colon + 1
                bytes.replaceSubrange(
                    (colon + 1)..<max(end, colon + 1), with: Self.values.randomElement(using: &self)!.utf8)
            }
        }
        return bytes
    }
}
