import ChatModel
import Crypto
import Formats
import Testing

@testable import Outbound

@Suite struct VAPIDKeyTests {
    @Test func isDerivedFromTheFolderKey() throws {
        let key = try VAPIDKey(folderKey: Array(0..<32))
        #expect(
            key.applicationServerKey
                == "BEkFoUI0K7bIhHwPSvHdy6e7ceUI5bneINk4ZSdpCfKATL_rARMd5rF8O_IbL-sQgCknnVa_GExuP_HwN35Izdw")
        #expect(try VAPIDKey(folderKey: Array(1..<33)).applicationServerKey != key.applicationServerKey)
    }

    /// 0 and the order of P-256 are no scalars.
    @Test func isDerivedAgainWhereTheBytesAreNoScalar() throws {
        let order = try #require(Base64URL.decode("_____wAAAAD__________7zm-q2nF56E87nKwvxjJVE"))
        let candidates = [[UInt8](repeating: 0, count: 32), order, [UInt8](repeating: 7, count: 32)]
        var asked: [UInt8] = []
        let key = try VAPIDKey { counter in
            asked.append(counter)
            return candidates[Int(counter)]
        }
        #expect(asked == [0, 1, 2])
        #expect(Array(key.signingKey.rawRepresentation) == candidates[2])
    }

    @Test func givesUpAfter256Candidates() {
        var count = 0
        #expect(throws: VAPIDKey.NoValidScalar.self) {
            try VAPIDKey { _ in
                count += 1
                return [UInt8](repeating: 0, count: 32)
            }
        }
        #expect(count == 256)
    }
}

@Suite struct VAPIDTokensTests {
    private let now = Timestamp(milliseconds: 1_453_440_968_999)
    private let origin = "https://push.example.net"

    private func tokens(contact: String? = "mailto:push@example.com") throws -> VAPIDTokens {
        VAPIDTokens(key: try VAPIDKey(folderKey: Array(0..<32)), contact: contact.flatMap(VAPIDContact.init))
    }

    /// RFC 8292, section 2.4: this verifier takes the RFC's own token, so what it takes of ours is right.
    @Test func theVerifierOfTheseTestsTakesTheExampleOfRFC8292() throws {
        let token = SignedToken.example
        let key = try P256.Signing.PublicKey(x963Representation: try #require(Base64URL.decode(SignedToken.exampleKey)))
        let parts = try SignedToken(token, verifiedBy: key)
        #expect(parts.header == #"{"typ":"JWT","alg":"ES256"}"#)
        #expect(
            parts.claims
                == #"{"aud":"https://push.example.net","exp":1453523768,"sub":"mailto:push@example.com"}"#)
        let mutated = token.replacing("i3CYb7t4", with: "i3CYb7t5")
        #expect(throws: (any Error).self) { try SignedToken(mutated, verifiedBy: key) }
    }

    /// The claims of RFC 8292's example: `exp` is 23 hours after now.
    @Test func aTokenHasHeaderAndClaimsOfTheExample() throws {
        let key = try VAPIDKey(folderKey: Array(0..<32)).signingKey.publicKey
        let parts = try SignedToken(tokens().token(origin: origin, now: now), verifiedBy: key)
        #expect(parts.header == #"{"typ":"JWT","alg":"ES256"}"#)
        #expect(
            parts.claims
                == #"{"aud":"https://push.example.net","exp":1453523768,"sub":"mailto:push@example.com"}"#)
    }

    @Test func withoutAContactThereIsNoSub() throws {
        let key = try VAPIDKey(folderKey: Array(0..<32)).signingKey.publicKey
        let parts = try SignedToken(tokens(contact: nil).token(origin: origin, now: now), verifiedBy: key)
        #expect(parts.claims == #"{"aud":"https://push.example.net","exp":1453523768}"#)
    }

    @Test func theHeaderNamesTokenAndKey() throws {
        let tokens = try tokens()
        let token = try tokens.token(origin: origin, now: now)
        let key = try VAPIDKey(folderKey: Array(0..<32)).applicationServerKey
        #expect(try tokens.authorization(origin: origin, now: now) == "vapid t=\(token), k=\(key)")
    }

    @Test func aTokenIsUsedFor12Hours() throws {
        let tokens = try tokens()
        let first = try tokens.token(origin: origin, now: now)
        let end = now.advanced(bySeconds: 12 * 3600)
        #expect(try tokens.token(origin: origin, now: end.advanced(byMilliseconds: -1)) == first)
        let second = try tokens.token(origin: origin, now: end)
        #expect(second != first)
        #expect(try tokens.token(origin: origin, now: end.advanced(bySeconds: 1)) == second)
    }

    @Test func aClockThatWasSetBackGetsANewToken() throws {
        let tokens = try tokens()
        let first = try tokens.token(origin: origin, now: now)
        let earlier = now.advanced(bySeconds: -3600)
        let key = try VAPIDKey(folderKey: Array(0..<32)).signingKey.publicKey
        let second = try tokens.token(origin: origin, now: earlier)
        #expect(second != first)
        #expect(try SignedToken(second, verifiedBy: key).claims.contains("1453520168"))
    }

    @Test func eachOriginHasItsOwn() throws {
        let tokens = try tokens()
        #expect(try tokens.token(origin: origin, now: now) != tokens.token(origin: "https://other.example", now: now))
    }

    @Test func theOldestTokenGoesWhenThereAreTooMany() throws {
        let tokens = try tokens()
        let texts = try (0..<VAPIDTokens.capacity + 1).map {
            try tokens.token(origin: "https://\($0).example", now: now.advanced(bySeconds: $0))
        }
        #expect(tokens.count == VAPIDTokens.capacity)
        let later = now.advanced(bySeconds: 1000)
        #expect(try tokens.token(origin: "https://1.example", now: later) == texts[1])
        #expect(try tokens.token(origin: "https://0.example", now: later) != texts[0])
    }

    @Test(arguments: [
        ("mailto:push@example.com", true), ("https://example.com/contact", true), ("mailto:", false),
        ("mailto:push", false),
        ("mailto:@example.com", false), ("mailto:a@", false), ("http://example.com", false),
        ("push@example.com", false),
        ("mailto:a b@example.com", false), ("", false),
        ("mailto:\(String(repeating: "a", count: 240))@example.com", false),
    ])
    func aContactIsAnAddressOrAPage(text: String, isTaken: Bool) {
        #expect((VAPIDContact(text) != nil) == isTaken)
    }

    @Test(arguments: [
        ("https://web.push.apple.com/QA", true), ("https://updates.push.services.mozilla.com/wpush/v2/a", false),
        ("https://push.apple.com.example.net/", false),
    ])
    func applesServiceNeedsAContact(endpoint: String, isNeeded: Bool) throws {
        let url = try TargetAddress(endpoint)
        #expect(VAPIDContact.isNeeded(for: url) == isNeeded)
    }
}
