import ChatModel
import ChatStore

/// A chat platform, as Parley sees it: what each adapter implements.
///
/// An adapter writes what its platform says into the store, in units whose events log
/// the change; it answers a call once that is committed. It never calls back upwards.
public protocol ChatService: Sendable {
    /// `local`, `cxone`, `sendbird`.
    var id: String { get }
    /// For people.
    var name: String { get }
    var capabilities: Set<Capability> { get }
    /// Its rows in the store are a cache of what the platform has; its connections offer a ``RemotePlatform``.
    var isRemote: Bool { get }

    /// The channels that are known without asking the platform.
    func channels() async throws(ChatError) -> [Channel]

    /// The configuration of one channel (the SDK's `getChannelConfiguration`). Throws `unknownChannel`.
    func channel(_ id: String) async throws(ChatError) -> Channel

    /// Makes a channel known by where it is, and returns its id. Throws `invalidParameter` where nothing is remote.
    func channel(at address: ChannelAddress) async throws(ChatError) -> String

    /// Whether the service has channels whose customers log in, so that ``authorize(_:by:)`` may be called.
    var takesAuthorization: Bool { get }

    /// Takes what a customer has got by logging in; the next connection uses it up.
    func authorize(_ account: AccountRecord, by authorization: Authorization) async throws(ChatError)

    /// What precedes an account's first connection: the last part of the SDK's `prepare`.
    func prepare(_ account: AccountRecord, channel: Channel) async throws(ChatError)

    /// Writes a file that the platform keeps, of so many bytes at most, onto the disk as it comes. Throws `serverError`,
    /// `eventTimeout` when it comes too slowly, `storageFailed`, `storageFull`.
    func fetch(_ url: String, into file: StagedFile, limit: Int) async throws(ChatError) -> FetchedFile

    /// Tells the platform's analytics what a customer does. Throws `missingVisitId` before the first page view, `serverError`.
    func record(_ activity: VisitorActivity, of account: AccountRecord) async throws(ChatError)

    /// Whether the platform itself pushes to apps on devices, when it is told of them.
    var pushesToApps: Bool { get }

    /// Tells the platform which device of the account it is to push to (``ChatStore/ReadTransaction/deviceForPlatform(of:)``),
    /// or that there is none any more. Nothing happens where it was told so already. Throws `serverError`, `eventTimeout`.
    func tellDevice(of account: AccountRecord) async throws(ChatError)

    /// No session acts for the account any more: what is in memory of it goes, what is stored stays.
    func forget(account: Int64)

    /// Whether the channel can be connected to now; a live chat may be outside its hours.
    func isOnline(_ account: AccountRecord) async throws(ChatError) -> Bool

    /// Opens and authorises a connection for an account.
    ///
    /// - Parameter onLoss: called at most once, when the connection is gone without having been closed.
    func connect(
        _ account: AccountRecord, channel: Channel, onLoss: @escaping @Sendable () -> Void
    ) async throws(ChatError) -> any ServiceConnection
}

extension ChatService {
    public var isRemote: Bool { false }
    public func channel(at address: ChannelAddress) async throws(ChatError) -> String {
        throw ChatError(.invalidParameter, "The channels of the service \(id) are named, not addressed.", pointer: "/brandId")
    }
    public var takesAuthorization: Bool { false }
    public func authorize(_ account: AccountRecord, by authorization: Authorization) async throws(ChatError) {}
    public func prepare(_ account: AccountRecord, channel: Channel) async throws(ChatError) {}
    public var pushesToApps: Bool { false }
    public func tellDevice(of account: AccountRecord) async throws(ChatError) {}
    public func forget(account: Int64) {}
    public func record(_ activity: VisitorActivity, of account: AccountRecord) async throws(ChatError) {
        throw .unsupported(.analytics)
    }
    public func fetch(_ url: String, into file: StagedFile, limit: Int) async throws(ChatError) -> FetchedFile {
        throw ChatError(.serverError, "The service \(id) keeps no files of its own.")
    }
}

