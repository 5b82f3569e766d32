import ChatModel
import ChatStore
import Synchronization

/// The files that are being fetched from platforms now. All who ask for the same file share one fetch.
///
/// A caller waits for ``patience`` at most. A fetch that takes longer goes on to its end without the caller, and a
/// caller who asks again joins it. Every call may come from any task.
final class FileFetches: Sendable {
    private struct Fetch {
        let account: Int64
        /// Who waits for the file. The fetch goes on when nobody waits any more.
        var waiting: [Int: CheckedContinuation<ChatError?, Never>] = [:]
    }
    private struct State {
        /// By the attachment's id.
        var fetches: [String: Fetch] = [:]
        var next = 0
    }
    private let state = Mutex(State())
    private let clock: any Clock<Duration>

    /// How long a caller waits: short enough that the API answers within 10 s.
    static let patience = Duration.seconds(9)
    /// How many files are fetched at a time.
    static let limit = 32
    /// How many of them may be one account's, so that a slow platform leaves room for others.
    static let limitOfAccount = 8

    init(clock: any Clock<Duration>) { self.clock = clock }

    /// How many files are being fetched.
    var count: Int { state.withLock { $0.fetches.count } }
    func waiterCount(of id: String) -> Int { state.withLock { $0.fetches[id]?.waiting.count ?? 0 } }

    /// Returns when the file was fetched. The first caller starts the fetch, later ones join it.
    ///
    /// Throws what `fetch` throws. Throws `eventTimeout` when the fetch takes longer than ``patience``, and at once
    /// when the limits leave no room for another fetch.
    func join(
        _ id: String, of account: Int64, _ fetch: @escaping @Sendable () async throws(ChatError) -> Void
    ) async throws(ChatError) {
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

/// A platform's file, whose bytes were written to the disk.
public struct FetchedFile: Sendable {
    /// Bytes.
    public var size: Int64
    /// SHA-256 of the bytes, 32 bytes long.
    public var digest: [UInt8]

    public init(size: Int64, digest: [UInt8]) {
        self.size = size
        self.digest = digest
    }
}

extension ChatService {
    /// Writes a platform's file to the disk as it comes, and makes it the content of an attachment. The attachment's
    /// size becomes the number of bytes that came.
    ///
    /// Throws `serverError`, `eventTimeout`, `storageFailed`, `storageFull`, and `unknownAttachment` when the
    /// attachment was removed meanwhile.
    ///
    /// - Parameter limit: how many bytes the file may have; a longer one is an error.
    func fetch(_ attachment: Attachment, at url: String, limit: Int, into store: ChatStore) async throws(ChatError) {
        let staged = try store.stageFile()
        let file = try await fetch(url, into: staged, limit: limit)
        var attachment = attachment
        attachment.size = file.size
        let whole = attachment
        try await store.keep(staged, as: whole.id) { try $0.fetched(whole, digest: file.digest) }
    }
}
