import ChatModel
import ChatStore

@testable import Chat
import Formats

extension RemoteScene {
    func collection(_ definition: CollectionDefinition) async throws -> LiveCollection {
        let outcome = try await sessions.collections.create(definition, owner: client.collectionOwner, receipt: nil)
        return try sessions.collections.collection(outcome.id, of: client.collectionOwner)
    }

    func messages(viewpoint: Timestamp? = nil, limit: Int? = nil) async throws -> Follower {
        Follower(
            try await collection(
                CollectionDefinition(.messages(thread: "t", MessageFilter(), viewpoint: viewpoint), limit: limit)))
    }

    @discardableResult
    func fetch(_ follower: Follower, _ direction: FetchDirection) async throws -> Bool {
        try await result(of: follower, direction).hasMore
    }

    func result(of follower: Follower, _ direction: FetchDirection) async throws -> FetchResult {
        try await sessions.collections.fetch(follower.collection.id, of: client.collectionOwner, direction)
    }

    func events(_ follower: inout Follower) async throws -> [String] {
        await sessions.collections.settle()
        return try follower.catchUp()
    }
}

extension Follower {
    var texts: [String] {
        items.compactMap { try? JSONParser.parse(Array($0.json.utf8))["text"]?.string }
    }
}
