import Testing

@testable import ChatStore

struct RowDigestTests {
    @Test func aDigestSeesWhatIsOtherAndNotTheOrder() {
        func digest(_ rows: [[SQLValue]]) -> RowDigest {
            var digest = RowDigest()
            for row in rows { digest.add(row) }
            return digest
        }
        let one: [SQLValue] = [.integer(1), .text("ab"), .blob([1])]
        let two: [SQLValue] = [.null, .text(""), .blob([])]
        #expect(digest([one, two]) == digest([two, one]))
        let others: [[SQLValue]] = [
            [.integer(2), .text("ab"), .blob([1])], [.integer(1), .text("ac"), .blob([1])],
            [.integer(1), .text("ab"), .blob([1, 0])], [.integer(1), .text("a"), .blob([98, 1])],
            [.null, .text("ab"), .blob([1])], [.integer(1), .text("ab"), .text("\u{1}")],
        ]
        for other in others { #expect(digest([one]) != digest([other])) }
        #expect(digest([one, one]) != digest([one]))
        #expect("\(digest([one]))".count == 32)
    }
}
