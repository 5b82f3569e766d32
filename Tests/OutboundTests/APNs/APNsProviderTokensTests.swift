import ChatModel
import Crypto
import Formats
import Testing

@testable import Outbound

@Suite struct APNsProviderTokensTests {
    private let signingKey = P256.Signing.PrivateKey()
    private let now = Timestamp(milliseconds: 1_437_179_036_999)

    private func tokens() throws -> APNsProviderTokens {
        APNsProviderTokens(key: try APNsKey(pem: signingKey.pemRepresentation), keyID: "ABC123DEFG", team: "DEF123GHIJ")
    }

    /// The check value of Apple's article on provider tokens.
    @Test func hasHeaderAndClaimsOfTheExample() throws {
        let token = try tokens().current(now: now)
        #expect(
            token.hasPrefix(
                "eyJhbGciOiJFUzI1NiIsImtpZCI6IkFCQzEyM0RFRkcifQ.eyJpc3MiOiJERUYxMjNHSElKIiwiaWF0IjoxNDM3MTc5MDM2fQ."))
        let parts = try SignedToken(token, verifiedBy: signingKey.publicKey)
        #expect(parts.header == #"{"alg":"ES256","kid":"ABC123DEFG"}"#)
        #expect(parts.claims == #"{"iss":"DEF123GHIJ","iat":1437179036}"#)
    }

    @Test func isRenewedAfter45Minutes() throws {
        let tokens = try tokens()
        let first = try tokens.current(now: now)
        let end = now.advanced(bySeconds: 45 * 60)
        #expect(try tokens.current(now: end.advanced(byMilliseconds: -1)) == first)
        let second = try tokens.current(now: end)
        #expect(second != first)
        #expect(try tokens.current(now: end.advanced(bySeconds: 45 * 60 - 1)) == second)
    }

    @Test func anExpiredTokenIsRenewedOnceIn20Minutes() throws {
        let tokens = try tokens()
        let first = try tokens.current(now: now)
        let early = now.advanced(bySeconds: 20 * 60 - 1)
        #expect(try tokens.renewed(afterExpiryOf: first, now: early) == nil)
        #expect(try tokens.current(now: early) == first)
        let allowed = now.advanced(bySeconds: 20 * 60)
        let second = try #require(try tokens.renewed(afterExpiryOf: first, now: allowed))
        #expect(second != first)
        // Another request, sent with the old token, gets the new one.
        #expect(try tokens.renewed(afterExpiryOf: first, now: allowed) == second)
        #expect(try tokens.renewed(afterExpiryOf: second, now: allowed.advanced(bySeconds: 60)) == nil)
        #expect(try tokens.current(now: allowed.advanced(bySeconds: 60)) == second)
    }

    @Test func aClockThatWasSetBackGetsANewToken() throws {
        let tokens = try tokens()
        let first = try tokens.current(now: now)
        #expect(try tokens.current(now: now.advanced(bySeconds: -60)) == first)
        let earlier = now.advanced(bySeconds: -61)
        let second = try tokens.current(now: earlier)
        #expect(try SignedToken(second, verifiedBy: signingKey.publicKey).claims.contains("1437178975"))
        #expect(try tokens.current(now: earlier) == second)
    }

    @Test func noHistoryOfRequestsRenewsMoreOftenThanEach20Minutes() throws {
        let tokens = try tokens()
        var last: (token: String, at: Timestamp)?
        for minute in 0..<600 {
            let time = now.advanced(bySeconds: minute * 60)
            var token = try tokens.current(now: time)
            token = try tokens.renewed(afterExpiryOf: token, now: time) ?? token
            if let last, last.token != token {
                #expect(time >= last.at.advanced(bySeconds: 20 * 60))
            }
            if last?.token != token { last = (token, time) }
        }
    }
}

@Suite struct APNsKeyTests {
    @Test(arguments: ["", "key", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"])
    func refusesWhatIsNoKey(pem: String) {
        #expect(throws: APNsKey.Malformed()) { try APNsKey(pem: pem) }
    }

    @Test func refusesAKeyOfAnotherKind() {
        #expect(throws: APNsKey.Malformed()) { try APNsKey(pem: P384.Signing.PrivateKey().pemRepresentation) }
        #expect(throws: APNsKey.Malformed()) { try APNsKey(pem: P256.Signing.PrivateKey().publicKey.pemRepresentation) }
    }

    @Test func itsDescriptionShowsNothing() throws {
        let key = try APNsKey(pem: P256.Signing.PrivateKey().pemRepresentation)
        #expect("\(key)" == "APNsKey")
    }
}
