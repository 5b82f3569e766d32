import ChatModel
import ChatStore

/// A platform over one connection. When that connection is lost, each request that waits throws `notConnected` at once,
/// and so does each later one. Without it a request would wait for an answer that cannot come.
struct BoundPlatform: RemotePlatform {
    let platform: any RemotePlatform
    let pending: PendingRequests
    /// The value of ``PendingRequests/round`` when the connection was taken.
    let round: Int

    func messages(of thread: String, _ query: HistoryQuery) async throws(ChatError) -> HistoryPage {
        try await pending.run(in: round) { () throws(ChatError) in try await platform.messages(of: thread, query) }
    }

    func messageChanges(of thread: String, since position: ChangePosition) async throws(ChatError) -> MessageChanges {
        try await pending.run(in: round) { () throws(ChatError) in
            try await platform.messageChanges(of: thread, since: position)
        }
    }

    func threads(after token: String?) async throws(ChatError) -> ThreadPage {
        try await pending.run(in: round) { () throws(ChatError) in try await platform.threads(after: token) }
    }

    func threadChanges(since token: String) async throws(ChatError) -> ThreadChanges {
        try await pending.run(in: round) { () throws(ChatError) in try await platform.threadChanges(since: token) }
    }

    func send(_ outgoing: OutgoingMessage) async throws(ChatError) -> SentMessage {
        try await pending.run(in: round) { () throws(ChatError) in try await platform.send(outgoing) }
    }

    func message(sentAs requestID: String, in thread: String) async throws(ChatError) -> RemoteMessage? {
        try await pending.run(in: round) { () throws(ChatError) in
            try await platform.message(sentAs: requestID, in: thread)
        }
    }
}
