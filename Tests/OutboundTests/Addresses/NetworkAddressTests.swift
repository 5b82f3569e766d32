import HTTPClientPort
import Testing

@testable import Outbound

@Suite struct NetworkAddressTests {
    @Test(arguments: ["127.0.0.1", "::1", "2001:db8::8:800:200c:417a", "::ffff:10.0.0.1", "255.255.255.255"])
    func anAddressReadsAsItIsWritten(text: String) throws {
        #expect(try #require(NetworkAddress(text)).text == text)
    }

    @Test(arguments: [
        "", "1.2.3", "1.2.3.4.5", "256.0.0.1", "0x7f.0.0.1", "127.1", "2130706433", "1.2.3.4 ", "1.2.3.4\u{0}", "[::1]",
        "fe80::1%lo",
        "::1::", ":", "localhost",
    ])
    func anythingElseIsNoAddress(text: String) {
        #expect(NetworkAddress(text) == nil)
    }

    @Test(arguments: [
        "127.0.0.1", "2130706433", "0x7f000001", "0x7f.1", "0X7F.0.0.1", "127.1", "127.0.1", "0177.0.0.1",
        "017700000001",
    ])
    func eachSpellingOfLoopbackIsLoopback(text: String) {
        #expect(NetworkAddress(anySpellingOfIPv4: text) == NetworkAddress(127, 0, 0, 1))
    }

    @Test(arguments: [
        "127.0.0.1 x", "4294967296", "256.1", "1.2.3.4.5", "example", "", "0x", "face.example",
        "08.1.1.1", "::1",
    ])
    func otherNamesAreNoSpellingOfAnAddress(text: String) {
        #expect(NetworkAddress(anySpellingOfIPv4: text) == nil)
    }

    @Test func bytesAreAnAddressWhenThereAreFourOrSixteen() {
        #expect(NetworkAddress(bytes: [10, 0, 0, 1])?.text == "10.0.0.1")
        #expect(NetworkAddress(bytes: [UInt8](repeating: 0, count: 16))?.text == "::")
        for count in [0, 3, 5, 15, 17] {
            #expect(NetworkAddress(bytes: [UInt8](repeating: 1, count: count)) == nil)
        }
    }
}
