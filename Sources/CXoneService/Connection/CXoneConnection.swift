import Chat
import ChatModel
import ChatStore
import CXoneWire

/// A session's connection to the platform. It writes pushes and answers into the store, one after the other, in
/// the order in which they come.
///
/// It is put together of parts, each with its own state: opening (``PlatformTokens``), receiving (``PushReceiver``),
/// sending (``MessageSender``, ``FileSender``), reading (``ThreadRecovery``, ``ThreadListReader``,
/// ``HistoryReader``), and what the customer does
/// (``ThreadActions``, ``CustomerData``). They share the ``ConnectedAccount``.
///
/// Its methods may be called from any task. What the platform sends is handled by the one worker of ``PlatformLink``.
final class CXoneConnection: ServiceConnection {
    let account: ConnectedAccount
    private let tokens: PlatformTokens
    private let typing: PlatformTyping
    private let history: HistoryReader
    private let recovery: ThreadRecovery
    private let list: ThreadListReader
    private let sender: MessageSender
    let receiver: PushReceiver
    private let actions: ThreadActions
    private let customer: CustomerData

    private init(_ account: ConnectedAccount) {
        self.account = account
        tokens = PlatformTokens(account: account)
        typing = PlatformTyping(account)
        history = HistoryReader(account)
        recovery = ThreadRecovery(account, history: history)
        list = ThreadListReader(account, recovery: recovery)
        sender = MessageSender(account, tokens: tokens, typing: typing)
        receiver = PushReceiver(account, sender: sender, typing: typing, recovery: recovery)
        actions = ThreadActions(account: account, sender: sender, receiver: receiver, names: recovery.names)
        customer = CustomerData(account: account)
    }

    // MARK: Its beginning and its end

    /// Gets a token if the channel needs one, opens the socket and authorizes: the SDK's `connect`, up to the
    /// point where the customer is known. Threads are not read yet.
    ///
    /// Throws `serverError` when the socket does not open, `missingParameter` and `invalidParameter` for a login
    /// that is missing or refused, `transactionTokenExpired`, and what the token service's calls throw.
    ///
    /// - Parameter onLoss: called at most once, when the open connection ends without ``close()``.
    static func open(
        service: CXoneService, account record: AccountRecord, channel: Channel,
        configuration: WireChannelConfiguration, address: PlatformAddress, onLoss: @escaping @Sendable () -> Void
    ) async throws(ChatError) -> CXoneConnection {
        let account = ConnectedAccount(
            service: service, record: record, channel: channel, configuration: configuration, address: address,
            known: try await service.vault.state(of: record))
        let connection = CXoneConnection(account)
        let socket = try await connection.tokens.openSocket()
        let link = PlatformLink(
            socket: socket, clock: service.clock, makeID: service.store.environment.makeID,
            handlers: connection.handlers(onLoss: onLoss), envelope: account.envelope)
        account.open(link)
        link.start()
        do throws(ChatError) {
            if !configuration.usesSecuredSessions { try await connection.tokens.authorize() }
        } catch {
            await link.close()
            throw error
        }
        return connection
    }

    /// The link holds these closures and the connection holds the link, hence the weak references.
    private func handlers(onLoss: @escaping @Sendable () -> Void) -> PlatformLink.Handlers {
        PlatformLink.Handlers(
            push: { [weak self] push in await self?.receiver.handle(push) },
            error: { [weak self] error in self?.account.publish(error) },
            fetch: { [http = account.service.http, address = account.address] url throws(ChatError) in
                try await http.largeEvent(at: url, of: address)
            },
            notice: account.service.notice,
            loss: { [weak self] in
                self?.release()
                onLoss()
            })
    }

    /// No push will come any more. Waiting sends fail with `notConnected`; waiting closings succeed, because their
    /// caller answers with the thread as it is. May be called twice.
    private func release() {
        account.service.ownNames.lose(of: account.number, by: ObjectIdentifier(account))
        typing.endAll()
        sender.endAll(ChatError(.notConnected, "The connection to the platform was lost."))
        receiver.endAll()
    }

