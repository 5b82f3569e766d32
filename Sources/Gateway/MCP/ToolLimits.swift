import ChatModel
import DequeModule
import Formats
import HTTPRouting
import Synchronization

/// How often each token may call tools. Any thread may use it.
///
/// Reading: 20 calls a second. Everything else: 2 a second, and 60 a minute.
final class ToolLimits: Sendable {
    /// Calls within so many milliseconds.
    private struct Window {
        var count: Int
        var length: Int64
    }
    private struct Key: Hashable {
        var identity: Identity
        var isReading: Bool
    }

    private static let reading = [Window(count: 20, length: 1000)]
    private static let writing = [Window(count: 2, length: 1000), Window(count: 60, length: 60_000)]
    /// Tokens that are remembered.
    private static let capacity = 1024

    private let now: @Sendable () -> Timestamp
    /// The times of the calls within the longest window, oldest first.
    private let calls = Mutex<[Key: Deque<Timestamp>]>([:])

    init(now: @escaping @Sendable () -> Timestamp) { self.now = now }

    /// Counts a call; one beyond a limit is not counted. Returns nil, or the milliseconds until a call is possible.
    func wait(_ identity: Identity, isReading: Bool) -> Int64? {
        let now = now()
        let windows = isReading ? Self.reading : Self.writing
        let key = Key(identity: identity, isReading: isReading)
        return calls.withLock { calls in
            if calls[key] == nil, calls.count >= Self.capacity {
                let old = now.advanced(byMilliseconds: -60_000)
                calls = calls.filter { ($0.value.last ?? old) > old }
                // All are in use. Whoever called least recently begins anew.
                if calls.count >= Self.capacity,
                    let quietest = calls.min(by: { ($0.value.last ?? old) < ($1.value.last ?? old) })
                {
                    calls[quietest.key] = nil
                }
            }
            var recent = calls[key] ?? []
            let start = now.advanced(byMilliseconds: -(windows.last?.length ?? 0))
            while let first = recent.first, first <= start { recent.removeFirst() }
            defer { calls[key] = recent }
            var wait: Int64 = 0
            for window in windows where recent.count >= window.count {
                let first = recent[recent.count - window.count]
                wait = max(wait, first.milliseconds + window.length - now.milliseconds)
            }
            if wait > 0 { return wait }
            recent.append(now)
            return nil
        }
    }
}
