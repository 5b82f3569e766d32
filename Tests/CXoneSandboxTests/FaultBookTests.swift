import ChatModel
@testable import CXoneSandbox
import Formats
import Testing

/// The faults that wait: which of them happens, and which tokens are void.
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

    // MARK: Tokens

    private func claims(_ customer: String, issuedAt time: Int64) -> TokenClaims {
        TokenClaims(
            kind: .access, customer: customer, channel: "c", issuedAt: Timestamp(milliseconds: time),
            expiresAt: Timestamp(milliseconds: time + 3_600_000), nonce: "n")
    }

    @Test func tokensUpToATimeAreVoid() {
        #expect(book.expireTokens(of: "ada", at: Timestamp(milliseconds: 100)))
        #expect(book.isVoid(claims("ada", issuedAt: 100)) && !book.isVoid(claims("ada", issuedAt: 101)))
        #expect(!book.isVoid(claims("bob", issuedAt: 100)))
        #expect(book.expireTokens(of: nil, at: Timestamp(milliseconds: 200)))
        #expect(book.isVoid(claims("bob", issuedAt: 200)) && book.isVoid(claims("ada", issuedAt: 150)))
        #expect(!book.isVoid(claims("ada", issuedAt: 201)))
        book.restart(at: Timestamp(milliseconds: 300))
        #expect(book.isVoid(claims("bob", issuedAt: 300)) && !book.isVoid(claims("bob", issuedAt: 301)))
    }

    @Test func customersWithVoidTokensAreBounded() {
        for number in 0..<FaultBook.limit {
            #expect(book.expireTokens(of: "\(number)", at: Timestamp(milliseconds: Int64(number))))
        }
        #expect(!book.expireTokens(of: "more", at: Timestamp(milliseconds: 1000)))
        // An hour later the tokens of the first ten have expired by themselves.
        let later = Timestamp(milliseconds: Int64(Sandbox.tokenLifetime) * 1000 + 9)
        #expect(book.expireTokens(of: "more", at: later))
        #expect(book.isVoid(claims("more", issuedAt: 500)) && !book.isVoid(claims("9", issuedAt: 9)))
        #expect(book.isVoid(claims("10", issuedAt: 10)))
    }
}
