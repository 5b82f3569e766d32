import ChatModel
import ChatStore
import TestSupport
import Testing

@Suite struct AccountsTests {
    private func key(_ channel: String, _ customer: String) -> AccountKey {
        AccountKey(service: "local", channel: channel, customer: customer)
    }

    @Test func anAccountIsMadeOnceAndBelongsToItsChannel() async throws {
        try await withStore { store in
            let numbers = try await store.write { transaction in
                try [
                    transaction.openAccount(key("multi", "c1")).number,
                    transaction.openAccount(key("multi", "c1")).number,
                    transaction.openAccount(key("single", "c1")).number,
                    transaction.openAccount(key("multi", "C1")).number,
                ]
            }
            #expect(numbers == [1, 1, 2, 3])
            #expect(
                try await store.read { try $0.account(AccountKey(service: "cxone", channel: "multi", customer: "c1")) }
                    == nil)
        }
    }

    @Test func namesAndFieldsAreReadAsTheyWereWritten() async throws {
        try await withStore { store in
            try await store.write { transaction in
                var account = try transaction.openAccount(key("multi", "c1"))
                account.customer = Customer(id: "c1", firstName: "Ada", lastName: "L\"o")
                account.customFields = ["b": "2", "a": "ü"]
                try transaction.save(account)
                let again = try transaction.account(account.number)
                #expect(again.customer.firstName == "Ada")
            }
            let account = try await store.read { try $0.account(key("multi", "c1")) }
            #expect(account?.customer.fullName == "Ada L\"o")
            #expect(account?.customFields == ["b": "2", "a": "ü"])
            #expect(account?.key == key("multi", "c1"))
            #expect(account?.createdAt == TestEnvironment.start)
        }
    }

    @Test func channelsKeepTheirOrderAndAreReplacedById() async throws {
        try await withStore { store in
            @Sendable func channel(_ id: String, _ name: String) -> Channel {
                Channel(id: id, name: name, mode: .multithread, capabilities: [.threads, .rename])
            }
            try await store.write { transaction in
                for id in ["z", "a", "m"] { try transaction.save(channel(id, "1"), of: "local") }
                try transaction.save(channel("a", "2"), of: "local")
                try transaction.save(channel("a", "other"), of: "cxone")
            }
            let found = try await store.read { try $0.channels(of: "local") }
            #expect(found.map(\.id) == ["z", "a", "m"])
            #expect(found.map(\.name) == ["1", "2", "1"])
            #expect(found[0].capabilities == [.threads, .rename])
            #expect(try await store.read { try $0.channel("nobody", of: "local") } == nil)
        }
    }

    @Test func sessionsAreListedOldestFirstReplacedAndDeleted() async throws {
        let environment = TestEnvironment()
        try await withStore(environment: environment) { store in
            @Sendable func session(_ id: String, _ age: Int64, isConnected: Bool = true) -> SessionRecord {
                SessionRecord(
                    id: id, account: 1, generation: 1, isConnected: isConnected,
                    createdAt: TestEnvironment.start.advanced(byMilliseconds: -age))
            }
            try await store.write { transaction in
                _ = try transaction.openAccount(key("multi", "c1"))
                for record in [session("b", 5), session("a", 5), session("c", 9)] { try transaction.save(record) }
                try transaction.save(session("a", 5, isConnected: false))
            }
            let found = try await store.read { try $0.sessions() }
            #expect(found.map(\.id) == ["c", "a", "b"])
            #expect(found.map(\.isConnected) == [true, false, true])
            #expect(try await store.read { try $0.sessionCount() } == 3)
            #expect(try await store.read { try $0.connectedSessions(of: "local") } == ["b", "c"])
            #expect(try await store.read { try $0.connectedSessions(of: "other") } == [])
            #expect(try await store.write { try $0.deleteSession("c") } == 1)
            #expect(try await store.write { try $0.deleteSession("c") } == nil)
            try await store.write { try $0.setConnected(true, session: "c") }
            #expect(try await store.read { try $0.sessions() }.map(\.id) == ["a", "b"])
        }
    }
}
