import Chat
import ChatModel
import CXoneWire
import Testing

@testable import CXoneService

/// A platform's own custom fields are taken as long as they are within the limits; what goes beyond them is left out.
@Suite struct FieldLimitTests {
    private static let owner = FieldTimes.Owner(account: 1, thread: "t")

    @Test func aPlatformCannotFillAThread() {
        let times = FieldTimes()
        var news = FieldTimes.Times()
        var known = ["own": "mine"]
        for round in 0..<10 {
            let fields = (0..<1000).map {
                CustomField(ident: "f\(round)-\($0)", value: String(repeating: "x", count: 1000))
            }
            known = times.merge(fields, into: known, of: Self.owner, noting: &news)
        }
        #expect(known["own"] == "mine")
        #expect(known.count <= CustomFieldLimits.maximumCount)
        #expect(known.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count } <= CustomFieldLimits.maximumByteCount)
        let theirs = [CustomField(ident: "own", value: "theirs")]
        known = times.merge(theirs, into: known, of: Self.owner, noting: &news)
        #expect(known["own"] == "theirs")
    }

    @Test func emptyFieldsThatAreNotThereLeaveNothing() {
        let times = FieldTimes()
        let fields = (0..<1000).map { CustomField(ident: "f\($0)", value: "") }
        var news = FieldTimes.Times()
        let known = times.merge(fields, into: [:], of: Self.owner, noting: &news)
        #expect(known.isEmpty && news.isEmpty)
    }
}
