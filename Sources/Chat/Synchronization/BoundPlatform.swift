import ChatModel
import ChatStore

/// A platform as one connection reaches it: when the connection goes, every request fails at once.
struct BoundPlatform: RemotePlatform {
    let platform: any RemotePlatform
    let pending: PendingRequests
    let round: Int

    func messages(of thread: String, _ query: HistoryQuery) async throws(ChatError) -> HistoryPage {
        try await pending.run(in: round) { () throws(ChatError) in try await platform.messages(of: thread, query) }
    }

    func messageChanges(of thread: String, since position: ChangePosition) async throws(ChatError) -> MessageChanges {
        try await pending.run(in: round) { () throws(ChatError) in try await platform.messageChanges(of: thread, since: position) }
    }

    func threads(after token: String?) async throws(ChatError) -> ThreadPage {
        try await pending.run(in: round) { () throws(ChatError) in try await platform.threads(after: token) }
    }

    func threadChanges(since token: String) async throws(ChatError) -> ThreadChanges {
        try await pending.run(in: round) { () throws(ChatError) in try await platform.threadChanges(since: token) }
    }

    func send(_ message: Message, to thread: String) async throws(ChatError) -> RemoteMessage {
        try await pending.run(in: round) { () throws(ChatError) in try await platform.send(message, to: thread) }
    }

    func message(sentAs requestID: String, in thread: String) async throws(ChatError) -> RemoteMessage? {
        try await pending.run(in: round) { () throws(ChatError) in try await platform.message(sentAs: requestID, in: thread) }
    }
}
