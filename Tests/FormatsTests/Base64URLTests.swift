import Formats
import Testing

@Suite struct Base64URLTests {
    @Test(
        arguments: [
            ([], ""), ([0], "AA"), (Array("fo".utf8), "Zm8"), (Array("foob".utf8), "Zm9vYg"), ([0xFF], "_w"),
            ([0xFB, 0xFF], "-_8"), ([1, 2, 3], "AQID"), ([1, 2, 3, 4], "AQIDBA"),
        ] as [([UInt8], String)])
    func writesAndReads(bytes: [UInt8], text: String) {
        #expect(Base64URL.encode(bytes) == text)
        #expect(Base64URL.decode(text) == bytes)
    }

    @Test(
        arguments: [("+/8", [0xFB, 0xFF]), ("+/8=", [0xFB, 0xFF]), ("-_8=", [0xFB, 0xFF]), ("_w==", [0xFF])]
            as [(String, [UInt8])])
    func readsPaddingAndTheStandardAlphabet(text: String, bytes: [UInt8]) {
        #expect(Base64URL.decode(text) == bytes)
    }

    /// The last two have bits that belong to no byte.
    @Test(arguments: ["A", "AAAAA", "AA=", "AA===", "A===", "=", "====", "A=AA", "AA AA", "AA\n", "AAä", "_x", "-_9"])
    func refuses(text: String) {
        #expect(Base64URL.decode(text) == nil)
    }
}
