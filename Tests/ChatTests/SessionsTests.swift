import ChatModel
import TestSupport
import Testing

@testable import Chat
@testable import ChatStore

@Suite struct SessionsTests {
    private func sessions(
        _ store: ChatStore, _ service: ScriptedService, clock: ManualClock = ManualClock()
    ) -> Sessions {
        Sessions(store: store, services: [service], clock: clock)
    }

    @discardableResult
    private func create(
        _ sessions: Sessions, customer: CustomerDraft? = nil, connect: Bool = true, authorization: Authorization? = nil,
        receipt: Receipt? = nil
    ) async throws -> ChatClient {
        try await sessions.create(
            service: "scripted", channel: "main", customer: customer, connect: connect, authorization: authorization,
            receipt: receipt)
    }

    /// Nothing of a session is stored, and its key may be used again.
    private func expectNothing(_ sessions: Sessions) async throws {
        #expect(sessions.all.isEmpty)
        let stored = try await sessions.store.read { try $0.sessions() }
        #expect(stored.isEmpty)
        #expect(try await sessions.store.receipt(scope: "key") == nil)
    }

    @Test func aSessionIsMadeAndConnected() async throws {
        try await withStore { store in
            let sessions = sessions(store, ScriptedService())
            let client = try await create(
                sessions, customer: CustomerDraft(id: "c1", firstName: "Ada"),
                receipt: Receipt(scope: "s", fingerprint: "f"))
            #expect(client.state == .ready)
            #expect(sessions.client(client.id) === client)
            #expect(await client.snapshot().customer == Customer(id: "c1", firstName: "Ada"))
            #expect(try await store.receipt(scope: "s")?.outcome.id == client.id)
            #expect(await client.snapshot().mode == .multithread)
        }
    }

