import Synchronization

/// How many items of a list are asked for at a time. Channels with many members make an answer too large to be read: then
/// it is a quarter from there on, down to one.
final class ListLimit: Sendable {
    private let current: Mutex<Int>

    init(_ limit: Int) { current = Mutex(limit) }

    /// Asks with fewer items until an answer can be read.
    func ask<Answer>(
        _ ask: (Int) async throws(SendbirdFailure) -> Answer
    ) async throws(SendbirdFailure) -> Answer {
        while true {
            let limit = current.withLock { $0 }
            do throws(SendbirdFailure) {
                return try await ask(limit)
            } catch {
                guard error.asksForFewer, limit > 1 else { throw error }
                current.withLock { $0 = min($0, max(1, limit / 4)) }
            }
        }
    }
}
