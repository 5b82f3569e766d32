import Synchronization

/// How much of a list is asked for at a time. Channels with many members make an answer too large to be read: then it is a
/// quarter of the items from there on, down to one; and then all of them without their members.
final class ListLimit: Sendable {
    struct Size: Sendable, Equatable {
        var items: Int
        var hasMembers = true
    }
    private let current: Mutex<Size>
    private let most: Int

    init(_ limit: Int) {
        most = limit
        current = Mutex(Size(items: limit))
    }

    /// Asks for less until an answer can be read.
    func ask<Answer>(
        _ ask: (Size) async throws(SendbirdFailure) -> Answer
    ) async throws(SendbirdFailure) -> Answer {
        while true {
            let size = current.withLock { $0 }
            do throws(SendbirdFailure) {
                return try await ask(size)
            } catch {
                guard error.asksForFewer, let less = less(than: size) else { throw error }
                current.withLock { $0 = $0 == size ? less : $0 }
            }
        }
    }

    private func less(than size: Size) -> Size? {
        if size.items > 1 { return Size(items: max(1, size.items / 4), hasMembers: size.hasMembers) }
        return size.hasMembers ? Size(items: most, hasMembers: false) : nil
    }
}
