import ChatModel
import TestSupport
import Testing

@testable import Chat
@testable import ChatStore

/// What becomes of collections that nobody uses any more: a tab that crashed took none of its own back.
@Suite struct CollectionLeaseTests {
    private static let minutes = CollectionLease.idleTime

    /// A session with as many collections as it may have.
    private func run(_ body: (CollectionRoom, [LiveCollection]) async throws -> Void) async throws {
        try await CollectionRoom.run { room in
            for _ in 0..<room.client.collectionOwner.limit { _ = try await room.threads() }
            try await body(room, room.collections.all(of: room.client.collectionOwner))
        }
    }

    private func isThere(_ collection: LiveCollection, _ room: CollectionRoom) throws -> Bool {
        let isStored = try room.store.readBlocking { try $0.hasCollection(collection.id, of: collection.owner.key) }
        let isKnown = room.collections.all(of: collection.owner).contains { $0 === collection }
        #expect(isStored == isKnown)
        return isKnown
    }

    @Test func oneThatWasNotUsedForLongGivesItsPlaceToAnother() async throws {
        try await run { room, all in
            room.environment.advance(milliseconds: Self.minutes - 1)
            #expect(await refusal { try await room.threads() } == .tooManyCollections)
            room.environment.advance(milliseconds: 1)
            _ = try await room.threads()
            #expect(try !isThere(all[0], room) && isThere(all[1], room))
            #expect(all[0].isRemoved)
        }
    }

    /// Otherwise the session would have no place left for a day.
    @Test func aClockThatIsSetBackPutsNothingOffForLong() async throws {
        try await run { room, all in
            room.environment.advance(milliseconds: -86_400_000)
            #expect(await refusal { try await room.threads() } == .tooManyCollections)
            room.environment.advance(milliseconds: Self.minutes)
            _ = try await room.threads()
            #expect(all.count { $0.isRemoved } == 1)
        }
    }

    @Test func noneIsRemovedWhileThereArePlaces() async throws {
        try await CollectionRoom.run { room in
            let old = try await room.threads()
            room.environment.advance(milliseconds: 100 * Self.minutes)
            _ = try await room.threads()
            #expect(try isThere(old.collection, room))
        }
    }

    @Test func theOneThatWasUnusedForTheLongestGoesFirst() async throws {
        try await run { room, all in
            room.environment.advance(milliseconds: 1000)
            for index in all.indices where index != 7 { try await room.fetch(Follower(all[index])) }
            room.environment.advance(milliseconds: Self.minutes)
            _ = try await room.threads()
            #expect(try !isThere(all[7], room))
        }
    }

    @Test func aFetchASnapshotAndANewViewpointAreUses() async throws {
        try await CollectionRoom.run { room in
            try await room.thread("t1")
            for _ in 0..<room.client.collectionOwner.limit { _ = try await room.messages() }
            let all = room.collections.all(of: room.client.collectionOwner)
            room.environment.advance(milliseconds: Self.minutes - 1)
            try await room.fetch(Follower(all[0]), .previous)
            _ = try room.collections.collection(all[1].id, of: room.client.collectionOwner).snapshot()
            try await room.collections.resetViewpoint(all[2].id, of: room.client.collectionOwner, to: nil)
            room.environment.advance(milliseconds: 1)
            for _ in 0..<3 { _ = try await room.messages() }
            #expect(try all[0...2].allSatisfy { try isThere($0, room) })
            #expect(try all[3...5].allSatisfy { try !isThere($0, room) })
        }
    }

    @Test func oneThatAStreamHoldsIsNeverTaken() async throws {
        try await run { room, all in
            for collection in all { collection.hold() }
            room.environment.advance(milliseconds: 100 * Self.minutes)
            #expect(await refusal { try await room.threads() } == .tooManyCollections)
            // Two streams held it: one goes, and it is held still.
            all[3].hold()
            all[3].release()
            all[5].release()
            #expect(await refusal { try await room.threads() } == .tooManyCollections)
            room.environment.advance(milliseconds: Self.minutes)
            _ = try await room.threads()
            #expect(try !isThere(all[5], room) && isThere(all[3], room))
        }
    }

    @Test func manyWhoComeAtOnceTakeOnePlaceEach() async throws {
        try await run { room, all in
            room.environment.advance(milliseconds: Self.minutes)
            for collection in all[10...] { collection.use() }
            let made = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<15 { group.addTask { await refusal { try await room.threads() } == nil } }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(made == 10)
            #expect(room.collections.all(of: room.client.collectionOwner).count == room.client.collectionOwner.limit)
        }
    }

    @Test func theTimeBeginsAnewWithTheGateway() async throws {
        try await run { room, all in
            room.environment.advance(milliseconds: 10 * Self.minutes)
            let again = Sessions(store: room.store, services: [], clock: ManualClock())
            let owner = room.client.collectionOwner
            for record in try await room.store.read({ try $0.collections(of: owner.key) }) {
                again.collections.restore(record, owner: owner)
            }
            #expect(again.collections.all(of: owner).allSatisfy { $0.abandonedSince == nil })
        }
    }
}