    /// The time of day is set forward by an hour while the platform is asked: the session has its ten seconds all the
    /// same.
    @Test func aClockThatIsSetForwardTakesNoTimeFromAnOpening() async throws {
        let environment = TestEnvironment()
        try await withStore(environment: environment) { store in
            let service = ScriptedService(isRemote: true, takesAuthorization: true)
            let sessions = sessions(store, service)
            let mayAnswer = Gate()
            service.script("channel", .hold(mayAnswer))
            async let made = create(sessions, authorization: Authorization(code: "c", codeVerifier: nil))
            #expect(await eventually { service.count("channel") == 1 })
            environment.advance(milliseconds: 3_600_000)
            mayAnswer.open()
            let client = try await made
            #expect(client.state == .ready)
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
            #expect(
                await refusal {
                    try await sessions.create(
                        service: "nobody", channel: "main", customer: nil, connect: true, receipt: nil)
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
            #expect(client.state == .connecting)
            #expect(client.connectionError?.code == .serverError)
            #expect(await client.snapshot().nextAttemptAt != nil)
            #expect(try await store.read { try $0.sessions() }.map(\.isConnected) == [true])
        }
    }

    @Test(arguments: [false, true]) func aLoginThatIsRefusedLeavesNoSession(takesAuthorization: Bool) async throws {
        try await withStore { store in
            let service = ScriptedService(takesAuthorization: takesAuthorization)
            let sessions = sessions(store, service)
            service.script("authorize", .fail(.storageFailed))
            let refused = await refusal {
                try await create(
                    sessions, authorization: Authorization(code: "x", codeVerifier: nil),
                    receipt: Receipt(scope: "key", fingerprint: "f"))
            }
            #expect(refused == (takesAuthorization ? .storageFailed : .invalidParameter))
            try await expectNothing(sessions)
            // Where nobody logs in, not even an account is left.
            let account = try await store.read { try? $0.account(1) }
            #expect((account != nil) == takesAuthorization)
        }
    }

    @Test func aChannelThatIsNotReadInTimeIsATimeoutAndLeavesNoSession() async throws {
        /// Those who could do something with the late answer.
        struct Takers {
            weak let service: ScriptedService?
            weak let sessions: Sessions?
        }
        try await withStore { store in
            let gate = Gate()
            func timedOut() async throws -> Takers {
                let (service, clock) = (ScriptedService(isRemote: true), ManualClock())
                let sessions = sessions(store, service, clock: clock)
                service.script("channel", .hold(gate))
                let creating = Task { try await create(sessions, receipt: Receipt(scope: "key", fingerprint: "f")) }
                #expect(await eventually { service.count("channel") == 1 && clock.sleeperCount == 1 })
                clock.advance(by: .seconds(10))
                #expect(await refusal { try await creating.value } == .eventTimeout)
                try await expectNothing(sessions)
                return Takers(service: service, sessions: sessions)
            }
            let takers = try await timedOut()
            // The question that still waits holds the service.
            #expect(takers.service != nil)
            gate.open()
            #expect(await eventually { takers.service == nil && takers.sessions == nil })
            try await expectNothing(sessions(store, ScriptedService()))
        }
    }

    @Test(arguments: ["prepare", "isOnline", "connect", "loadThreads"])
    func aSessionIsAnsweredAfterTenSecondsAndGoesOn(call: String) async throws {
        try await withStore { store in
            let (service, clock, gate) = (ScriptedService(isRemote: true), ManualClock(), Gate())
            let sessions = sessions(store, service, clock: clock)
            service.script(call, .hold(gate))
            let creating = Task { try await create(sessions) }
            #expect(await eventually { service.count(call) == 1 && clock.sleeperCount == 1 })
            clock.advance(by: .seconds(10))
            let client = try await creating.value
            #expect(client.state < .ready)
            #expect(sessions.client(client.id) === client)
            gate.open()
            #expect(await eventually { client.state == .ready })
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

    @Test func afterARestartSessionsComeBackWhenTheyAreUsed() async throws {
        try await withStore { store in
            let before = sessions(store, ScriptedService())
            let connected = try await create(before, customer: CustomerDraft(id: "c1"))
            let prepared = try await create(before, customer: CustomerDraft(id: "c2"), connect: false)
            let disconnected = try await create(before, customer: CustomerDraft(id: "c3"))
            try await disconnected.disconnect()

            let service = ScriptedService()
            let after = sessions(store, service)
            #expect(!after.isReady)
            try await after.load()
            #expect(!after.isReady)
            await after.finishLoading()
            #expect(after.isReady)
            // Nobody has asked for them.
            #expect(after.all.isEmpty && service.count("channel") == 0)
            #expect(try await after.count() == 3)
            #expect(service.count("connect") == 0)
            #expect(try await after.session(connected.id)?.state == .ready)
            #expect(after.all.map(\.id) == [connected.id] && service.count("connect") == 1)
            #expect(try await after.session(prepared.id)?.state == .prepared)
            #expect(try await after.session(disconnected.id)?.state == .prepared)
            #expect(try await after.session("nobody") == nil)
            #expect(after.all.count == 3 && service.count("connect") == 1)
            let again = try #require(after.client(connected.id))
            #expect(try await after.session(connected.id) === again)
            #expect(again.account == connected.account && again.generation == connected.generation)
            #expect(await again.snapshot().mode == .multithread)
            #expect(again.createdAt == connected.createdAt)
        }
    }

    @Test func aSessionIsThereBeforeItsConnectionIs() async throws {
        try await withStore { store in
            let made = try await create(sessions(store, ScriptedService()))
            let (service, gate) = (ScriptedService(), Gate())
            service.script("connect", .hold(gate))
            let after = sessions(store, service)
            try await after.load()
            await after.finishLoading()
            // A token is checked before its session comes back.
            #expect(after.generation(of: made.id) == nil)
            #expect(try await after.storedGeneration(of: made.id) == made.generation)
            #expect(try await after.storedGeneration(of: "nobody") == nil)
            #expect(after.all.isEmpty)
            let client = try #require(try await after.begun(made.id))
            #expect(client.account == made.account && client.isReturning)
            #expect(after.generation(of: made.id) == made.generation)
            #expect(try await after.begun(made.id) === client)
            #expect(await eventually { service.count("connect") == 1 })
            #expect(client.isReturning && client.state < .ready)
            gate.open()
            await client.returned()
            #expect(!client.isReturning && client.state == .ready)
            #expect(service.count("connect") == 1)
        }
    }

    @Test func aSessionThatIsDeletedComesBackForNobody() async throws {
        try await withStore { store in
            let before = sessions(store, ScriptedService())
            for round in 0..<30 {
                let made = try await create(before, customer: CustomerDraft(id: "c"))
                _ = try await before.collections.create(
                    CollectionDefinition(.threads(ThreadQuery())), owner: made.collectionOwner, receipt: nil)
                let after = sessions(store, ScriptedService())
                try await after.load()
                await withTaskGroup(of: Void.self) { group in
                    for _ in 0..<4 { group.addTask { _ = try? await after.session(made.id) } }
                    group.addTask { _ = try? await after.remove([made.id]) }
                    for _ in 0..<4 { group.addTask { _ = try? await after.session(made.id) } }
                }
                #expect(after.all.isEmpty && after.collections.all(of: made.collectionOwner).isEmpty, "round \(round)")
                #expect(try await after.session(made.id) == nil)
                #expect(await refusal { try await after.delete(made.id) } == .unknownSession)
            }
        }
    }

    /// The statements of a start, over all connections.
    private func statements(_ store: ChatStore, of body: () async throws -> Void) async throws -> Int {
        let seen = Journal<String>()
        try await store.sqlite.readers.reading { $0.trace { seen.add($0) } }
        try await body()
        try await store.sqlite.readers.reading { $0.trace(nil) }
        return seen.entries.count
    }

    @Test(.onSQLite("counts SQLite's statements"), arguments: [false, true])
    func aStartReadsNothingOfSessionsThatWait(isRemote: Bool) async throws {
        var options = StoreOptions()
        options.readers = 1
        try await withStore(options: options) { store in
            var counts: [Int] = []
            for number in [1, 40] {
                for index in 0..<number {
                    try await create(
                        sessions(store, ScriptedService()), customer: CustomerDraft(id: "c\(number).\(index)"),
                        connect: !isRemote)
                }
                let after = sessions(store, ScriptedService(isRemote: isRemote))
                counts.append(
                    try await statements(store) {
                        try await after.load()
                        await after.finishLoading()
                        await after.reconnect()
                    })
                #expect(after.all.isEmpty)
            }
            #expect(counts[0] > 0 && counts[0] == counts[1])
        }
    }

    @Test func itIsReadyWhateverThePlatformsDoAndConnectsSomeAtATime() async throws {
        try await withStore { store in
            let before = sessions(store, ScriptedService(isRemote: true))
            for index in 0..<100 { try await create(before, customer: CustomerDraft(id: "c\(index)")) }
            let (service, clock) = (ScriptedService(isRemote: true), ManualClock())
            let (first, gate) = (Gate(), Gate())
            service.script("channel", .hold(first))
            for _ in 1..<100 { service.script("channel", .hold(gate)) }
            let after = sessions(store, service, clock: clock)
            try await after.load()
            await after.finishLoading()
            #expect(after.isReady && service.count("channel") == 0)
            let reconnecting = Task { await after.reconnect() }
            #expect(await eventually { service.count("channel") == 64 && clock.sleeperCount == 64 })
            #expect(after.all.allSatisfy { $0.state == .preparing })
            // One that is done makes room for one more, and for no other.
            first.open()
            #expect(
                await eventually {
                    service.count("channel") >= 65 && after.all.contains { $0.state == .ready }
                        && clock.sleeperCount >= 64
                })
            #expect(service.count("channel") == 65)
            // One that somebody asks for does not wait for its turn.
            let asked = try #require(after.all.last)
            let connecting = Task { try await asked.connect() }
            #expect(await eventually { service.count("channel") == 66 })
            gate.open()
            try await connecting.value
            await reconnecting.value
            #expect(await eventually { after.all.allSatisfy { $0.state == .ready } })
            #expect(service.count("channel") == 100)
        }
    }

    @Test func afterARestartASessionWhosePlatformIsAwayGoesOnTrying() async throws {
        try await withStore { store in
            try await create(sessions(store, ScriptedService(isRemote: true)))
            let (service, clock) = (ScriptedService(isRemote: true), ManualClock())
            for _ in 0..<50 { service.script("channel", .fail(.serverError)) }
            let after = sessions(store, service, clock: clock)
            try await after.load()
            await after.reconnect()
            let client = try #require(after.all.first)
            #expect(client.state == .preparing && client.connectionError?.code == .serverError)
            for _ in 0..<50 {
                #expect(await eventually { clock.nextWaking != nil })
                let asked = service.count("channel")
                clock.advance(by: .seconds(60))
                #expect(await eventually { service.count("channel") > asked })
            }
            #expect(await eventually { client.state == .ready })
        }
    }

    @Test func aSessionOfAServiceThatIsGoneStaysStored() async throws {
        try await withStore { store in
            let made = try await create(sessions(store, ScriptedService()))
            let without = Sessions(store: store, services: [], clock: ManualClock())
            try await without.load()
            await without.finishLoading()
            #expect(without.isReady && without.all.isEmpty)
            #expect(try await without.session(made.id) == nil)
            #expect(await refusal { try await without.delete(made.id) } == .unknownSession)
            #expect(try await store.read { try $0.sessions() }.count == 1)
        }
    }
}
