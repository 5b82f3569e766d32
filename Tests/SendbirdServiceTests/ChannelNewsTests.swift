@testable import SendbirdService
import SendbirdWire
import Testing

/// What in a channel is worth a look.
@Suite struct ChannelNewsTests {
    private func channel(agent: String = "Marta", member: String = "Bob") throws -> SendbirdChannel {
        try SendbirdChannel(
            answer: Array(
                """
                {"channel_url":"c_1","name":"","custom_type":"support","created_at":1761000000,"member_count":2,"members":[
                  {"user_id":"desk-2","nickname":"\(agent)","profile_url":"","state":"joined"},
                  {"user_id":"bob","nickname":"\(member)","profile_url":"","state":"joined"}]}
                """.utf8))
    }

    /// The list leaves out the members for a while: that is no news of all channels.
    @Test func theMembersAreLeftOut() throws {
        let before = try channel().fingerprint(for: [])
        let without = ChannelFingerprint(channel: before.channel, members: nil)
        #expect(!without.differs(from: before) && !before.differs(from: without))
        let kept = without.completed(by: before)
        let renamed = try channel(member: "Robert").fingerprint(for: [])
        #expect(!before.differs(from: kept) && renamed.differs(from: kept))
        #expect(ChannelFingerprint(channel: before.channel ^ 1, members: nil).differs(from: before))
    }

    /// Configured agents are not shown, so that their names are no news.
    @Test func anAgentChangesTheName() throws {
        let configuration = try SendbirdConfiguration(
            json: Array(
                """
                {"applications":[{"id":"0A1B2C3D-0000-4000-8000-00000000ABCD","apiToken":"0123456789abcdef",
                  "channels":[{"id":"support","name":"Support","customType":"support","agents":["desk-2"]}]}]}
                """.utf8))
        let entries = configuration.applications[0].channels
        let before = try channel().fingerprint(for: entries)
        #expect(try channel(agent: "Marta Novak").fingerprint(for: entries) == before)
        #expect(try channel(member: "Robert").fingerprint(for: entries) != before)
        #expect(try channel(agent: "Marta Novak").fingerprint(for: []) != (try channel().fingerprint(for: [])))
    }
}
