import ChatModel
import Testing

@testable import parley

@Suite struct SystemEnvironmentTests {
    @Test func idsAreRandomUUIDs() throws {
        let ids = (0..<1000).map { _ in ModelEnvironment.system.makeID() }
        #expect(Set(ids).count == ids.count)
        for id in ids {
            let match = try #"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"#.wholeMatch(of: id)
            #expect(match, "\(id)")
        }
    }
}

extension String {
    fileprivate func wholeMatch(of text: String) throws -> Bool { try Regex(self).wholeMatch(in: text) != nil }
}
