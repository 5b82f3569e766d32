import Formats
import Testing

@Suite struct HexadecimalTests {
    @Test func eachByteHasTwoDigitsInLowerCase() {
        #expect(Hexadecimal.encode([0, 9, 0x0a, 0x7f, 0xff]) == "00090a7fff")
        #expect(Hexadecimal.encode([UInt8]()) == "")
    }

    @Test func aDigitOfEitherCaseHasItsValue() {
        #expect("09afAF".utf8.map(Hexadecimal.value(of:)) == [0, 9, 10, 15, 10, 15])
        #expect("/:@`gG".utf8.map(Hexadecimal.value(of:)) == Array(repeating: nil, count: 6))
    }
}
