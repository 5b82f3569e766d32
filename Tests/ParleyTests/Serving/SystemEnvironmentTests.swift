import ChatModel
import Formats
import Testing

@testable import parley

@Suite struct SystemEnvironmentTests {
    @Test func idsAreUUIDs() throws {
        let ids = (0..<1000).map { _ in ModelEnvironment.system.makeID() }
        #expect(Set(ids).count == ids.count)
        for id in ids {
            let match = try #"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"#.wholeMatch(of: id)
            #expect(match, "\(id)")
        }
    }

    @Test func idsAscendWithTheTime() {
        let times: [Int64] = [0, 1, 1_700_000_000_000, 1_700_000_000_001, (1 << 48) - 1]
        let ids = times.map { ModelEnvironment.uuid(at: Timestamp(milliseconds: $0)) }
        #expect(ids == ids.sorted())
        #expect(ids[2].hasPrefix("018bcfe5-6800-7"))
    }

    @Test func aClockThatIsWrongStillMakesIDs() {
        for time in [Timestamp(milliseconds: .min), Timestamp(milliseconds: .max)] {
            #expect(ModelEnvironment.uuid(at: time).count == 36)
        }
    }
}

extension String {
    fileprivate func wholeMatch(of text: String) throws -> Bool { try Regex(self).wholeMatch(in: text) != nil }
}
