@testable import Chat
import ChatModel
import ChatStore
import Formats
import GatewaySupport
import MicroHTTP
import Testing

@testable import Gateway

/// Collections on the wire: their own streams, and their events on a session's stream (DESIGN 5.2 of the API).
@Suite struct CollectionStreamTests {
    /// A gateway with a message collection of `t1`, and a loop.
    private struct Scene {
        let gateway: TestGateway
        let loop = TestLoop()
        let collection: LiveCollection

        var collections: Collections { gateway.sessions.collections }
        var hub: StreamHub { gateway.application.core.hub }

        static func run(_ body: (Scene) async throws -> Void) async throws {
            try await TestGateway.run { gateway in
                let outcome = try await gateway.sessions.collections.create(
                    CollectionDefinition(.messages(thread: "t1", MessageFilter(), viewpoint: nil)),
                    owner: gateway.client.collectionOwner, receipt: nil)
                let scene = Scene(
                    gateway: gateway,
                    collection: try gateway.sessions.collections.collection(
                        outcome.id, of: gateway.client.collectionOwner))
                gateway.application.attach(to: scene.loop)
                try await body(scene)
            }
        }

        func reader(_ version: String? = nil, limit: Int = 65_536) -> Reader {
            Reader(
                CollectionStreamSource(hub: hub, collection: collection, start: CollectionStart(version, collection)),
                loop: loop, limit: limit)
        }

        func sessionReader(_ choice: CollectionChoice, kind: StreamScope.Kind = .session) -> Reader {
            let scope = StreamScope(
                kind: kind, sessions: [.init(id: gateway.session, account: gateway.client.account)], hasDesk: false)
            return Reader(
                EventStreamSource(
                    hub: hub, scope: scope, filter: .all, start: .now, since: gateway.environment.now, choice: choice,
                    collections: { [collections] in collections.all(of: $0) }),
                loop: loop)
        }

        func fetch() async throws {
            _ = try await collections.fetch(collection.id, of: gateway.client.collectionOwner, .previous)
        }

        func send(_ id: String) async throws {
            _ = try await gateway.client.send(MessageDraft(id: id, text: id), to: "t1", receipt: nil)
            await collections.settle()
        }
    }

