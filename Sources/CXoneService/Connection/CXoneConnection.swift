import Chat
import ChatModel
import ChatStore
import CXoneWire
import Synchronization

/// A session's connection to the platform: it writes what the platform says into the store, in the order in which it comes.
final class CXoneConnection: ServiceConnection {
    let service: CXoneService
    let account: AccountRecord
    let channel: Channel
    let configuration: WireChannelConfiguration
    let address: PlatformAddress
    /// Unset only while the connection is being opened.
    private let opened = Mutex<PlatformLink?>(nil)

    struct State {
        /// Who the platform is told that the customer is.
        var customer: WireCustomer
        var visitorID: String
        /// New pages of threads that were read on connecting, until history is asked for; see ``keep(fresh:of:)``.
        var freshPages: [String: ScrollPage] = [:]

        /// Pages that wait at a time; any others are read again.
        static let freshLimit = 16

        mutating func keep(fresh page: ScrollPage, of thread: String) {
            if freshPages.count >= Self.freshLimit, let other = freshPages.keys.first { freshPages[other] = nil }
            freshPages[thread] = page
        }

        /// The list of threads was read on connecting, and not asked for since.
        var hasFreshList = false
        /// Places in the queue whose contact no thread has yet.
        var queuePositions: [String: Int] = [:]
        /// Who waits for the platform to tell of a message; nil: it took it, and tells nothing more.
        var deliveries: [String: Answer<RemoteMessage?>] = [:]
        /// Who waits for a thread to be closed.
        var closings: [String: [Answer<Void>]] = [:]
        /// Threads that only the platform knows, and that are being read.
        var discoveries: Set<String> = []
    }
    let state: Mutex<State>

    private init(
        service: CXoneService, account: AccountRecord, channel: Channel, configuration: WireChannelConfiguration,
        address: PlatformAddress, known: AccountState
    ) {
        self.service = service
        self.account = account
        self.channel = channel
        self.configuration = configuration
        self.address = address
        state = Mutex(State(
            customer: WireCustomer(
                id: known.customerID, firstName: account.customer.firstName, lastName: account.customer.lastName),
            visitorID: known.visitorID))
    }

    var store: ChatStore { service.store }
    var mode: ChatMode { channel.mode }

    /// Gets a token if the channel wants one, opens the socket and authorises (the SDK's `connect`, up to the customer being
    /// known).
    static func open(
        service: CXoneService, account: AccountRecord, channel: Channel, configuration: WireChannelConfiguration,
        address: PlatformAddress, onLoss: @escaping @Sendable () -> Void
    ) async throws(ChatError) -> CXoneConnection {
        let known = try await service.vault.state(of: account)
        let connection = CXoneConnection(
            service: service, account: account, channel: channel, configuration: configuration, address: address, known: known)
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
            // The platform may have forgotten a token before its time; logged-in customers have no other.
            guard !isFresh, configuration.authentication != .thirdPartyOAuth else { throw error }
            try await service.vault.update(account) { $0.transactionToken = nil }
            return try await openSocket(token: try await transactionToken().token)
        }
    }

    private func openSocket(token: String?) async throws(ChatError) -> any Socket {
        let query = SocketQuery(
            brandID: address.brandID, channelID: address.channelID, visitorID: state.withLock { $0.visitorID },
            sdkPlatform: PlatformHTTP.sdkPlatform, sdkVersion: PlatformHTTP.sdkVersion, transactionToken: token)
        do {
            return try await service.sockets.open("\(address.socket)?\(query.query)")
        } catch {
            throw ChatError(.serverError, "The platform's socket could not be opened.")
        }
    }

    private var envelope: @Sendable (String, ClientEvent) -> ClientRequest {
        { [address, pages = service.pages, number = account.number, weak self] id, event in
            let (customer, visitor) = self?.state.withLock { ($0.customer, $0.visitorID) } ?? (WireCustomer(id: ""), "")
            // Only triggers name the run of the app.
            var destination: String?
            if case .executeTrigger = event { destination = pages.destination(of: number) }
            return ClientRequest(
                eventID: id, brandID: address.brandID, channelID: address.channelID, customer: customer, visitorID: visitor,
                destinationID: destination, event: event)
        }
    }

    private func handlers(onLoss: @escaping @Sendable () -> Void) -> PlatformLink.Handlers {
        PlatformLink.Handlers(
            push: { [weak self] push in await self?.take(push) },
            error: { [weak self] error in self?.publish(error) },
            fetch: { [http = service.http] url throws(ChatError) in try await http.largeEvent(at: url) },
            notice: service.notice,
            loss: { [weak self] in
                self?.release()
                onLoss()
            })
    }

    /// Whoever waits for a push waits in vain.
    private func release() {
        let (deliveries, closings) = state.withLock { state in
            defer { (state.deliveries, state.closings) = ([:], [:]) }
            return (Array(state.deliveries.values), state.closings.values.flatMap { $0 })
        }
        service.ownNames.lose(of: account.number, by: ObjectIdentifier(self))
        let lost = ChatError(.notConnected, "The connection to the platform was lost.")
        for delivery in deliveries { delivery.give(.failure(lost)) }
        for closing in closings { closing.give(.success(())) }
    }

    var link: PlatformLink {
        get throws(ChatError) {
            guard let link = opened.withLock({ $0 }) else { throw ChatError(.notConnected, "The connection is not open yet.") }
            return link
        }
    }

    var reader: MessageReader {
        get async { MessageReader(account: await current, customerID: state.withLock { $0.customer.id }, mode: mode) }
    }

    /// The account as it is now: its names may have changed.
    var current: AccountRecord {
        get async { (try? await store.read { [number = account.number] in try $0.account(number) }) ?? account }
    }

    func close() async {
        await (try? link)?.close()
        release()
    }

    /// Tells the account's sessions of an error (the SDK's `onError`).
    func publish(_ error: ChatError) {
        store.feed.publish(ErrorEvent(error), to: [.account(account.number)])
    }

    // MARK: What the platform does not have

    func edit(_ message: String, in thread: String, text: String, ifMatch version: Int64?) async throws(ChatError) -> Outcome {
        throw Self.unsupported(.editMessages)
    }

    func remove(_ message: String, in thread: String, ifMatch version: Int64?) async throws(ChatError) {
        throw Self.unsupported(.deleteMessages)
    }

    /// Remote services send through the account's outbox.
    func send(_ draft: MessageDraft, to thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        throw Self.unsupported(.threads)
    }

    static func unsupported(_ capability: Capability) -> ChatError {
        ChatError(.unsupportedCapability, "NICE CXone has no capability \(capability.rawValue).")
    }
}
