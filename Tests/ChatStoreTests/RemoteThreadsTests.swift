import ChatModel
import ChatStore
import Formats
import TestSupport
import Testing

/// What an adapter asks of many threads or accounts at once.
@Suite struct RemoteThreadsTests {
    @Test func whoHasAThreadAndWhatHasHappenedThere() async throws {
        let environment = TestEnvironment()
        try await withStore(environment: environment) { store in
            let time = environment.now
            let accounts = try await store.write { transaction in
                try ["ada", "bob", "eve"].map { customer in
                    let key = AccountKey(service: "sendbird", channel: "support", customer: customer)
                    return try transaction.openAccount(key).number
                }
            }
            try await store.write { transaction in
                for (account, unread) in zip(accounts, [3, 0]) {
                    let thread = ChatThread(id: "t", createdAt: time, members: [])
                    try transaction.merge(RemoteThread(thread, unreadCount: unread), of: account)
                }
                try transaction.merge(RemoteThread(ChatThread(id: "u", createdAt: time, members: [])), of: accounts[0])
            }
            let before = try await store.read { transaction in
                (try transaction.accounts(withThread: "t"), try transaction.accounts(withThread: "u"))
            }
            #expect(before.0 == Set(accounts.prefix(2)) && before.1 == [accounts[0]])
            let activity = try await store.read { try $0.threadActivity(of: accounts[0], limit: 10) }
            #expect(
                activity == [
                    "t": ThreadActivity(at: time, unreadCount: 3), "u": ThreadActivity(at: time, unreadCount: 0),
                ])
            try await store.write { try $0.removeRemoteThread("t", of: accounts[0]) }
            #expect(try await store.read { try $0.accounts(withThread: "t") } == [accounts[1]])
            #expect(try await store.read { try $0.threadActivity(of: accounts[2], limit: 10) }.isEmpty)
        }
    }
}
