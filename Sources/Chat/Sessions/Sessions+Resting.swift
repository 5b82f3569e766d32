import ChatModel
import ChatStore
import Formats

/// Sessions that customers have begun and do not use go from memory. They come back at their next use, as after a
/// restart.
extension Sessions {
    /// Lets go of the embedded services' sessions of visitors and of links that nobody has used since a time. Streams
    /// count as use, also those of collections. Returns how many there were.
    @discardableResult
    public func rest(unusedSince time: Timestamp) async throws(ChatError) -> Int {
        let resting = all.filter { client in
            client.isEmbedded && client.term.kind != .plain && !client.isReturning && client.use.time < time
                && collections.all(of: client.collectionOwner).allSatisfy { $0.abandonedSince != nil }
        }
        for start in stride(from: 0, to: resting.count, by: Self.batchOfResting) {
            let batch = resting[start..<min(start + Self.batchOfResting, resting.count)]
            let uses = batch.map { (id: $0.id, time: $0.use.time) }
            try await store.write(inBackground: true) { try $0.noteUse(of: uses) }
            for client in batch {
                release(client)
                await client.connection.rest()
                notifications.forget(session: client.id, account: client.account)
            }
        }
        return resting.count
    }

    private static let batchOfResting = 200

    /// Forgets a session with its collections. No other task restores it meanwhile.
    private func release(_ client: ChatClient) {
        restoring.withLock { _ in
            state.withLock { state in
                if state.clients[client.id] === client { state.clients[client.id] = nil }
            }
            collections.removeAll(of: client.collectionOwner)
        }
    }
}

extension SessionConnection {
    /// Nobody uses the session for now: nobody types there.
    func rest() async { await open?.close() }
}
