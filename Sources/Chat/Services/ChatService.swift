import ChatModel
import ChatStore

/// A chat platform as Parley sees it. Each adapter implements this protocol.
///
/// An adapter writes what its platform says into the store. Each unit of work also writes the events that tell of the
/// change. A call answers once its change is committed. An adapter never calls the layers above it: they read the log.
/// Every call may come from any task.
public protocol ChatService: Sendable {
    /// The service's id in the API and in the store: `local`, `cxone`, `sendbird`. It must not change between versions.
    var id: String { get }
    /// For people.
    var name: String { get }
    /// What the service can do at all. A channel may have fewer.
    var capabilities: Set<Capability> { get }
    /// Whether the platform is elsewhere. If so, the store's rows are a cache of the platform's, and connections offer
    /// a ``RemotePlatform``.
    var isRemote: Bool { get }

    /// The channels that are known without asking the platform.
    func channels() async throws(ChatError) -> [Channel]

    /// The configuration of one channel (the SDK's `getChannelConfiguration`). Throws `unknownChannel`.
    func channel(_ id: String) async throws(ChatError) -> Channel

    /// The configuration of one channel, if the service has read it so lately that a new session may begin with it; nil
    /// if it must be asked for.
    func recentChannel(_ id: String) -> Channel?

    /// Makes a channel known by its address, and returns the id under which it is used from now on. Throws
    /// `invalidParameter` for a service that is not remote.
    func channel(at address: ChannelAddress) async throws(ChatError) -> String

    /// Whether the service has channels whose customers log in, so that ``authorize(_:by:)`` may be called.
    var takesAuthorization: Bool { get }

    /// Takes the result of a customer's login. The next connection of the account uses it, and it is gone then.
    func authorize(_ account: AccountRecord, by authorization: Authorization) async throws(ChatError)

    /// Does what must come before an account's first connection is used: the last part of the SDK's `prepare`. Called
    /// again with each preparation. ``connect(_:channel:onLoss:)`` may be called before this has returned.
    func prepare(_ account: AccountRecord, channel: Channel) async throws(ChatError)

    /// Writes a file that the platform stores to the disk, as it arrives.
    ///
    /// Throws `serverError`, `eventTimeout` when the file arrives too slowly, `storageFailed`, `storageFull`.
    ///
    /// - Parameters:
    ///   - url: as an event of the platform names it. Strangers may have chosen it.
    ///   - channel: the service's id of the channel whose event it was.
    ///   - limit: how many bytes the file may have.
    func fetch(
        _ url: String, of channel: String, into file: StagedFile, limit: Int
    ) async throws(ChatError) -> FetchedFile

    /// Reports to the platform's analytics what a customer does. Throws `missingVisitId` before the first page view,
    /// `serverError`.
    func record(_ activity: VisitorActivity, of account: AccountRecord) async throws(ChatError)

    /// What the channel's customers may choose from at any time. Throws `serverError`, `eventTimeout` where the
    /// platform does not tell it.
    func menu(of channel: String) async throws(ChatError) -> [MenuItem]

    /// Leaves a message for agents who are away. The account needs no connection. Throws `serverError`, `eventTimeout`.
    func leave(_ message: OfflineMessage, of account: AccountRecord, channel: Channel) async throws(ChatError)

    /// Whether the platform itself pushes to apps, once it is told of their devices.
    var pushesToApps: Bool { get }

    /// Tells the platform to which device of the account it is to push
    /// (``ChatStore/ReadTransaction/deviceForPlatform(of:)``), or that there is none any more. Does nothing where the
    /// platform was told the same before. Throws `serverError`, `eventTimeout`.
    func tellDevice(of account: AccountRecord) async throws(ChatError)

    /// No session uses the account any more: the adapter drops what it has in memory for it. Stored rows stay.
    func forget(account: Int64)

    /// Removes the account's threads, and all that the adapter keeps of the account beside the store: tokens of the
    /// platform. The account has no sessions any more. Called again where a call was cut off. What the platform itself
    /// has stays there.
    func erase(_ account: AccountRecord) async throws(ChatError)

