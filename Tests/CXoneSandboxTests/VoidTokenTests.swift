@testable import CXoneSandbox
import Formats
import Testing

/// Which tokens are void before their time.
@Suite struct VoidTokenTests {
    private let tokens = VoidTokens()

    private func claims(_ customer: String, issuedAt time: Int64) -> TokenClaims {
        TokenClaims(
            kind: .access, customer: customer, channel: "c", issuedAt: Timestamp(milliseconds: time),
            expiresAt: Timestamp(milliseconds: time + 3_600_000), nonce: "n")
    }

    @Test func tokensUpToATimeAreVoid() {
        #expect(tokens.add(of: "ada", upTo: Timestamp(milliseconds: 100)))
        #expect(tokens.contains(claims("ada", issuedAt: 100)) && !tokens.contains(claims("ada", issuedAt: 101)))
        #expect(!tokens.contains(claims("bob", issuedAt: 100)))
        #expect(tokens.add(of: nil, upTo: Timestamp(milliseconds: 200)))
        #expect(tokens.contains(claims("bob", issuedAt: 200)) && tokens.contains(claims("ada", issuedAt: 150)))
        #expect(!tokens.contains(claims("ada", issuedAt: 201)))
        tokens.add(upTo: Timestamp(milliseconds: 300))
        #expect(tokens.contains(claims("bob", issuedAt: 300)) && !tokens.contains(claims("bob", issuedAt: 301)))
    }

    @Test func customersWithVoidTokensAreBounded() {
        for number in 0..<VoidTokens.limit {
            #expect(tokens.add(of: "\(number)", upTo: Timestamp(milliseconds: Int64(number))))
        }
        #expect(!tokens.add(of: "more", upTo: Timestamp(milliseconds: 1000)))
        // An hour later the tokens of the first ten have expired by themselves.
        let later = Timestamp(milliseconds: Int64(Sandbox.tokenLifetime) * 1000 + 9)
        #expect(tokens.add(of: "more", upTo: later))
        #expect(tokens.contains(claims("more", issuedAt: 500)) && !tokens.contains(claims("9", issuedAt: 9)))
        #expect(tokens.contains(claims("10", issuedAt: 10)))
    }

    @Test func allCustomersNeedNoRoom() {
        let now = Timestamp(milliseconds: 1_000_000_000)
        for number in 0..<VoidTokens.limit { #expect(tokens.add(of: "c\(number)", upTo: now)) }
        #expect(!tokens.add(of: "another", upTo: now))
        #expect(tokens.add(of: nil, upTo: now) && tokens.add(of: "another", upTo: now))
    }
}
