import Chat
import ChatModel
import GatewaySupport

@testable import ChatStore

extension TestGateway {
    /// Lets the database grow no more, and has a commit fail on that, so that the store knows.
    func fillDisk() async throws {
        struct StillRoom: Error {}
        // Less than the file has already: SQLite takes it as just that much.
        try store.onWriter { try $0.run("PRAGMA max_page_count = 1") }
        do {
            _ = try await client.send(MessageDraft(text: String(repeating: "x", count: 60_000)), to: "t1", receipt: nil)
        } catch  where error.code == .storageFull {
            return
        }
        throw StillRoom()
    }

    func emptyDisk() throws {
        try store.onWriter { try $0.run("PRAGMA max_page_count = 1000000") }
    }
}