    /// Moves the conversations of an anonymous customer to the account of the one that they turned out to be, in the
    /// caller's unit, and saves both accounts. Throws `otherIdentity` for a customer who is known already, and where
    /// nobody begins anonymously.
    func join(
        _ former: AccountRecord, to account: inout AccountRecord, in transaction: WriteTransaction
    ) throws -> Joining

    /// Whether the channel takes connections now. A live chat may be outside its hours. Throws when the platform cannot
    /// say.
    func isOnline(_ account: AccountRecord) async throws(ChatError) -> Bool

    /// Whether the channel's customers are answered now; nil where the service does not know.
    func opening(of channel: Channel) -> Opening?

    /// Opens a connection for an account and authorises it.
    ///
    /// - Parameter onLoss: called at most once, on any thread, when the connection is gone although
    ///   ``ServiceConnection/close()`` was not called. It may be called before this function returns.
    func connect(
        _ account: AccountRecord, channel: Channel, onLoss: @escaping @Sendable () -> Void
    ) async throws(ChatError) -> any ServiceConnection
}

extension ChatService {
    public var isRemote: Bool { false }
    public func recentChannel(_ id: String) -> Channel? { nil }
    public func channel(at address: ChannelAddress) async throws(ChatError) -> String {
        throw ChatError(
            .invalidParameter, "A channel of the service \(id) is given as channel, not by brandId and channelId.",
            pointer: "/brandId")
    }
    public var takesAuthorization: Bool { false }
    public func authorize(_ account: AccountRecord, by authorization: Authorization) async throws(ChatError) {}
    public func prepare(_ account: AccountRecord, channel: Channel) async throws(ChatError) {}
    public var pushesToApps: Bool { false }
    public func tellDevice(of account: AccountRecord) async throws(ChatError) {}
    public func forget(account: Int64) {}
    public func opening(of channel: Channel) -> Opening? { nil }
    public func join(
        _ former: AccountRecord, to account: inout AccountRecord, in transaction: WriteTransaction
    ) throws -> Joining {
        throw ChatError(.otherIdentity, "The customers of the service \(id) are who they are.")
    }
    public func erase(_ account: AccountRecord) async throws(ChatError) {}
    public func record(_ activity: VisitorActivity, of account: AccountRecord) async throws(ChatError) {
        throw .unsupported(.analytics)
    }
    public func menu(of channel: String) async throws(ChatError) -> [MenuItem] { throw .unsupported(.menu) }
    public func leave(
        _ message: OfflineMessage, of account: AccountRecord, channel: Channel
    ) async throws(ChatError) {
        throw .unsupported(.offlineMessages)
    }
    public func fetch(
        _ url: String, of channel: String, into file: StagedFile, limit: Int
    ) async throws(ChatError) -> FetchedFile {
        throw ChatError(.serverError, "The service \(id) has no files to fetch.")
    }
}

/// One session's open connection to its service. Calls may come from several tasks at once.
///
/// An operation that changes something takes a receipt or a version. The receipt is stored with the change, so that a
/// repeated request finds its first outcome. With `ifMatch` an operation throws `preconditionFailed` when the row has
/// another version.
public protocol ServiceConnection: Sendable {
    /// Reads the single thread, or the open live chat, from the service again. Returns how many threads there are. A
    /// live chat may have none: it begins when its customer starts it.
    ///
    /// Throws `recoveringThreadFailed` where a thread should exist and does not.
    func recoverThread() async throws(ChatError) -> Int

    /// Reads the list of the account's threads, with their metadata. Returns how many there are.
    func loadThreads() async throws(ChatError) -> Int

