import ChatModel
@testable import CXoneSandbox
import Formats
import SandboxKit
import Testing

@Suite struct TokenTests {
    private static let claims = TokenClaims(
        kind: .transaction, customer: "eva \"x\" / ü", channel: "chat_1", issuedAt: Timestamp(milliseconds: 5),
        expiresAt: Timestamp(milliseconds: 9), nonce: "n")

    @Test func aTokenSaysWhatItWasMadeFor() {
        let issuer = TokenIssuer(key: Array(repeating: 1, count: 32))
        #expect(issuer.claims(issuer.token(Self.claims), kind: .transaction) == Self.claims)
    }

    @Test func noOtherTokenIsTaken() {
        let issuer = TokenIssuer(key: Array(repeating: 1, count: 32)),
            other = TokenIssuer(key: Array(repeating: 2, count: 32))
        let token = issuer.token(Self.claims)
        #expect(issuer.claims(token, kind: .access) == nil)
        #expect(other.claims(token, kind: .transaction) == nil)
        for text in [
            "", ".", "a.b", token + "x", String(token.dropLast(3)), "x" + token, token.replacing(".", with: ".."),
        ] {
            #expect(issuer.claims(text, kind: .transaction) == nil)
        }
    }

    @Test func idsAreTheSameForTheSameFolderAlone() {
        let ids = StableIDs(seed: "a")
        #expect(ids.uuid("x") == StableIDs(seed: "a").uuid("x"))
        #expect(ids.uuid("x") != StableIDs(seed: "b").uuid("x") && ids.uuid("x") != ids.uuid("y"))
        #expect((100_000...999_999).contains(ids.brand))
        #expect(ids.agent("4021") == "4021" && Int(ids.agent("ann")) != nil && ids.agent("007") != "007")
    }
}
