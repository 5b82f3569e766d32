import ChatModel
import Synchronization

/// Files of platforms that are being fetched: one fetch for all who ask for the file.
///
/// Whoever asks waits for 9 s at most. A file that takes longer is fetched to its end all the same, and who asks again joins
/// the same fetch.
final class FileFetches: Sendable {
    private struct Fetch {
        let account: Int64
        /// Who waits for it. It goes on when nobody does any more.
        var waiting: [Int: CheckedContinuation<ChatError?, Never>] = [:]
    }
    private struct State {
        /// By the file.
        var fetches: [String: Fetch] = [:]
        var next = 0
    }
    private let state = Mutex(State())
    private let clock: any Clock<Duration>

    /// So that an answer is there within 10 s.
    static let patience = Duration.seconds(9)
    /// Fetches at a time.
    static let limit = 32
    /// Fetches of one account at a time: the files of one slow platform leave room for those of others.
    static let limitOfAccount = 8

    init(clock: any Clock<Duration>) { self.clock = clock }

    /// How many files are being fetched.
    var count: Int { state.withLock { $0.fetches.count } }
    func waiterCount(of id: String) -> Int { state.withLock { $0.fetches[id]?.waiting.count ?? 0 } }

    /// Returns when the file was fetched; the first one who asks begins it. Throws what `fetch` throws, and `eventTimeout`
    /// when it takes long or too many are being fetched.
    func join(_ id: String, of account: Int64, _ fetch: @escaping @Sendable () async throws(ChatError) -> Void) async throws(ChatError) {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        let clock = clock
        let alarm = Task { [weak self] in
            guard (try? await clock.sleep(for: Self.patience)) != nil else { return }
            self?.give(Self.slow, to: number, of: id)
        }
        let error: ChatError? = await withCheckedContinuation { continuation in
            wait(continuation, number, for: id, of: account, fetch)
        }
        alarm.cancel()
        if let error { throw error }
    }

    private func wait(
        _ continuation: CheckedContinuation<ChatError?, Never>, _ number: Int, for id: String, of account: Int64,
        _ fetch: @escaping @Sendable () async throws(ChatError) -> Void
    ) {
        enum Role { case first, other, refused }
        let role = state.withLock { state -> Role in
            let isRunning = state.fetches[id] != nil
            if !isRunning {
                let own = state.fetches.values.count { $0.account == account }
                guard state.fetches.count < Self.limit, own < Self.limitOfAccount else { return .refused }
            }
            state.fetches[id, default: Fetch(account: account)].waiting[number] = continuation
            return isRunning ? .other : .first
        }
        switch role {
        case .other: break
        case .refused: continuation.resume(returning: Self.busy)
        case .first:
            Task {
                do throws(ChatError) {
                    try await fetch()
                    end(id, nil)
                } catch {
                    end(id, error)
                }
            }
        }
    }

    private func end(_ id: String, _ error: ChatError?) {
        let waiting = state.withLock { $0.fetches.removeValue(forKey: id) }?.waiting ?? [:]
        for continuation in waiting.values { continuation.resume(returning: error) }
    }

    private func give(_ error: ChatError, to number: Int, of id: String) {
        state.withLock { $0.fetches[id]?.waiting.removeValue(forKey: number) }?.resume(returning: error)
    }

    private static let slow = ChatError(
        .eventTimeout, "The file is still being fetched from the platform. Ask for it again in a moment.")
    private static let busy = ChatError(
        .eventTimeout, "Too many files are being fetched from platforms. Ask for it again in a moment.")
}
