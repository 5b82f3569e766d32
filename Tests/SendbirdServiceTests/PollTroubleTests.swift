import Chat
import ChatModel
import ChatStore
@testable import SendbirdService
import TestSupport
import Testing

/// Polls that fail, are refused, or have to wait.
@Suite struct PollTroubleTests {
    private static let room = "room_1"

    /// A session of `ada`, and a thread with her and `bob` that is in nobody's view.
    private static func begin(_ world: TwoGateways) async throws -> ChatClient {
        let client = try await world.session()
        _ = try await world.desk.createThread(
            DeskThreadDraft(id: room, channel: "multi", members: [MemberDraft(id: "ada"), MemberDraft(id: "bob")]),
            as: nil, receipt: nil)
        let account = client.account
        #expect(try await world.passes { try await world.store.read { try $0.hasThread(room, of: account) } })
        return client
    }

    private static func refusal(_ code: Int) -> SandboxPort.Fate {
        .answer(status: 400, body: #"{"error":true,"code":\#(code),"message":"Refused."}"#, headers: [:])
    }
    private static let failure = SandboxPort.Fate.answer(status: 503, body: "", headers: [:])

    /// The application's list shows the edit to one poll alone, as something that has changed.
    @Test func theLookAfterAPollFails() async throws {
        try await TwoGateways.run { world in
            let client = try await Self.begin(world)
            try await world.deskSends("old", to: Self.room, id: "a1")
            #expect(try await world.passes { try await world.texts(of: client, in: Self.room) == ["old"] })
            let before = world.port.count("GET", "/messages")
            world.port.next("GET", "/\(Self.room)/messages", Self.failure)
            world.environment.advance(milliseconds: 5)
            _ = try await world.desk.edit(
                "a1", in: DeskThread(id: Self.room), text: "new", ifMatch: nil, as: TwoGateways.agent)
            #expect(await world.passes { world.port.count("GET", "/messages") > before })
            #expect(try await world.passes { try await world.texts(of: client, in: Self.room) == ["new"] })
        }
    }
}
