@testable import SendbirdService
import Testing

/// What webhooks name is kept until it was looked at, within bounds.
@Suite struct NamedMessagesTests {
    @Test func whatIsKept() {
        var named = NamedMessages()
        named.add(1, in: "t", at: .zero)
        named.add(2, in: "t", at: .seconds(5))
        let taken = named.take("t")
        let rest = named.take("t")
        #expect(taken == [1: .zero, 2: .seconds(5)] && rest.isEmpty)
        named.add(1, in: "t", at: .seconds(20))
        var isKept = named.keep(taken, in: "t", at: .seconds(20))
        var again = named.take("t")
        #expect(isKept && again == taken, "the first time counts")
        isKept = named.keep(taken, in: "t", at: NamedMessages.patience)
        again = named.take("t")
        #expect(isKept && again == [2: .seconds(5)])
        isKept = named.keep(taken, in: "t", at: NamedMessages.patience + .seconds(5))
        #expect(!isKept && named.threadIDs.isEmpty)
    }

    @Test func thereAreNeverMany() {
        var named = NamedMessages()
        for thread in 0..<1000 { for message in 0..<50 { named.add(Int64(message), in: "t\(thread)", at: .zero) } }
        #expect(named.threadIDs.count == 500)
        let count = named.take("t7").count
        #expect(count == 20)
    }

    /// The platform chooses how many it names, and one look asks for some of them.
    @Test func theOthersWait() {
        var named = NamedMessages()
        for message in 0..<50 { named.add(Int64(message), in: "t", at: .seconds(message)) }
        var counts: [Int] = []
        while !named.threadIDs.isEmpty { counts.append(named.take("t").count) }
        #expect(counts == [20, 20, 10])
        for message in 0..<5000 { named.add(Int64(message), in: "t", at: .seconds(message)) }
        var all: [Int64: Duration] = [:]
        while !named.threadIDs.isEmpty { all.merge(named.take("t")) { first, _ in first } }
        #expect(all.count == 500)
    }
}
