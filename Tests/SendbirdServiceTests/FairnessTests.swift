@testable import SendbirdService
import Testing

/// A busy account leaves the others their part of an application's calls.
@Suite struct FairnessTests {
    @Test func aDebtIsForgotten() {
        var shares = CallShares()
        for _ in 0..<100 { shares.began(1, limit: 10, at: .zero) }
        #expect(shares.steps(of: 1, waiting: 0, limit: 10, at: .zero) == 5)
        #expect(shares.steps(of: 1, waiting: 0, limit: 10, at: .seconds(10)) == 0)
        #expect(shares.steps(of: 2, waiting: 25, limit: 10, at: .zero) == 2)
    }
}
