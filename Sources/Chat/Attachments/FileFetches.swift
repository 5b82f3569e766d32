import Bounds
import ChatModel
import ChatStore
import Synchronization

/// The files that are being fetched from platforms now. All who ask for the same file share one fetch.
///
/// A caller waits for ``patience`` at most. A fetch that takes longer goes on to its end without the caller, and a
/// caller who asks again joins it. Every call may come from any task.
final class FileFetches: Sendable {
    private struct State {
        /// Given at the fetch's end, also when nobody waits for the file any more; by the attachment's id.
        var fetches: [String: Answer<Result<Void, ChatError>>] = [:]
        var places = SharedPlaces(limit: FileFetches.limit)
    }
    private let state = Mutex(State())
    private let clock: any Clock<Duration>

    /// How long a caller waits: short enough that the API answers within 10 s.
    static let patience = Duration.seconds(9)
    /// How many files are fetched at a time. An account has its share of them, so that a slow platform leaves room for
    /// others.
    static let limit = 64

    init(clock: any Clock<Duration>) { self.clock = clock }

    /// How many files are being fetched.
    var count: Int { state.withLock { $0.fetches.count } }
    func waiterCount(of id: String) -> Int { state.withLock { $0.fetches[id]?.waiterCount ?? 0 } }

    /// Returns when the file was fetched. The first caller starts the fetch, later ones join it.
    ///
    /// Throws what `fetch` throws. Throws `eventTimeout` when the fetch takes longer than ``patience``, and at once
    /// when there is no room for another fetch; `tooManyFetches` when the account has its share.
    func join(
        _ id: String, of account: Int64, _ fetch: @escaping @Sendable () async throws(ChatError) -> Void
    ) async throws(ChatError) {
        let holder = Holder.named("account:\(account)")
        let (end, isFirst) = try place(for: id, of: holder)
        if isFirst {
            Task {
                await end.give(resultOf: { () throws(ChatError) in
                    // Removed before the answer: whoever asks again after a failure starts a new fetch.
                    defer {
                        state.withLock { state in
                            state.fetches[id] = nil
                            state.places.giveBack(holder)
                        }
                    }
                    try await fetch()
                })
            }
        }
        try (await end.value(within: Self.patience, on: clock) ?? .failure(Self.slow)).get()
    }

    /// The answer of the fetch that runs, or of a new one, which the caller starts. Throws when there is no room for it.
    private func place(
        for id: String, of holder: Holder
    ) throws(ChatError) -> (end: Answer<Result<Void, ChatError>>, isFirst: Bool) {
        try state.withLock { state throws(ChatError) in
            if let running = state.fetches[id] { return (running, false) }
            switch state.places.take(holder) {
            case nil: break
            case .share(let share, _)?:
                throw ChatError(
                    .tooManyFetches,
                    "\(share) files of this account are being fetched from its platform already, its share.")
            case .full?: throw Self.busy
            }
            let end = Answer<Result<Void, ChatError>>()
            state.fetches[id] = end
            return (end, true)
        }
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
    func fetch(
        _ attachment: Attachment, at url: String, of channel: String, limit: Int, into store: ChatStore
    ) async throws(ChatError) {
        let staged = try store.stageFile()
        let file = try await fetch(url, of: channel, into: staged, limit: limit)
        var attachment = attachment
        attachment.size = file.size
        let whole = attachment
        try await store.keep(staged, as: whole.id) { try $0.fetched(whole, digest: file.digest) }
    }
}
