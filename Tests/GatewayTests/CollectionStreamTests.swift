import Chat
import ChatModel
import ChatStore
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
                    CollectionDefinition(.messages(thread: "t1", MessageFilter(), viewpoint: nil)), session: gateway.session,
                    account: gateway.client.account, receipt: nil)
                let scene = Scene(
                    gateway: gateway, collection: try gateway.sessions.collections.collection(outcome.id, of: gateway.session))
                gateway.application.attach(to: scene.loop)
                try await body(scene)
            }
        }

        func reader(_ version: String? = nil, limit: Int = 65_536) -> Reader {
            Reader(CollectionStreamSource(hub: hub, collection: collection, start: CollectionStart(version, collection)), loop: loop, limit: limit)
        }

        func sessionReader(_ choice: CollectionChoice, kind: StreamScope.Kind = .session) -> Reader {
            let scope = StreamScope(kind: kind, sessions: [.init(id: gateway.session, account: gateway.client.account)], hasDesk: false)
            return Reader(
                EventStreamSource(
                    hub: hub, scope: scope, filter: .all, start: .now, since: gateway.environment.now, choice: choice,
                    collections: { [collections] in collections.all(of: $0) }),
                loop: loop)
        }

        func fetch() async throws { _ = try await collections.fetch(collection.id, of: gateway.session, .previous) }

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
            #expect(reader.take()[0].data.hasPrefix("{\"collectionId\":\"\(scene.collection.id)\",\"version\":1,\"list\":\"succeeded\",\"indices\":[0],\"items\":[{\"id\":\"m1\""))
            try await scene.send("m2")
            reader.pump()
            #expect(reader.events.map(\.type) == ["collection.insert", "collection.new"])
            #expect(reader.take()[1].data == "{\"collectionId\":\"\(scene.collection.id)\",\"version\":3}")
            reader.heartbeat()
            #expect(reader.take() == [StreamedEvent(id: "\(incarnation)-3", type: "ping", data: "{\"cursor\":\"\(incarnation)-3\"}")])
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
            #expect(reader.events[0].data.contains("\"reason\":\"\(reason)\",\"snapshot\":\"/v1/sessions/\(scene.gateway.session)/collections/\(scene.collection.id)\""))
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
            try await scene.collections.remove(scene.collection.id, of: scene.gateway.session)
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
                scene.sessionReader(.none), scene.sessionReader(.all), scene.sessionReader(.some([scene.collection.id])),
                scene.sessionReader(.some(["other"])))
            for reader in [plain, all, some, none] { reader.pump() }
            #expect(plain.take().map(\.type) == ["ready"])
            #expect(none.take().map(\.type) == ["ready"])
            for reader in [all, some] {
                let events = reader.take()
                #expect(events.map(\.type) == ["ready", "collection.sync"])
                #expect(events[1].data == "{\"collectionId\":\"\(scene.collection.id)\",\"version\":0,\"incarnation\":\"\(scene.collection.incarnation)\"}")
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
                CollectionDefinition(.threads(ThreadQuery())), session: scene.gateway.session, account: scene.gateway.client.account, receipt: nil)
            reader.pump()
            #expect(reader.take().map(\.type) == ["collection.sync"])
            _ = try await scene.collections.fetch(outcome.id, of: scene.gateway.session, .next)
            reader.pump()
            #expect(reader.take().map(\.type) == ["collection.insert"])
            try await scene.collections.remove(outcome.id, of: scene.gateway.session)
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
            #expect(reader.take().first?.data.hasPrefix("{\"sessions\":[\"\(scene.gateway.session)\"],\"collectionId\":") == true)
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