    /// Reads one thread from the service again (the SDK's `threads.load(with:)`).
    func load(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome

    /// Makes a thread in the state `pending`: the desk sees it from its first message on. A live chat is seen at once.
    func createThread(_ draft: ThreadDraft, receipt: Receipt?) async throws(ChatError) -> Outcome
    /// Names the thread; nil removes the name.
    func rename(_ thread: String, to name: String?, ifMatch version: Int64?) async throws(ChatError) -> Outcome
    /// Closes the thread; it stays listed.
    func archive(_ thread: String, ifMatch version: Int64?, receipt: Receipt?) async throws(ChatError) -> Outcome
    /// Ends a live chat's contact (CXone `EndContact`). Does nothing to one that has ended.
    func endContact(_ thread: String, ifMatch version: Int64?, receipt: Receipt?) async throws(ChatError) -> Outcome
    /// Rates the contact that has ended; nil withdraws the rating. Throws `unsupportedChannelConfig` where the channel does not
    /// ask, and `illegalThreadState` for a conversation that goes on, or that has ended long ago.
    func rate(_ thread: String, _ score: Int?, comment: String?) async throws(ChatError) -> Outcome
    /// Answers an inactivity popup (the SDK's `ProactiveActionProvider.trigger`): the chat goes on, or ends. Throws `illegalThreadState` when none is shown.
    func answerInactivity(
        _ answer: InactivityAnswer, in thread: String, receipt: Receipt?
    ) async throws(ChatError) -> Outcome
    /// Marks all messages up to now as read by the customer. Does nothing to a pending or closed thread.
    func markRead(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome
    /// Tells the agent that the customer types, or has stopped. Nothing is stored. The service tells the end without a call
    /// too: after a message, with the close of the thread, and when the connection closes. Throws `illegalThreadState` for
    /// the beginning in a closed thread.
    ///
    /// - Parameter text: what stands in the field meanwhile, for the agent to read ahead; nil: it is not told.
    func reportTyping(_ isTyping: Bool, text: String?, in thread: String) async throws(ChatError)
    /// Merges fields into the thread's; empty values are ignored. Returns all fields of the thread after that.
    ///
    /// - Parameter version: of the fields (``ContentVersion``).
    func setCustomFields(
        _ fields: [String: String], of thread: String, ifMatch version: Int64?
    ) async throws(ChatError) -> [String: String]
    /// Asks the platform to mail the thread's transcript. Throws `illegalThreadState` before the first message,
    /// `invalidParameter` for a text that is no e-mail address, `sendTranscriptFailed`.
    func sendTranscript(of thread: String, to address: String) async throws(ChatError)

    /// Asks the platform to run one of its triggers (CXone `ExecuteTrigger`). The platform does not report the result.
    func executeTrigger(_ id: String) async throws(ChatError)

    /// Makes a file an attachment, which a later message of this account may carry.
    func attach(_ upload: FileUpload, receipt: Receipt?) async throws(ChatError) -> Outcome

    /// Stores a message. Not called for a remote service, whose messages go through the account's ``Outbox``.
    func send(_ draft: MessageDraft, to thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome
    /// Changes the text of an own message. Throws `unknownMessage`, `notAuthor`.
    func edit(
        _ message: String, in thread: String, text: String, ifMatch version: Int64?
    ) async throws(ChatError) -> Outcome
    /// Removes an own message. Throws `unknownMessage`, `notAuthor`.
    func remove(_ message: String, in thread: String, ifMatch version: Int64?) async throws(ChatError)

    /// Accepts an invitation.
    func join(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome
    /// Leaves the thread. No later event of it reaches the account.
    func leave(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome
    /// Hides the thread from the account until the thread's next message, or shows it again.
    func setHidden(_ isHidden: Bool, _ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome
    /// Hides all messages up to now from this account. Others keep them (Sendbird's `resetMyHistory`).
    func resetHistory(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome

    /// Sets the customer's names; nil removes a name. Returns the customer after that.
    ///
    /// - Parameter version: of the customer (``ContentVersion``).
    func setCustomer(_ draft: CustomerDraft, ifMatch version: Int64?) async throws(ChatError) -> Customer
    /// Merges fields into the customer's; empty values are ignored. Returns all fields of the customer after that.
    ///
    /// - Parameter version: of the fields (``ContentVersion``).
    func setCustomerCustomFields(
        _ fields: [String: String], ifMatch version: Int64?
    ) async throws(ChatError) -> [String: String]

    /// The platform's history, changes and sending. Nil for the embedded service: the store has all its messages, and
    /// sending needs no waiting.
    var platform: (any RemotePlatform)? { get }

    /// Ends the connection; `onLoss` is not called for it.
    func close() async
}

/// Operations that not every platform has. By default they throw `unsupportedCapability`.
extension ServiceConnection {
    public var platform: (any RemotePlatform)? { nil }
    public func reportTyping(_ isTyping: Bool, in thread: String) async throws(ChatError) {
        try await reportTyping(isTyping, text: nil, in: thread)
    }
    public func attach(_ upload: FileUpload, receipt: Receipt?) async throws(ChatError) -> Outcome {
        throw .unsupported(.attachments)
    }
    public func send(_ draft: MessageDraft, to thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        throw .unsupported(.threads)
    }
    public func edit(
        _ message: String, in thread: String, text: String, ifMatch version: Int64?
    ) async throws(ChatError) -> Outcome {
        throw .unsupported(.editMessages)
    }
    public func remove(_ message: String, in thread: String, ifMatch version: Int64?) async throws(ChatError) {
        throw .unsupported(.deleteMessages)
    }
    public func sendTranscript(of thread: String, to address: String) async throws(ChatError) {
        throw .unsupported(.transcript)
    }
    public func executeTrigger(_ id: String) async throws(ChatError) { throw .unsupported(.triggers) }
    public func endContact(
        _ thread: String, ifMatch version: Int64?, receipt: Receipt?
    ) async throws(ChatError) -> Outcome {
        throw .unsupported(.liveChat)
    }
    public func answerInactivity(
        _ answer: InactivityAnswer, in thread: String, receipt: Receipt?
    ) async throws(ChatError) -> Outcome {
        throw .unsupported(.liveChat)
    }
    public func rate(_ thread: String, _ score: Int?, comment: String?) async throws(ChatError) -> Outcome {
        throw ChatError(.unsupportedChannelConfig, "The channel asks for no rating.")
    }
    public func join(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        throw .unsupported(.members)
    }
    public func leave(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        throw .unsupported(.members)
    }
    public func setHidden(_ isHidden: Bool, _ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        throw .unsupported(.members)
    }
    public func resetHistory(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        throw .unsupported(.historyReset)
    }
}

/// The same without a condition.
extension ServiceConnection {
    public func archive(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await archive(thread, ifMatch: nil, receipt: receipt)
    }
    public func endContact(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await endContact(thread, ifMatch: nil, receipt: receipt)
    }
    public func setCustomFields(
        _ fields: [String: String], of thread: String
    ) async throws(ChatError) -> [String: String] {
        try await setCustomFields(fields, of: thread, ifMatch: nil)
    }
    public func setCustomer(_ draft: CustomerDraft) async throws(ChatError) -> Customer {
        try await setCustomer(draft, ifMatch: nil)
    }
    public func setCustomerCustomFields(_ fields: [String: String]) async throws(ChatError) -> [String: String] {
        try await setCustomerCustomFields(fields, ifMatch: nil)
    }
}

/// A customer's answer to an inactivity popup (the SDK's `refreshSession`, `expireSession`): the chat goes on, or ends.
public enum InactivityAnswer: String, Sendable, CaseIterable {
    case refresh, expire
}

extension ChatError {
    fileprivate static func unsupported(_ capability: Capability) -> ChatError {
        ChatError(.unsupportedCapability, "The service has no capability \(capability.rawValue).")
    }
}

/// Where a channel of a remote service is found, as a client says it. Used for channels that the configuration does not
/// name.
public struct ChannelAddress: Sendable, Hashable {
    /// The name of one of the platform's regions; nil where ``urls`` name the hosts.
    public var environment: String?
    /// Base URLs by purpose: `chat`, `socket`, `token`, `logger`. Empty where a region is named.
    public var urls: [String: String]
    public var brandID: Int
    public var channelID: String

    public init(environment: String?, urls: [String: String] = [:], brandID: Int, channelID: String) {
        self.environment = environment
        self.urls = urls
        self.brandID = brandID
        self.channelID = channelID
    }
}

/// What a customer received from a login page: an OAuth 2.0 authorization code, valid for one connection (the SDK's
/// `setAuthorizationCode`, `setCodeVerifier`).
public struct Authorization: Sendable, Hashable {
    public var code: String
    /// The PKCE verifier (RFC 7636), where the login used one.
    public var codeVerifier: String?

    public init(code: String, codeVerifier: String?) {
        self.code = code
        self.codeVerifier = codeVerifier
    }
}
