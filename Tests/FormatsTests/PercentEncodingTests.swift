import Formats
import Testing

@Suite struct PercentEncodingTests {
    @Test(arguments: [
        ("", ""), ("plain-._~09AZaz", "plain-._~09AZaz"), ("a b+c/d", "a%20b%2Bc%2Fd"),
        ("é%😀", "%C3%A9%25%F0%9F%98%80"),
    ])
    func textIsEncodedAndDecoded(text: String, encoded: String) {
        #expect(text.percentEncoded == encoded)
        #expect(encoded.percentDecoded == text)
    }

    @Test func digitsOfEitherCaseAreReadAndAPlusStays() {
        #expect("%c3%A9+x".percentDecoded == "é+x")
    }

    @Test(arguments: ["%", "%4", "x%4g", "%%41", "%C3", "%C3%28", "%ED%A0%80"])
    func refusesWhatIsNoEncodingOfText(encoded: String) {
        #expect(encoded.percentDecoded == nil)
    }
}