    @Test func theOwnStreamBeginsAtVersionZeroAndGoesOnLive() async throws {
        try await Scene.run { scene in
            try await scene.fetch()
            let reader = scene.reader()
            reader.pump()
            let incarnation = scene.collection.incarnation
            #expect(reader.events.map(\.type) == ["collection.insert", "ready"])
            #expect(reader.events.map(\.id) == ["\(incarnation)-1", "\(incarnation)-1"])
            #expect(
                reader.take()[0].data.hasPrefix(
                    "{\"collectionId\":\"\(scene.collection.id)\",\"version\":1,\"list\":\"succeeded\",\"indices\":[0],\"items\":[{\"id\":\"m1\""
                ))
            try await scene.send("m2")
            reader.pump()
            #expect(reader.events.map(\.type) == ["collection.insert", "collection.new"])
            #expect(reader.take()[1].data == "{\"collectionId\":\"\(scene.collection.id)\",\"version\":3}")
            reader.heartbeat()
            #expect(
                reader.take() == [
                    StreamedEvent(id: "\(incarnation)-3", type: "ping", data: "{\"cursor\":\"\(incarnation)-3\"}")
                ])
        }
    }

    @Test func everyVersionCanBeResumedFrom() async throws {
        try await Scene.run { scene in
            try await scene.fetch()
            for number in 2...8 { try await scene.send("m\(number)") }
            let last = scene.collection.version
            for version in 0...last {
                // Also where the buffer takes few events at a time.
                let reader = scene.reader("\(scene.collection.incarnation)-\(version)", limit: 700)
                reader.pump()
                let ids = reader.events.compactMap { $0.id?.split(separator: "-").last.flatMap { Int64($0) } }
                #expect(ids == Array(version + 1..<last + 1) + [last], "from \(version)")
                #expect(reader.events.last?.type == "ready")
                reader.close()
            }
        }
    }

    @Test(arguments: [("other-1", "foreignEpoch"), ("99", "ahead"), ("x", "malformed"), ("", "malformed")])
    func whatCannotBeResumedIsReset(version: String, reason: String) async throws {
        try await Scene.run { scene in
            try await scene.fetch()
            let reader = scene.reader(version)
            reader.pump()
            #expect(reader.events.map(\.type) == ["reset", "ready"])
            #expect(
                reader.events[0].data.contains(
                    "\"reason\":\"\(reason)\",\"snapshot\":\"/v1/sessions/\(scene.gateway.session)/collections/\(scene.collection.id)\""
                ))
            #expect(reader.events[0].id == "\(scene.collection.incarnation)-1")
        }
    }

    @Test func whatIsNoLongerKeptIsReset() async throws {
        try await Scene.run { scene in
            let slow = scene.reader()
            slow.pump()
            _ = slow.take()
            for _ in 0...LiveCollection.keptEvents { scene.collections.clear(account: scene.gateway.client.account) }
            slow.pump()
            #expect(slow.take().map(\.type) == ["reset", "ready"])
        }
    }

    @Test func theStreamEndsWithItsCollection() async throws {
        try await Scene.run { scene in
            let reader = scene.reader()
            reader.pump()
            try await scene.collections.remove(scene.collection.id, of: scene.gateway.client.collectionOwner)
            reader.pump()
            #expect(reader.isEnded)
        }
    }

    @Test func theStreamEndsWithItsSession() async throws {
        try await Scene.run { scene in
            let reader = scene.reader()
            reader.pump()
            try await scene.gateway.sessions.delete(scene.gateway.session)
            reader.pump()
            #expect(reader.isEnded)
        }
    }

    @Test func aSessionsStreamCarriesThemOnlyWhenAsked() async throws {
        try await Scene.run { scene in
            let (plain, all, some, none) = (
                scene.sessionReader(.none), scene.sessionReader(.all),
                scene.sessionReader(.some(ids: [scene.collection.id])),
                scene.sessionReader(.some(ids: ["other"]))
            )
            for reader in [plain, all, some, none] { reader.pump() }
            #expect(plain.take().map(\.type) == ["ready"])
            #expect(none.take().map(\.type) == ["ready"])
            for reader in [all, some] {
                let events = reader.take()
                #expect(events.map(\.type) == ["ready", "collection.sync"])
                #expect(
                    events[1].data
                        == "{\"collectionId\":\"\(scene.collection.id)\",\"version\":0,\"incarnation\":\"\(scene.collection.incarnation)\"}"
                )
                #expect(events[1].id == nil)
            }
            try await scene.fetch()
            for reader in [plain, all, some, none] { reader.pump() }
            #expect(plain.take().isEmpty && none.take().isEmpty)
            #expect(all.take().map(\.type) == ["collection.insert"])
            #expect(some.take().map(\.type) == ["collection.insert"])
        }
    }

    @Test func collectionsThatAreMadeLaterAreCarriedTooAndRemovedOnesAreNot() async throws {
        try await Scene.run { scene in
            let reader = scene.sessionReader(.all)
            reader.pump()
            _ = reader.take()
            let outcome = try await scene.collections.create(
                CollectionDefinition(.threads(ThreadQuery())), owner: scene.gateway.client.collectionOwner, receipt: nil
            )
            reader.pump()
            #expect(reader.take().map(\.type) == ["collection.sync"])
            _ = try await scene.collections.fetch(outcome.id, of: scene.gateway.client.collectionOwner, .next)
            reader.pump()
            #expect(reader.take().map(\.type) == ["collection.insert"])
            try await scene.collections.remove(outcome.id, of: scene.gateway.client.collectionOwner)
            try await scene.send("m2")
            reader.pump()
            #expect(!reader.take().contains { $0.data.contains(outcome.id) })
        }
    }

    @Test func aCombinedStreamSaysWhoseTheyAre() async throws {
        try await Scene.run { scene in
            let reader = scene.sessionReader(.all, kind: .combined)
            reader.pump()
            _ = reader.take()
            try await scene.fetch()
            reader.pump()
            #expect(
                reader.take().first?.data.hasPrefix("{\"sessions\":[\"\(scene.gateway.session)\"],\"collectionId\":")
                    == true)
        }
    }

    /// Collections of the desk, and a stream of the desk or of both sides.
    private func desk(_ scene: Scene, kind: StreamScope.Kind = .desk, _ choice: CollectionChoice = .all) -> Reader {
        let session = StreamScope.Session(id: scene.gateway.session, account: scene.gateway.client.account)
        let scope = StreamScope(kind: kind, sessions: kind == .combined ? [session] : [], hasDesk: true)
        return Reader(
            EventStreamSource(
                hub: scene.hub, scope: scope, filter: .all, start: .now, since: scene.gateway.environment.now,
                choice: choice,
                collections: { [collections = scene.collections] in collections.all(of: $0) }),
            loop: scene.loop)
    }

    private func make(
        _ scene: Scene, _ owner: CollectionOwner = .desk, holder: String? = nil
    ) async throws -> LiveCollection {
        let outcome = try await scene.collections.create(
            CollectionDefinition(.threads(ThreadQuery()), holder: holder), owner: owner, receipt: nil)
        return try scene.collections.collection(outcome.id, of: owner)
    }

    @Test func theDesksStreamCarriesTheDesksAlone() async throws {
        try await Scene.run { scene in
            let threads = try await make(scene)
            let reader = desk(scene)
            reader.pump()
            #expect(reader.take().map(\.type) == ["ready", "collection.sync"])
            _ = try await scene.collections.fetch(threads.id, of: .desk, .next)
            try await scene.fetch()
            reader.pump()
            let events = reader.take()
            #expect(events.map(\.type) == ["collection.insert"])
            #expect(events[0].data.contains("\"channel\":\"multi\",\"customer\":{\"id\":\"c1\"}}]}"))
            _ = try await make(scene)
            reader.pump()
            #expect(reader.take().map(\.type) == ["collection.sync"])
        }
    }

    @Test func aCombinedStreamSaysThatTheyAreTheDesks() async throws {
        try await Scene.run { scene in
            let threads = try await make(scene)
            let reader = desk(scene, kind: .combined)
            reader.pump()
            #expect(reader.take().map(\.type) == ["ready", "collection.sync", "collection.sync"])
            _ = try await scene.collections.fetch(threads.id, of: .desk, .next)
            reader.pump()
            #expect(reader.take().first?.data.hasPrefix("{\"desk\":true,\"collectionId\":\"\(threads.id)\"") == true)
        }
    }

    @Test func aRemovalAtTheDeskSaysWhoseThreadItWas() async throws {
        try await Scene.run { scene in
            let outcome = try await scene.collections.create(
                CollectionDefinition(.threads(ThreadQuery(state: .open))), owner: .desk, receipt: nil)
            _ = try await scene.collections.fetch(outcome.id, of: .desk, .next)
            let reader = desk(scene)
            reader.pump()
            _ = reader.take()
            _ = try await scene.gateway.client.ask { try await $0.archive("t1", receipt: nil) }
            await scene.collections.settle()
            reader.pump()
            #expect(
                reader.take().last?.data.hasSuffix(
                    "\"list\":\"succeeded\",\"ids\":[\"t1\"],\"owners\":[{\"channel\":\"multi\",\"customer\":\"c1\"}]}")
                    == true)
        }
    }

    @Test func aStreamOfHoldersCarriesWhatIsTheirs() async throws {
        try await Scene.run { scene in
            let (one, other, nobodys) = (
                try await make(scene, holder: "one"), try await make(scene, holder: "other"), try await make(scene)
            )
            let reader = desk(scene, .some(holders: ["one", "third"]))
            reader.pump()
            let told = reader.take().filter { $0.type == "collection.sync" }
            #expect(told.count == 1 && told[0].data.contains(one.id))
            let third = try await make(scene, holder: "third")
            reader.pump()
            #expect(reader.take().map(\.type) == ["collection.sync"])
            scene.gateway.environment.advance(milliseconds: 3_600_000)
            #expect(
                [one, third].allSatisfy { $0.abandonedSince == nil }
                    && [other, nobodys].allSatisfy { $0.abandonedSince != nil })
        }
    }

    @Test func aStreamHoldsWhatItCarriesUntilItEnds() async throws {
        try await Scene.run { scene in
            let environment = scene.gateway.environment
            let held = try await make(scene, scene.gateway.client.collectionOwner, holder: "tab")
            func isHeld(_ collection: LiveCollection) -> Bool {
                environment.advance(milliseconds: 3_600_000)
                return collection.abandonedSince == nil
            }
            #expect(!isHeld(scene.collection) && !isHeld(held))
            let choices: [(CollectionChoice?, [Bool])] = [
                (nil, [true, false]), (.all, [true, false]), (CollectionChoice.none, [false, false]),
                (.some(ids: [held.id]), [false, true]),
                (.some(holders: ["tab"]), [false, true]), (.some(holders: ["other"]), [false, false]),
            ]
            for (choice, names) in choices {
                // Nil: the collection's own stream.
                let reader = choice.map { scene.sessionReader($0) } ?? scene.reader()
                reader.pump()
                #expect([isHeld(scene.collection), isHeld(held)] == names, "\(choice.map { "\($0)" } ?? "own")")
                reader.close()
                #expect(!isHeld(scene.collection) && !isHeld(held))
            }
        }
    }

    @Test func aReaderThatMissedTooMuchIsToldWhereTheyStand() async throws {
        try await Scene.run { scene in
            let reader = scene.sessionReader(.all)
            reader.pump()
            _ = reader.take()
            for _ in 0...LiveCollection.keptEvents { scene.collections.clear(account: scene.gateway.client.account) }
            reader.pump()
            let events = reader.take()
            #expect(events.map(\.type) == ["collection.sync"])
            #expect(events[0].data.contains("\"version\":1001"))
        }
    }

    @Test func theSnapshotJoinsExactlyWithTheStream() async throws {
        try await Scene.run { scene in
            try await scene.fetch()
            let snapshot = try JSONParser.parse(scene.collection.snapshot())
            let reader = scene.reader(snapshot["cursor"]?.string)
            try await scene.send("m2")
            reader.pump()
            #expect(reader.events.map(\.type) == ["collection.insert", "collection.new", "ready"])
        }
    }
}