/// One session's connection to its service. Every operation throws ``ChatError``.
public protocol ServiceConnection: Sendable {
    /// The single thread, or the live chat that is open, read from the service again. Returns how many there are: none is no
    /// failure of a live chat, which begins when its customer says so. Throws `recoveringThreadFailed` when a thread is missing.
    func recoverThread() async throws(ChatError) -> Int

    /// The list of the account's threads and their metadata. Returns how many there are.
    func loadThreads() async throws(ChatError) -> Int

    /// One thread, read from the service again (the SDK's `threads.load(with:)`).
    func load(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome

    func createThread(_ draft: ThreadDraft, receipt: Receipt?) async throws(ChatError) -> Outcome
    func rename(_ thread: String, to name: String?, ifMatch version: Int64?) async throws(ChatError) -> Outcome
    func archive(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome
    /// Ends a live chat's contact (CXone `EndContact`); one that has ended is left alone.
    func endContact(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome
    /// Answers an inactivity popup. Throws `illegalThreadState` when none is shown.
    func answerInactivity(_ answer: InactivityAnswer, in thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome
    func markRead(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome
    func reportTyping(_ isTyping: Bool, in thread: String) async throws(ChatError)
    func setCustomFields(_ fields: [String: String], of thread: String) async throws(ChatError) -> [String: String]
    /// Has the platform mail what was said.
    func sendTranscript(of thread: String, to address: String) async throws(ChatError)

    /// Has the platform run one of its triggers (CXone `ExecuteTrigger`); nobody hears what comes of it.
    func executeTrigger(_ id: String) async throws(ChatError)

    /// Makes a file an attachment that a message of this account may carry.
    func attach(_ upload: FileUpload, receipt: Receipt?) async throws(ChatError) -> Outcome

    func send(_ draft: MessageDraft, to thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome
    func edit(_ message: String, in thread: String, text: String, ifMatch version: Int64?) async throws(ChatError) -> Outcome
    func remove(_ message: String, in thread: String, ifMatch version: Int64?) async throws(ChatError)

    /// Accepts an invitation.
    func join(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome
    func leave(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome
    /// Takes the thread out of the account's sight until its next message, or back into it.
    func setHidden(_ isHidden: Bool, _ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome
    /// Hides what was said up to now from the account.
    func resetHistory(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome

    func setCustomer(_ draft: CustomerDraft) async throws(ChatError) -> Customer
    func setCustomerCustomFields(_ fields: [String: String]) async throws(ChatError) -> [String: String]

    /// History, changes and sending; nil for the embedded service, which has everything and does it at once.
    var platform: (any RemotePlatform)? { get }

    /// Ends the connection; `onLoss` is not called for it.
    func close() async
}

/// What not every platform has: refused, unless an adapter does better.
extension ServiceConnection {
    public var platform: (any RemotePlatform)? { nil }
    public func attach(_ upload: FileUpload, receipt: Receipt?) async throws(ChatError) -> Outcome { throw .unsupported(.attachments) }
    public func sendTranscript(of thread: String, to address: String) async throws(ChatError) { throw .unsupported(.transcript) }
    public func executeTrigger(_ id: String) async throws(ChatError) { throw .unsupported(.triggers) }
    public func endContact(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome { throw .unsupported(.liveChat) }
    public func answerInactivity(_ answer: InactivityAnswer, in thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        throw .unsupported(.liveChat)
    }
    public func join(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome { throw .unsupported(.members) }
    public func leave(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome { throw .unsupported(.members) }
    public func setHidden(_ isHidden: Bool, _ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        throw .unsupported(.members)
    }
    public func resetHistory(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome { throw .unsupported(.historyReset) }
}

/// What a customer says to an inactivity popup (the SDK's `refreshSession`, `expireSession`).
public enum InactivityAnswer: String, Sendable, CaseIterable {
    case refresh, expire
}

extension ChatError {
    fileprivate static func unsupported(_ capability: Capability) -> ChatError {
        ChatError(.unsupportedCapability, "The service has no capability \(capability.rawValue).")
    }
}
