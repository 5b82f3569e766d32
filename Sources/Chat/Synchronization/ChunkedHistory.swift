import ChatModel
import ChatStore

/// The history of a remote service's account. The store has it in chunks: inside a chunk no message is missing, between
/// two chunks any may be. The synchronization extends them.
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

    /// The extent around a place, computed from chunks that were read in the same transaction as the rows that it is
    /// applied to.
    func extent(_ chunks: [Chunk], around place: MessagePosition) -> HistoryExtent {
        let isInHole = HistoryExtent(low: place, high: place)
        guard
            let chunk = chunks.chunk(around: place)
                // Without a connection nothing will fill the hole. So the rows below it are shown as they are.
                ?? (account.source == nil ? chunks.last { $0.low < place.createdAt } : nil)
        else { return isInHole }
        // At the lower edge a message of the same time may be missing, so the extent begins after it. At the upper edge
        // such a message would come later in the list.
        return HistoryExtent(
            low: chunk.isOldest ? nil : MessagePosition(createdAt: chunk.low + 1, number: .min),
            high: chunk.isOpen ? nil : MessagePosition(createdAt: chunk.high, number: .max))
    }

    public func extend(thread: Int64, _ direction: FetchDirection, beyond edge: MessagePosition) async {
        await account.synchronizer.extend(thread: thread, direction, beyond: edge)
    }

    public func extend(account number: Int64) async -> Bool {
        await account.synchronizer.extendThreads()
    }
}
