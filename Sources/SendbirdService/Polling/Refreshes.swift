import ChatModel
import Synchronization

/// What a refresh of a thread is to find.
struct ThreadLook: Sendable {
    /// Edits and removals among the newest messages, too.
    var isFocus: Bool
    /// The ids of messages that may have changed, and since when that is known. They are read even if they are
    /// older than the newest ones.
    var named: [Int64: Duration] = [:]
    /// Whether a webhook says that there is something.
    var isHeard = false

    mutating func add(_ other: ThreadLook) {
        // One of them reads a thread that is here alone. Both together must, too.
        isHeard = isHeard || isFocus != other.isFocus
        isFocus = isFocus || other.isFocus
        isHeard = isHeard || other.isHeard
        named.merge(other.named) { min($0, $1) }
    }
}

/// The refreshes that run now. One refresh of a thread runs at a time for an account. All that is asked for meanwhile is
/// one more, which comes after it, also if the first one fails; and who has asked is told how that one ended.
final class Refreshes: Sendable {
    /// A thread of one account.
    private struct Key: Hashable {
        var account: Int64
        var thread: String
    }

    private enum Turn: Sendable {
        /// It is to be made now, and these are told how it ends.
        case now(ThreadLook, [CheckedContinuation<Turn, Never>])
        /// Somebody has made it.
        case over(Result<Bool, ChatError>)
    }

    private struct Waiting {
        var look: ThreadLook
        var line: [CheckedContinuation<Turn, Never>]
    }

    /// What waits for each that runs.
    private let running = Mutex<[Key: Waiting?]>([:])

    /// How many wait.
    var waitingCount: Int { running.withLock { $0.values.reduce(0) { $0 + ($1?.line.count ?? 0) } } }

    /// Returns whether anything was new.
    ///
    /// - Parameter work: makes a look, which may be more than was asked for.
    func run(
        _ look: ThreadLook, at thread: String, of account: Int64,
        _ work: (ThreadLook) async throws(ChatError) -> Bool
    ) async throws(ChatError) -> Bool {
        let key = Key(account: account, thread: thread)
        let turn = await withCheckedContinuation { (continuation: CheckedContinuation<Turn, Never>) in
            let isFree = running.withLock { running in
                guard let known = running[key] else {
                    running[key] = .some(nil)
                    return true
                }
                var waiting = known ?? Waiting(look: look, line: [])
                waiting.look.add(look)
                waiting.line.append(continuation)
                running[key] = waiting
                return false
            }
            if isFree { continuation.resume(returning: .now(look, [])) }
        }
        switch turn {
        case .over(let result): return try result.get()
        case .now(let look, let others):
            let result: Result<Bool, ChatError>
            do throws(ChatError) {
                result = .success(try await work(look))
            } catch {
                result = .failure(error)
            }
            let next = running.withLock { running -> Waiting? in
                let waiting = running[key] ?? nil
                running[key] = waiting == nil ? Optional<Waiting?>.none : .some(nil)
                return waiting
            }
            for other in others { other.resume(returning: .over(result)) }
            if let next { next.line[0].resume(returning: .now(next.look, Array(next.line.dropFirst()))) }
            return try result.get()
        }
    }
}
