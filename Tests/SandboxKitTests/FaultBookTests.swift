@testable import SandboxKit
import Testing

/// The faults that wait: which of them happens.
@Suite struct FaultBookTests {
    private let book = FaultBook()
    private let sent = FaultOccasion(customer: "ada", channel: "multi", socket: 7, event: "SendMessage")

    private func fault(_ id: String, _ kind: Fault.Kind = .refuse, _ change: (inout Fault) -> Void = { _ in }) -> Fault
    {
        var fault = Fault(id: id, kind: kind)
        change(&fault)
        return fault
    }

    @Test func theOldestThatFitsHappens() {
        #expect(book.add(fault("one", .loseAnswer)) && book.add(fault("two")) && book.add(fault("three")))
        #expect(book.takeFault([.refuse, .dropSocket], sent)?.fault.id == "two")
        #expect(book.all.map(\.id) == ["one", "three"])
    }

    @Test func eachConditionCounts() {
        let others: [(inout Fault) -> Void] = [
            { $0.customer = "bob" }, { $0.channel = "live" }, { $0.socket = 8 }, { $0.event = "RecoverThread" },
        ]
        for (index, change) in others.enumerated() { #expect(book.add(fault("\(index)", .refuse, change))) }
        #expect(book.takeFault([.refuse], sent) == nil)
        #expect(book.takeFault([.refuse], FaultOccasion(event: "SendMessage")) == nil, "nobody and nothing is known")
        #expect(book.all.count == 4)
    }

    @Test func aConditionMakesAFaultWait() {
        let conditions: [(inout Fault) -> Void] = [{ $0.nth = 1 }, { $0.probability = 0.5 }, { $0.lasts = 1000 }]
        for kind in [Fault.Kind.dropSocket, .expireToken] {
            #expect(fault("f", kind).isImmediate)
            for change in conditions { #expect(!fault("f", kind, change).isImmediate) }
        }
        #expect(!fault("f", .refuse).isImmediate)
    }

    @Test func whatAnotherFaultTakesCountsToo() {
        #expect(book.add(fault("first")) && book.add(fault("second") { $0.nth = 2 }))
        #expect(book.takeFault([.refuse], sent)?.fault.id == "first")
        #expect(book.takeFault([.refuse], sent)?.fault.id == "second", "it is the second that fits")
    }

    @Test func afterTheNthItHappensAsOftenAsItSays() {
        #expect(book.add(fault("f") { ($0.nth, $0.count) = (2, 2) }))
        let hits = (1...4).map { _ in book.takeFault([.refuse], sent) }
        #expect(hits.map { $0 != nil } == [false, true, true, false])
        #expect(hits.compactMap { $0?.isLast } == [false, true])
    }

    @Test func withoutACountItStays() {
        #expect(book.add(fault("f") { $0.count = nil }))
        for _ in 0..<2000 { #expect(book.takeFault([.refuse], sent)?.isLast == false) }
        #expect(book.all.count == 1)
    }

    @Test func requestsOverHTTPMeetOnlyFaultsThatNameThem() {
        let upload = FaultOccasion(event: "uploadSandboxAttachment")
        #expect(book.add(fault("any")) && book.add(fault("named") { $0.event = "uploadSandboxAttachment" }))
        #expect(book.takeFault([.refuse], upload, onlyNamed: true)?.fault.id == "named")
        #expect(book.takeFault([.refuse], upload, onlyNamed: true) == nil)
        #expect(book.takeFault([.refuse], upload)?.fault.id == "any")
    }

    @Test func aProbabilityOfOneIsCertain() {
        #expect(book.add(fault("f") { ($0.probability, $0.seed, $0.count) = (1, 3, 100) }))
        for _ in 0..<100 { #expect(book.takeFault([.refuse], sent) != nil) }
    }

    @Test func faultsOfScriptsAreNotBounded() {
        for _ in 0..<FaultBook.limit { #expect(book.add(fault("f"))) }
        #expect(!book.add(fault("more")))
        #expect(book.add(fault("step"), of: FaultScript.StepName(script: "s", index: 0)))
        book.remove(of: "s")
        #expect(book.all.count == FaultBook.limit)
    }

    @Test func aFaultMeetsWhomAndWhatItNamesAsOftenAsItSays() {
        let book = FaultBook()
        #expect(book.add(Fault(id: "f", kind: .refuse, customer: "ada", event: "SendMessage", count: 2)))
        #expect(book.takeFault([.refuse], FaultOccasion(customer: "bob", event: "SendMessage")) == nil)
        #expect(book.takeFault([.refuse], FaultOccasion(customer: "ada", event: "FetchThreadList")) == nil)
        #expect(book.takeFault([.loseAnswer], FaultOccasion(customer: "ada", event: "SendMessage")) == nil)
        #expect(book.takeFault([.refuse], FaultOccasion(customer: "ada", event: "SendMessage")) != nil)
        #expect(book.takeFault([.refuse], FaultOccasion(customer: "ada", event: "SendMessage")) != nil)
        #expect(
            book.takeFault([.refuse], FaultOccasion(customer: "ada", event: "SendMessage")) == nil && book.all.isEmpty)
    }

    @Test func aFaultBeginsWithTheNthFittingOccasion() {
        let book = FaultBook()
        var fault = Fault(id: "f", kind: .loseAnswer, event: "SendMessage")
        (fault.nth, fault.channel, fault.socket) = (3, "multi", 7)
        #expect(book.add(fault))
        let fits = FaultOccasion(customer: "ada", channel: "multi", socket: 7, event: "SendMessage")
        #expect(book.takeFault([.loseAnswer], fits) == nil)
        for other in [
            FaultOccasion(channel: "live", socket: 7, event: "SendMessage"),
            FaultOccasion(channel: "multi", socket: 8, event: "SendMessage"),
        ] {
            #expect(book.takeFault([.loseAnswer], other) == nil)
        }
        #expect(book.takeFault([.loseAnswer], fits) == nil)
        #expect(book.takeFault([.loseAnswer], fits)?.isLast == true && book.all.isEmpty)
    }

    @Test func equalSeedsGiveEqualFaults() {
        func happens(_ seed: Int) -> [Bool] {
            let book = FaultBook()
            var fault = Fault(id: "f", kind: .refuse, count: 1000)
            (fault.probability, fault.seed) = (0.5, seed)
            #expect(book.add(fault))
            return (0..<200).map { _ in book.takeFault([.refuse], FaultOccasion(event: "x")) != nil }
        }
        #expect(happens(1) == happens(1) && happens(1) != happens(2))
        #expect((60...140).contains(happens(1).count { $0 }))
    }
}
