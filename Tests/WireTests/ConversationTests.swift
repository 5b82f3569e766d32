import Chat
import ChatModel
import ChatStore
import Formats
import TestSupport
import Testing
import WireSupport

/// Parley against Parley, in one process.
@Suite struct ConversationTests {
    @Test(arguments: ["multi", "single", "live"]) func aConversation(channel: String) async throws {
        try await WireWorld.run { world in
            let client = try await world.session(on: channel)
            #expect(client.state == .ready)
            let threads = try await world.store.read {
                try $0.openThreads(of: client.account, limit: 2).map(\.thread.id)
            }
            let thread: String
            if let first = threads.first {
                thread = first
            } else {
                thread = try #require(try await client.createThread(ThreadDraft(), receipt: nil).id)
            }
            _ = try await client.send(MessageDraft(id: "m1", text: "Where is my order?"), to: thread, receipt: nil)
            _ = try await world.desk.send(
                MessageDraft(id: "a1", text: "On its way."), as: Agent(id: "4021", name: "Marta Novak"),
                to: DeskThread(id: thread), receipt: nil)
            await world.settle()
            let page = try await client.messages(of: thread, replies: .all, page: PageRequest(limit: 10, cursor: nil))
            let items = try JSONParser.parse(page.body + Array("}".utf8))["items"]?.array ?? []
            #expect(items.map { $0["text"]?.string } == ["On its way.", "Where is my order?"])
        }
    }
}
