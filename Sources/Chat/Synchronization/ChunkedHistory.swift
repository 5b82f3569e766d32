import ChatModel
import ChatStore

/// The history of a remote service: complete in chunks, which the synchronization extends.
public struct ChunkedHistory: MessageHistory, ThreadHistory {
    let store: ChatStore
    let account: RemoteAccount

    public func completeness(of thread: String) async throws -> HistoryCompleteness {
        let number = account.number
        let (chunks, offset) = try await store.read { transaction in
            guard let record = try transaction.thread(thread, of: number) else { throw ChatError.unknownThread(thread) }
            return (try transaction.chunks(of: record.number), try transaction.headOffset())
        }
        return HistoryCompleteness(offset: offset) { extent(chunks, around: $0) }
    }

    /// The same, of chunks that were read together with rows.
    func extent(_ chunks: [Chunk], around place: ReadPosition) -> HistoryExtent {
        let isInHole = HistoryExtent(low: place, high: place)
        guard let chunk = chunks.chunk(around: place)
            // Offline nothing will fill the hole: what is below it is what there is.
            ?? (account.source == nil ? chunks.last { $0.low < place.createdAt } : nil) else { return isInHole }
        // A sibling of the same time may be missing at the lower edge; at the upper one it would come after.
        return HistoryExtent(
            low: chunk.isOldest ? nil : ReadPosition(createdAt: chunk.low + 1, number: .min),
            high: chunk.isOpen ? nil : ReadPosition(createdAt: chunk.high, number: .max))
    }

    public func extend(thread: Int64, _ direction: FetchDirection, beyond edge: ReadPosition) async {
        await account.synchronizer.extend(thread: thread, direction, beyond: edge)
    }

    public func extend(account number: Int64) async -> Bool {
        await account.synchronizer.extendThreads()
    }
}
