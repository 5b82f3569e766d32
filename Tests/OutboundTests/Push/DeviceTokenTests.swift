import Testing

@testable import Outbound

@Suite struct DeviceTokenTests {
    @Test(arguments: [("00fc13ad", "00fc13ad"), ("00FC13AD", "00fc13ad"), ("aB", "ab")])
    func aTokenOfAPNsIsInSmallLetters(text: String, digits: String) {
        #expect(DeviceToken(text, of: .apns)?.text == digits)
    }

    @Test(arguments: ["", "a", "abc", "0g", "ä", "a ", "../x"]) func refusesATokenOfAPNs(text: String) {
        #expect(DeviceToken(text, of: .apns) == nil)
    }

    @Test(arguments: ["fMEP0vJqS0:APA91bH-_x", "x"]) func aTokenOfFCMStaysAsItIs(text: String) {
        #expect(DeviceToken(text, of: .fcm)?.text == text)
    }

    @Test(arguments: ["", "a b", "ä", "a\n", "a\u{7F}"]) func refusesATokenOfFCM(text: String) {
        #expect(DeviceToken(text, of: .fcm) == nil)
    }

    @Test(arguments: AppKind.allCases) func aTokenHasABound(kind: AppKind) {
        #expect(DeviceToken(String(repeating: "a", count: kind.maximumTokenLength), of: kind) != nil)
        #expect(DeviceToken(String(repeating: "a", count: kind.maximumTokenLength + 2), of: kind) == nil)
    }

    @Test func aTokensDescriptionShowsNothing() throws {
        #expect("\(try #require(DeviceToken("00fc13ad", of: .apns)))" == "DeviceToken")
    }
}