    /// Closes the socket and fails everything that waits. `onLoss` is not called. May be called more than once.
    func close() async {
        await typing.endOwn()
        await (try? account.link)?.close()
        release()
    }

    // MARK: Threads

    func recoverThread() async throws(ChatError) -> Int { try await list.recoverThread() }
    func loadThreads() async throws(ChatError) -> Int { try await list.loadThreads() }
    func load(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await recovery.load(thread, receipt: receipt)
    }
    func createThread(_ draft: ThreadDraft, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await actions.createThread(draft, receipt: receipt)
    }
    func rename(_ thread: String, to name: String?, ifMatch version: Int64?) async throws(ChatError) -> Outcome {
        try await actions.rename(thread, to: name, ifMatch: version)
    }
    func archive(_ thread: String, ifMatch version: Int64?, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await actions.archive(thread, ifMatch: version, receipt: receipt)
    }
    func endContact(_ thread: String, ifMatch version: Int64?, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await actions.endContact(thread, ifMatch: version, receipt: receipt)
    }
    func answerInactivity(
        _ answer: InactivityAnswer, in thread: String, receipt: Receipt?
    ) async throws(ChatError) -> Outcome {
        try await actions.answerInactivity(answer, in: thread, receipt: receipt)
    }
    func markRead(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await actions.markRead(thread, receipt: receipt)
    }
    func sendTranscript(of thread: String, to address: String) async throws(ChatError) {
        try await actions.sendTranscript(of: thread, to: address)
    }
    func reportTyping(_ isTyping: Bool, text: String?, in thread: String) async throws(ChatError) {
        try await typing.reportTyping(isTyping, text: text, in: thread)
    }
    func executeTrigger(_ id: String) async throws(ChatError) { try await actions.executeTrigger(id) }
    /// See ``ThreadActions/leave(_:)``.
    func leave(_ message: OfflineMessage) async throws(ChatError) { try await actions.leave(message) }

    /// Stores an upload on the disk. The platform hears nothing of it before the message is sent.
    func attach(_ upload: FileUpload, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await upload.store(in: account.store, of: .account(account.number), receipt: receipt)
    }

    // MARK: The customer

    func setCustomFields(
        _ fields: [String: String], of thread: String, ifMatch version: Int64?
    ) async throws(ChatError) -> [String: String] {
        try await customer.setCustomFields(fields, of: thread, ifMatch: version)
    }
    func setCustomer(_ draft: CustomerDraft, ifMatch version: Int64?) async throws(ChatError) -> Customer {
        try await customer.setCustomer(draft, ifMatch: version)
    }
    func setCustomerCustomFields(
        _ fields: [String: String], ifMatch version: Int64?
    ) async throws(ChatError) -> [String: String] {
        try await customer.setCustomerCustomFields(fields, ifMatch: version)
    }
}

/// What the account's synchronization and its outbox ask for.
extension CXoneConnection: RemotePlatform {
    var platform: (any RemotePlatform)? { self }

    func messages(of thread: String, _ query: HistoryQuery) async throws(ChatError) -> HistoryPage {
        try await history.messages(of: thread, query)
    }
    func message(sentAs requestID: String, in thread: String) async throws(ChatError) -> RemoteMessage? {
        try await history.message(sentAs: requestID, in: thread)
    }
    func threads(after token: String?) async throws(ChatError) -> ThreadPage { try await list.threads(after: token) }
    func send(_ outgoing: OutgoingMessage, _ progress: SendProgress) async throws(ChatError) -> SentMessage {
        try await sender.send(outgoing, progress)
    }

    /// Always empty: the platform has no log of changes. Changes come as pushes only.
    func messageChanges(of thread: String, since position: ChangePosition) async throws(ChatError) -> MessageChanges {
        MessageChanges(updated: [], removed: [], position: position, hasMore: false)
    }
    /// Always empty: the platform has no log of changes.
    func threadChanges(since token: String) async throws(ChatError) -> ThreadChanges {
        ThreadChanges(updated: [], removed: [], token: token, hasMore: false)
    }
}
