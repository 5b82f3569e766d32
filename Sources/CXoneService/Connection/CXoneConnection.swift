import Bounds
import Chat
import ChatModel
import ChatStore
import CXoneWire
import HTTPClientPort
import Synchronization

/// A session's connection to the platform. It writes pushes and answers into the store, one after the other, in
/// the order in which they come.
///
/// Its methods may be called from any task. What the platform sends is handled by the one worker of
/// ``PlatformLink``, so the state behind the mutex is all that tasks share.
final class CXoneConnection: ServiceConnection {
    let service: CXoneService
    /// The account when the connection was opened. Its names and fields may be out of date: see ``current``.
    let account: AccountRecord
    let channel: Channel
    let configuration: WireChannelConfiguration
    let address: PlatformAddress
    /// Nil only while the connection is being opened. A lost link stays here; its requests throw `notConnected`.
    private let opened = Mutex<PlatformLink?>(nil)

    /// The end of a send: the pushed message, or why there is none; nil if the send was acknowledged and no push came
    /// in time.
    typealias Delivery = Answer<Result<SentMessage?, ChatError>>

    struct State {
        /// The identity in the envelope of each frame. A login may replace the id.
        var customer: WireCustomer
        var visitorID: String
        /// The newest page of a thread, read on connecting and not used yet. The first question for the thread's
        /// history takes it instead of asking the platform again. By thread.
        var freshPages = RecentlyUsed<String, ScrollPage>(limit: Self.freshLimit)

        /// The most entries of `freshPages`. The history of a thread whose page made room is read from the platform.
        static let freshLimit = 16

        /// Keeps a thread's newest page for the first question. A great one is read once more.
        mutating func keep(_ page: ScrollPage, of thread: String) {
            if page.byteCount <= ByteBound.freshPage.bytes { freshPages[thread] = page }
        }

        /// The list of threads was read on connecting. The synchronization's first question for it is then
        /// answered without asking the platform twice.
        var hasFreshList = false
        /// Places in the queue of contacts that belong to no known thread yet, by the contact's id. They are
        /// applied when the contact's thread becomes known. A contact may stay unknown: at most 16 are kept.
        var queuePositions = RecentlyUsed<String, Int>(limit: 16)
        /// Sends that wait for the push of their message, by the message's id.
        var deliveries: [String: Delivery] = [:]
        /// Calls of `endContact` that wait for the push that closes the thread, by thread.
        var closings: [String: [Answer<Void>]] = [:]
        /// Threads that a push named, that the store lacks, and that are being read now. Prevents a second read of
        /// the same thread.
        var discoveries: Set<String> = []
        /// Messages whose text is being read.
        var streams: Set<String> = []
    }
    let state: Mutex<State>

    /// Who types: the customer as the platform was told, agents as the sessions were told.
    enum Typist: Hashable, Sendable {
        case customer
        case agent(String)
    }
    /// The reports of agents are there to be ended.
    let typing = Mutex(TypingBook<String, Typist, TypingEvent?>(limit: 100, limitOfOne: 100))

    private init(
        service: CXoneService, account: AccountRecord, channel: Channel, configuration: WireChannelConfiguration,
        address: PlatformAddress, known: AccountState
    ) {
        self.service = service
        self.account = account
        self.channel = channel
        self.configuration = configuration
        self.address = address
        state = Mutex(
            State(
                customer: WireCustomer(account.customer, id: known.customerID), visitorID: known.visitorID))
    }

    var store: ChatStore { service.store }
    var mode: ChatMode { channel.mode }

    /// Gets a token if the channel needs one, opens the socket and authorizes: the SDK's `connect`, up to the
    /// point where the customer is known. Threads are not read yet.
    ///
    /// Throws `serverError` when the socket does not open, `missingParameter` and `invalidParameter` for a login
    /// that is missing or refused, `transactionTokenExpired`, and what the token service's calls throw.
    ///
    /// - Parameter onLoss: called at most once, when the open connection ends without ``close()``.
    static func open(
        service: CXoneService, account: AccountRecord, channel: Channel, configuration: WireChannelConfiguration,
        address: PlatformAddress, onLoss: @escaping @Sendable () -> Void
    ) async throws(ChatError) -> CXoneConnection {
        let known = try await service.vault.state(of: account)
        let connection = CXoneConnection(
            service: service, account: account, channel: channel, configuration: configuration, address: address,
            known: known)
        let socket = try await connection.openSocket()
        let link = PlatformLink(
            socket: socket, clock: service.clock, makeID: service.store.environment.makeID,
            handlers: connection.handlers(onLoss: onLoss), envelope: connection.envelope)
        connection.opened.withLock { $0 = link }
        link.start()
        do throws(ChatError) {
            if !configuration.usesSecuredSessions { try await connection.authorize() }
        } catch {
            await link.close()
            throw error
        }
        return connection
    }

    private func openSocket() async throws(ChatError) -> any Socket {
        guard configuration.usesSecuredSessions else { return try await openSocket(token: nil) }
        let (token, isFresh) = try await transactionToken()
        do throws(ChatError) {
            return try await openSocket(token: token)
        } catch {
            // The platform may refuse a stored token before it expires: one new token is tried. A customer who
            // logged in has no way to get one without another login.
            guard !isFresh, configuration.authentication != .thirdPartyOAuth else { throw error }
            try await service.vault.update(account) { $0.transactionToken = nil }
            return try await openSocket(token: try await transactionToken().token)
        }
    }

