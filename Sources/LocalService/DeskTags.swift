import Chat
import ChatModel
import ChatStore
import Formats

/// The tags themselves. Desks that are open are told of each change.
extension LocalDesk {
    public func tags() async throws(ChatError) -> [DeskTag] { try await store.read { try $0.tags() } }

    public func tag(_ id: String) async throws(ChatError) -> DeskTag { try await store.read { try $0.tag(id) } }

    public func addTag(
        _ name: String, _ colour: DeskTag.Colour, receipt: Receipt?
    ) async throws(ChatError) -> Outcome {
        let (tag, outcome) = try await store.write { transaction in
            let tag = try transaction.addTag(name, colour)
            let outcome = Outcome(.created, id: tag.id, body: tag.canonicalJSON)
            try transaction.record(receipt, outcome)
            return (tag, outcome)
        }
        store.feed.publish(TagUpdatedEvent(id: tag.id, tag: tag), to: [.desk])
        return outcome
    }

    public func updateTag(
        _ id: String, name: String?, colour: DeskTag.Colour?, position: Int?
    ) async throws(ChatError) -> DeskTag {
        let tag = try await store.write { transaction in
            var tag = try transaction.tag(id)
            if let name { tag.name = name }
            if let colour { tag.colour = colour }
            if let position { tag.position = position }
            try transaction.save(tag)
            return tag
        }
        store.feed.publish(TagUpdatedEvent(id: id, tag: tag), to: [.desk])
        return tag
    }

    public func removeTag(_ id: String) async throws(ChatError) {
        try await store.write { try $0.removeTag(id) }
        store.feed.publish(TagUpdatedEvent(id: id, tag: nil), to: [.desk])
        TagEraser(store: store).start()
    }
}

/// Takes tags that are gone off their threads, in bounded units, so that no send waits long. What a stop interrupts goes on
/// when the service is made again.
struct TagEraser {
    let store: ChatStore

    private static let batch = 64

    /// Works in a task of its own, until nothing is left or a unit fails.
    func start() {
        Task { [self] in while (try? await step()) == true {} }
    }

    /// Returns whether there may be more.
    private func step() async throws(ChatError) -> Bool {
        try await store.write { transaction in
            transaction.actor = .system
            guard let (tag, threads) = try transaction.threadsOfRemovedTag(limit: Self.batch) else { return false }
            if threads.isEmpty { try transaction.forgetTag(tag) }
            for var record in threads {
                try transaction.drop(tag: tag, of: &record)
                try transaction.saveForDesk(&record)
            }
            return true
        }
    }
}
