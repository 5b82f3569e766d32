import Bounds
import ChatModel
import ChatStore
import Formats
import Synchronization

/// A file that was received completely and is to become an attachment (the SDK's `ContentDescriptor`).
public struct FileUpload: Sendable {
    /// Its bytes, already on the disk.
    public var file: StagedFile
    public var name: String
    public var mimeType: String
    /// Bytes.
    public var size: Int64
    /// SHA-256 of its bytes.
    public var digest: [UInt8]
    /// Whether it counts for the quota of its customer's files: the customer's own token sends it.
    public var isCounted = false

    public init(file: StagedFile, name: String, mimeType: String, size: Int64, digest: [UInt8]) {
        self.file = file
        self.name = name
        self.mimeType = mimeType
        self.size = size
        self.digest = digest
    }
}

/// An attachment whose file is open, so that the server can send it without a copy in memory.
public struct OpenAttachment: Sendable {
    public var attachment: Attachment
    /// SHA-256 of its bytes.
    public var digest: [UInt8]
    /// The file, open for reading. Whoever receives this value must close it.
    public var descriptor: Int32

    public init(attachment: Attachment, digest: [UInt8], descriptor: Int32) {
        self.attachment = attachment
        self.digest = digest
        self.descriptor = descriptor
    }
}

extension ChatStore {
    /// Opens an attachment for a reader. Throws `unknownAttachment`, also for one that this reader may not see, so that
    /// ids cannot be probed; `storageFailed`.
    public func open(_ id: String, for reader: Audience) async throws(ChatError) -> OpenAttachment {
        let record = try await read { try $0.attachment(id, for: reader) }
        return OpenAttachment(
            attachment: record.attachment, digest: record.digest, descriptor: try await openFile(of: record.attachment))
    }
}

extension FileUpload {
    /// Stores the file as an attachment. Until a message carries it, only its uploader sees it, and it is removed after
    /// 24 hours.
    ///
    /// Throws `tooManyUploads`, `quotaExceeded`, `storageFailed`, `storageFull`.
    ///
    /// - Parameter allowance: how much this uploader may have stored without sending it.
    public func store(
        in store: ChatStore, of uploader: Audience, within allowance: UploadAllowance = .account, receipt: Receipt?
    ) async throws(ChatError) -> Outcome {
        let (attachment, digest) = (
            Attachment(id: store.environment.makeID(), name: name, mimeType: mimeType, size: size), digest
        )
        var allowance = allowance
        if isCounted { allowance.quota = store.quotas.files }
        return try await store.storeFile(file, as: attachment.id) { [allowance] transaction in
            try transaction.insert(attachment, uploader: uploader, digest: digest, within: allowance)
            let outcome = Outcome(.created, id: attachment.id, body: attachment.canonicalJSON)
            try transaction.record(receipt, outcome)
            return outcome
        }
    }
}

/// Files: uploaded first, sent with a message after.
extension ChatClient {
    /// Which files the session's channel takes. Throws `unsupportedCapability`.
    public func fileRestrictions() throws(ChatError) -> FileRestrictions {
        let channel = channel
        try ThreadRules.check(.attachments, on: channel)
        return channel.fileRestrictions
    }

    /// Makes a file an attachment, which a message may carry within 24 hours.
    ///
    /// Throws `attachmentError`, `invalidFileType`, `invalidFileSize`, `emptyFile`, `unsupportedCapability`,
    /// `notConnected`.
    public func attach(_ upload: FileUpload, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try fileRestrictions().check(mimeType: upload.mimeType, size: upload.size)
        return try await connection.perform(within: Self.limit(size: upload.size)) { (connection) throws(ChatError) in
            try await connection.attach(upload, receipt: receipt)
        }
    }

    /// An attachment of the session's threads, or one that the session has uploaded. The caller must close its file.
    /// Throws `unknownAttachment`.
    ///
    /// A platform's file is fetched when it is first asked for, once for all who ask. Throws `serverError` when the
    /// platform does not deliver it, and `eventTimeout` after 9 s. The fetch goes on then, and a later call finds the
    /// file.
    public func attachment(_ id: String) async throws(ChatError) -> OpenAttachment {
        let (account, store) = (account, store)
        let (record, remote) = try await store.read {
            (try $0.attachment(id, for: .account(account)), try $0.remoteFile(id))
        }
        guard let remote else { return try await store.open(id, for: .account(account)) }
        if !remote.isHere { try await fetch(record.attachment, at: remote.url, isDamaged: false) }
        do throws(ChatError) {
            return try await store.open(id, for: .account(account))
        } catch {
            // A file that is damaged or gone here is still at the platform.
            guard remote.isHere, error.code == .storageFailed || error.code == .unknownAttachment else { throw error }
            try await fetch(record.attachment, at: remote.url, isDamaged: true)
            return try await store.open(id, for: .account(account))
        }
    }

    /// - Parameter isDamaged: fetch the file again, although the store says that its bytes are here.
    private func fetch(_ attachment: Attachment, at url: String, isDamaged: Bool) async throws(ChatError) {
        let (service, store, channel) = (service, store, channel.id)
        try await remote.files.join(attachment.id, of: account) { () throws(ChatError) in
            // The fetch before this one may have ended just now.
            let isHere = try await store.read { try $0.remoteFile(attachment.id)?.isHere } == true
            guard isDamaged || !isHere else { return }
            try await service.fetch(attachment, at: url, of: channel, limit: Self.largestFile, into: store)
        }
    }

    /// How long an upload may take: a file that goes on to a platform gets a second more for each 256 KiB.
    private static func limit(size: Int64) -> Duration { Deadline.limit + .seconds(size >> 18) }

    /// How many bytes a platform's file may have.
    private static let largestFile = 64 << 20
}

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
                await end.resolve(resultOf: { () throws(ChatError) in
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
            switch state.places.takePlace(holder) {
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
        try await store.storeFile(staged, as: whole.id) { try $0.fetched(whole, digest: file.digest) }
    }
}
