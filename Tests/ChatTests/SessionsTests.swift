import ChatModel
import ChatStore
import TestSupport
import Testing

@testable import Chat

@Suite struct SessionsTests {
    private func sessions(_ store: ChatStore, _ service: ScriptedService) -> Sessions {
        Sessions(store: store, services: [service], clock: ManualClock())
    }

    @discardableResult
    private func create(
        _ sessions: Sessions, customer: CustomerDraft? = nil, connect: Bool = true, receipt: Receipt? = nil
    ) async throws -> ChatClient {
        try await sessions.create(service: "scripted", channel: "main", customer: customer, connect: connect, receipt: receipt)
    }

    @Test func aSessionIsMadeAndConnected() async throws {
        try await withStore { store in
            let sessions = sessions(store, ScriptedService())
            let client = try await create(
                sessions, customer: CustomerDraft(id: "c1", firstName: "Ada"), receipt: Receipt(scope: "s", fingerprint: "f"))
            #expect(client.state == .ready)
            #expect(sessions.client(client.id) === client)
            #expect(await client.snapshot().customer == Customer(id: "c1", firstName: "Ada"))
            #expect(try await store.receipt(scope: "s")?.outcome.id == client.id)
            #expect(await client.snapshot().mode == .multithread)
        }
    }

    @Test func twoSessionsOfACustomerShareTheAccountAndItsNames() async throws {
        try await withStore { store in
            let sessions = sessions(store, ScriptedService())
            let first = try await create(sessions, customer: CustomerDraft(id: "c1", firstName: "Ada"))
            let second = try await create(sessions, customer: CustomerDraft(id: "c1", lastName: "Lovelace"))
            let stranger = try await create(sessions)
            #expect(first.account == second.account && stranger.account != first.account)
            #expect(await first.snapshot().customer.fullName == "Ada Lovelace")
            #expect(sessions.all.map(\.id) == [first.id, second.id, stranger.id])
        }
    }

    @Test func unknownServicesAndChannelsLeaveNothingBehind() async throws {
        try await withStore { store in
            let service = ScriptedService()
            let sessions = sessions(store, service)
            #expect(await refusal {
                try await sessions.create(service: "nobody", channel: "main", customer: nil, connect: true, receipt: nil)
            } == .unknownService)
            service.script("channel", .fail(.unknownChannel))
            #expect(await refusal { try await create(sessions) } == .unknownChannel)
            #expect(sessions.all.isEmpty)
            let stored = try await store.read { try $0.sessions() }
            #expect(stored.isEmpty)
        }
    }

    @Test func theConfigurationIsReadOnceSoThatItCannotFailAfterTheSessionWasStored() async throws {
        try await withStore { store in
            let service = ScriptedService()
            service.script("channel", .go, .fail(.channelConfigFailure))
            let client = try await create(sessions(store, service))
            #expect(client.state == .ready)
            #expect(service.count("channel") == 1)
        }
    }

    @Test func aSessionThatCannotConnectIsMadeAllTheSame() async throws {
        try await withStore { store in
            let service = ScriptedService()
            service.script("connect", .fail(.serverError))
            let client = try await create(sessions(store, service))
            #expect(client.state == .prepared)
            #expect(try await store.read { try $0.sessions() }.map(\.isConnected) == [true])
        }
    }

    @Test func aDeletedSessionIsGoneForGood() async throws {
        try await withStore { store in
            let service = ScriptedService()
            let sessions = sessions(store, service)
            let client = try await create(sessions)
            try await sessions.delete(client.id)
            #expect(client.state == .initial)
            #expect(sessions.client(client.id) == nil && sessions.all.isEmpty)
            #expect(await refusal { try await sessions.delete(client.id) } == .unknownSession)
            // A call that was on its way does not bring it back.
            try? await client.disconnect()
            try? await client.prepare()
            try? await client.connect()
            #expect(try await store.read { try $0.sessions() }.isEmpty)
            try? await client.disconnect()
        }
    }

    @Test func afterARestartThoseThatWereConnectedConnectAgain() async throws {
        try await withStore { store in
            let before = sessions(store, ScriptedService())
            let connected = try await create(before, customer: CustomerDraft(id: "c1"))
            let prepared = try await create(before, customer: CustomerDraft(id: "c2"), connect: false)
            let disconnected = try await create(before, customer: CustomerDraft(id: "c3"))
            try await disconnected.disconnect()

            let after = sessions(store, ScriptedService())
            #expect(!after.isReady)
            try await after.load()
            // Known before anything is connected.
            #expect(after.all.count == 3 && !after.isReady)
            #expect(after.client(connected.id)?.state == .initial)
            await after.reconnect()
            #expect(after.isReady)
            #expect(after.all.map(\.id).sorted() == [connected.id, prepared.id, disconnected.id].sorted())
            #expect(after.client(connected.id)?.state == .ready)
            #expect(after.client(prepared.id)?.state == .prepared)
            #expect(after.client(disconnected.id)?.state == .prepared)
            let again = try #require(after.client(connected.id))
            #expect(again.account == connected.account && again.generation == connected.generation)
            #expect(await again.snapshot().mode == .multithread)
            #expect(again.createdAt == connected.createdAt)
        }
    }

    @Test func itIsReadyWhenAllHaveSettledEvenThoseThatFail() async throws {
        try await withStore { store in
            let before = sessions(store, ScriptedService())
            for index in 0..<3 { try await create(before, customer: CustomerDraft(id: "c\(index)")) }
            let service = ScriptedService()
            let gate = Gate()
            service.script("connect", .hold(gate), .fail(.serverError))
            service.script("channel", .fail(.channelConfigFailure))
            let after = sessions(store, service)
            try await after.load()
            let reconnecting = Task { await after.reconnect() }
            #expect(await eventually { service.count("connect") == 2 })
            await letOthersRun()
            #expect(!after.isReady)
            gate.open()
            await reconnecting.value
            #expect(after.isReady)
            #expect(after.all.map(\.state).sorted() == [.preparing, .connecting, .ready], "and those go on trying")
        }
    }

    @Test func aSessionOfAServiceThatIsGoneStaysStored() async throws {
        try await withStore { store in
            try await create(sessions(store, ScriptedService()))
            let without = Sessions(store: store, services: [], clock: ManualClock())
            try await without.load()
            await without.reconnect()
            #expect(without.isReady && without.all.isEmpty)
            #expect(try await store.read { try $0.sessions() }.count == 1)
        }
    }
}