    /// Opens the socket once. The transaction token stands in the URL's query (`SocketQuery`), so the URL must
    /// not be logged.
    private func openSocket(token: String?) async throws(ChatError) -> any Socket {
        let query = SocketQuery(
            brandID: address.brandID, channelID: address.channelID, visitorID: state.withLock { $0.visitorID },
            sdkPlatform: PlatformHTTP.sdkPlatform, sdkVersion: PlatformHTTP.sdkVersion, transactionToken: token)
        do {
            return try await service.sockets.open("\(address.socket)?\(query.query)")
        } catch let refusal as AddressRefusal {
            throw ChatError(.serverError, refusal.detail)
        } catch {
            throw ChatError(.serverError, "The platform's socket could not be opened.")
        }
    }

    /// Builds the frame of an event with the identity as it is at that moment. It must not keep the connection
    /// alive: the link holds it.
    private var envelope: @Sendable (String, ClientEvent) -> ClientRequest {
        { [address, pages = service.pages, number = account.number, weak self] id, event in
            let (customer, visitor) = self?.state.withLock { ($0.customer, $0.visitorID) } ?? (WireCustomer(id: ""), "")
            // Only triggers name the run of the app.
            var destination: String?
            if case .executeTrigger = event { destination = pages.destination(of: number) }
            return ClientRequest(
                eventID: id, brandID: address.brandID, channelID: address.channelID, customer: customer,
                visitorID: visitor,
                destinationID: destination, event: event)
        }
    }

    /// The link holds these closures and the connection holds the link, hence the weak references.
    private func handlers(onLoss: @escaping @Sendable () -> Void) -> PlatformLink.Handlers {
        PlatformLink.Handlers(
            push: { [weak self] push in await self?.take(push) },
            error: { [weak self] error in self?.publish(error) },
            fetch: { [http = service.http, address] url throws(ChatError) in
                try await http.largeEvent(at: url, of: address)
            },
            notice: service.notice,
            loss: { [weak self] in
                self?.release()
                onLoss()
            })
    }

    /// No push will come any more. Waiting sends fail with `notConnected`; waiting closings succeed, because their
    /// caller answers with the thread as it is. May be called twice.
    private func release() {
        let (deliveries, closings) = state.withLock { state in
            defer { (state.deliveries, state.closings) = ([:], [:]) }
            return (Array(state.deliveries.values), state.closings.values.flatMap { $0 })
        }
        service.ownNames.lose(of: account.number, by: ObjectIdentifier(self))
        tellEnd(of: typing.withLock { $0.endAll(of: 0) })
        let lost = ChatError(.notConnected, "The connection to the platform was lost.")
        for delivery in deliveries { delivery.give(.failure(lost)) }
        for closing in closings { closing.give(()) }
    }

    /// The open link. Throws `notConnected` before
    /// ``open(service:account:channel:configuration:address:onLoss:)`` has made one.
    var link: PlatformLink {
        get throws(ChatError) {
            guard let link = opened.withLock({ $0 }) else {
                throw ChatError(.notConnected, "The connection is not open yet.")
            }
            return link
        }
    }

    /// Who reads messages: decides their authors, and which of them are hidden. Read it once for each page or
    /// push.
    var reader: MessageReader {
        get async { MessageReader(account: await current, customerID: state.withLock { $0.customer.id }, mode: mode) }
    }

    /// The account as it is in the store now. If it cannot be read, the one from when the connection was opened.
    var current: AccountRecord {
        get async { (try? await store.read { [number = account.number] in try $0.account(number) }) ?? account }
    }

    /// Closes the socket and fails everything that waits. `onLoss` is not called. May be called more than once.
    func close() async {
        await endOwnTyping()
        await (try? link)?.close()
        release()
    }

    /// Tells the account's sessions about an error that answers none of their requests (the SDK's `onError`). It
    /// is told live only, and not logged as an event.
    func publish(_ error: ChatError) {
        store.feed.publish(ErrorEvent(error), to: [.account(account.number)])
    }

    // MARK: What the platform does not have

    /// Always throws `unsupportedCapability`: the platform's customers cannot edit.
    func edit(
        _ message: String, in thread: String, text: String, ifMatch version: Int64?
    ) async throws(ChatError) -> Outcome {
        throw Self.unsupported(.editMessages)
    }

    /// Always throws `unsupportedCapability`: the platform's customers cannot delete.
    func remove(_ message: String, in thread: String, ifMatch version: Int64?) async throws(ChatError) {
        throw Self.unsupported(.deleteMessages)
    }

    /// Always throws: messages to a remote service go through the account's outbox, which calls the `send(_:to:)`
    /// of `RemotePlatform`.
    func send(_ draft: MessageDraft, to thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        throw Self.unsupported(.threads)
    }

    /// The error for what the platform's protocol does not offer.
    static func unsupported(_ capability: Capability) -> ChatError {
        ChatError(.unsupportedCapability, "NICE CXone has no capability \(capability.rawValue).")
    }
}
