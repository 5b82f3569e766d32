@testable import SendbirdService
import Testing

/// How many items are asked for after answers that were too large.
@Suite struct AnswerSizeTests {
    @Test func aQuarterEachTimeDownToOne() {
        var size = AnswerSize(most: 200, dropsMembers: false)
        var seen: [Int] = []
        repeat { seen.append(size.asked.items) } while size.wasTooLarge(size.asked)
        #expect(seen == [200, 50, 12, 3, 1])
    }

    @Test func thenWithoutMembers() {
        var size = AnswerSize(most: 20, dropsMembers: true)
        for _ in 0..<3 { _ = size.wasTooLarge(size.asked) }
        #expect(size.asked == AnswerSize.Asked(items: 20, hasMembers: false))
        for _ in 0..<3 { _ = size.wasTooLarge(size.asked) }
        #expect(size.asked == AnswerSize.Asked(items: 1, hasMembers: false))
        let hasLess = size.wasTooLarge(size.asked)
        #expect(!hasLess)
    }

    @Test func moreAfterManyThatCouldBeRead() {
        var size = AnswerSize(most: 20, dropsMembers: true)
        for _ in 0..<3 { _ = size.wasTooLarge(size.asked) }
        var seen: [AnswerSize.Asked] = []
        while !size.isWhole {
            for _ in 1..<AnswerSize.leastPatience {
                let asked = size.asked
                size.couldBeRead(asked)
                #expect(size.asked == asked)
            }
            size.couldBeRead(size.asked)
            seen.append(size.asked)
        }
        #expect(seen.map(\.items) == [1, 4, 16, 20] && seen.allSatisfy(\.hasMembers))
    }

    /// Each try costs an answer that is read for nothing.
    @Test func moreIsTriedEverLater() {
        var size = AnswerSize(most: 200, dropsMembers: false)
        _ = size.wasTooLarge(size.asked)
        var counts: [Int] = []
        for _ in 0..<8 {
            var count = 0
            while !size.isWhole {
                size.couldBeRead(size.asked)
                count += 1
            }
            counts.append(count)
            _ = size.wasTooLarge(size.asked)
        }
        #expect(counts == [32, 64, 128, 256, 512, 1024, 2048, 2048])
    }

    /// Two calls are on their way. Both of their answers are too large.
    @Test func oneStepForTwoAnswers() {
        var size = AnswerSize(most: 200, dropsMembers: false)
        let asked = size.asked
        let (first, second) = (size.wasTooLarge(asked), size.wasTooLarge(asked))
        #expect(first && second && size.asked.items == 50)
    }

    /// A call for fewer items than could be asked for was too large, too: not even those are asked for.
    @Test func fewerWereTooManyAlready() {
        var size = AnswerSize(most: 200, dropsMembers: false)
        let hasLess = size.wasTooLarge(AnswerSize.Asked(items: 10))
        #expect(hasLess && size.asked.items == 2)
    }
}
