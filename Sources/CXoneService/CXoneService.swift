import Bounds
import Chat
import ChatModel
import ChatStore
import CXoneWire
import Crypto
import Formats
import Foundation
import HTTPClientPort
import Synchronization

/// The adapter to NICE CXone's chat platform: what its mobile SDKs do, over the same protocol.
///
/// A channel's id here names environment, brand and channel (``PlatformAddress/key``); where it is stands in the store,
/// so that sessions reconnect after a restart. Tokens stand where ``TokenPlace`` says.
public final class CXoneService: ChatService {
    /// The service's id in the API, and the key of its channels' addresses in the store. It must not change:
    /// stored accounts and channels refer to it.
    public static let serviceID = "cxone"

    public let id = CXoneService.serviceID
    public let name = "NICE CXone"
    public let isRemote = true
    public let takesAuthorization = true
    /// What some channel of the platform can do. A single channel may have fewer: see the initializer of
    /// `Channel` that takes a configuration.
    public var capabilities: Set<Capability> { Self.capabilities }

    let store: ChatStore
    let clock: any Clock<Duration>
    let sockets: any SocketPort
    let http: PlatformHTTP
    /// Judges the URLs that an opener names for the platform.
    private let check: @Sendable (String) throws(AddressRefusal) -> Void
    /// Tokens and ids of each account, on the disk. They outlive the process.
    let vault: AccountVault
    /// `fieldTimes`, `ownNames`, `histories` and `pages` live in memory only, from an account's first session to
    /// ``forget(account:)``.
    let fieldTimes = FieldTimes()
    let ownNames = OwnNames()
    let histories = ScrollHistories()
    let pages: VisitorPages
    /// Writes a line to the log about something that was ignored. The line holds no message text and no token.
    let notice: @Sendable (String) -> Void

    private struct Configuration {
        var configuration: WireChannelConfiguration
        /// When the platform answered with it; nil if a later attempt to read it failed.
        var readAt: Timestamp?
    }

    private struct Availability {
        var isOnline: Bool
        var askedAt: Timestamp
    }

    private struct Menu {
        var items: [MenuItem]
        var askedAt: Timestamp
    }

    private struct State {
        /// Addresses that a client gave and that the platform has not confirmed yet, by the channel's key. A
        /// confirmed address moves to the store.
        var newAddresses = RecentlyUsed<String, PlatformAddress>(limit: CXoneService.channelLimit)
        /// Stored addresses that were read, by the channel's key.
        var addresses = RecentlyUsed<String, PlatformAddress>(limit: CXoneService.channelLimit)
        /// By the channel's key. They weigh what they have as JSON.
        var configurations = RecentlyUsed<String, Configuration>(limit: ByteBound.configurations.bytes)
        /// Channels whose configuration is being read behind a session that did without.
        var rereading: Set<String> = []
        /// By the channel's key.
        var availabilities = RecentlyUsed<String, Availability>(limit: CXoneService.channelLimit)
        /// By the channel's key.
        var menus = RecentlyUsed<String, Menu>(limit: CXoneService.channelLimit)
        /// By account.
        var authorizations = RecentlyUsed<Int64, Authorization>(limit: CXoneService.authorizationLimit)
        /// Accounts whose device the platform has not taken.
        var untold: Set<Int64> = []
    }
    private let state = Mutex(State())

    /// How long an answer about availability, or a menu, is used without asking again, in milliseconds.
    private static let availabilityLifetime: Int64 = 60_000

    /// How many channels are known at a time. What made room for others is read again when it is needed.
    private static let channelLimit = 1000

    /// How old a configuration may be with which a session begins, and from which age on it is read again behind that
    /// session; in milliseconds.
    private static let configurationLifetime: Int64 = 60_000, configurationRest: Int64 = 1_000

    /// All capabilities of the platform. `WireConversions` removes those that a channel's mode or settings exclude.
    static let capabilities: Set<Capability> = [
        .threads, .rename, .archive, .typing, .readReceipts, .customFields, .attachments, .search, .collections,
        .liveChat,
        .transcript,
        .richMessages, .preChatSurvey, .analytics, .triggers, .menu, .offlineMessages, .typingPreview,
    ]

    /// Makes the service. Nothing is read from the disk or sent to the platform yet.
    ///
    /// - Parameters:
    ///   - tokens: where the accounts' tokens are kept.
    ///   - sockets: opens the WebSockets of connections.
    ///   - http: for the platform's own URLs; each call gets its time limit from ``PlatformHTTP``.
    ///   - foreignHTTP: for URLs of other hosts that events name. It must refuse what a stranger must not reach.
    ///   - check: judges the platform's own URLs when a session names them. Names of hosts are judged again by `sockets`
    ///     and `http`, before each connection.
    ///   - notice: takes a line for the log. It may be called on any thread.
    public init(
        store: ChatStore, clock: any Clock<Duration>, tokens: TokenPlace, sockets: any SocketPort, http: any HTTPPort,
        foreignHTTP: any HTTPPort, check: @escaping @Sendable (String) throws(AddressRefusal) -> Void = { _ in },
        notice: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.store = store
        self.clock = clock
        self.sockets = sockets
        self.http = PlatformHTTP(port: http, foreignPort: foreignHTTP, clock: clock, notice: notice)
        self.notice = notice
        self.check = check
        pages = VisitorPages(makeID: store.environment.makeID)
        vault = AccountVault(tokens.storage(of: store), makeID: store.environment.makeID, notice: notice)
    }

    // MARK: Channels

    /// Checks an address and returns the id of its channel here. The platform is not asked. A new address waits
    /// in memory; it is stored when the platform answers for the channel the first time, so that a mistyped
    /// address leaves nothing in the store. Throws `invalidParameter`, `missingParameter`, `targetNotAllowed`,
    /// `storageFailed`.
    public func channel(at draft: ChannelAddress) async throws(ChatError) -> String {
        let address = try PlatformAddress(draft)
        for (name, url) in address.named {
            do throws(AddressRefusal) {
                try check(url)
            } catch {
                throw ChatError(.targetNotAllowed, error.detail, pointer: "/urls/\(name)")
            }
        }
        if state.withLock({ $0.addresses[address.key] }) == address { return address.key }
        let text = try encode(address)
        guard try await store.read({ try $0.remoteChannel(address.key, of: Self.serviceID) }) != text else {
            remember(address)
            return address.key
        }
        state.withLock { $0.newAddresses[address.key] = address }
        return address.key
    }

    private func remember(_ address: PlatformAddress) { state.withLock { $0.addresses[address.key] = address } }

    /// The stored form: JSON with sorted keys, so that equal addresses have equal texts.
    private func encode(_ address: PlatformAddress) throws(ChatError) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(address) else {
            throw ChatError(.storageFailed, "The channel's address could not be stored.")
        }
        return String(decoding: data, as: UTF8.self)
    }

    /// Where a channel is: a new address from memory, else the stored one. Throws `unknownChannel` where neither
    /// exists.
    func address(of channel: String) async throws(ChatError) -> PlatformAddress {
        if let known = state.withLock({ $0.newAddresses[channel] ?? $0.addresses[channel] }) { return known }
        let text = try await store.read { try $0.remoteChannel(channel, of: Self.serviceID) }
        guard let text, let address = try? JSONDecoder().decode(PlatformAddress.self, from: Data(text.utf8)) else {
            throw ChatError(
                .unknownChannel, "No session has used a channel \(channel) of the service cxone yet.",
                pointer: "/channel")
        }
        remember(address)
        return address
    }

    /// The channels whose configuration was read since the process began, by their ids. A remote service cannot
    /// list all: the platform has no call for that.
    public func channels() throws(ChatError) -> [Channel] {
        state.withLock { state in
            state.configurations.keys.sorted().compactMap { id in
                state.configurations.peek(id).map { Channel($0.configuration, id: id) }
            }
        }
    }

    /// Reads the configuration from the platform, each time anew, and keeps it in memory. Throws
    /// `unknownChannel`, `channelConfigFailure`, `serverError`, `eventTimeout`, `sdkVersionNotSupported`.
    public func channel(_ id: String) async throws(ChatError) -> Channel {
        let (configuration, byteCount): (WireChannelConfiguration, Int)
        do throws(ChatError) {
            (configuration, byteCount) = try await readConfiguration(of: id)
        } catch {
            state.withLock { $0.configurations.change(id) { $0.readAt = nil } }
            throw error
        }
        let now = store.environment.now()
        state.withLock {
            _ = $0.configurations.set(
                Configuration(configuration: configuration, readAt: now), for: id,
                weight: byteCount + ByteBound.configurations.bytes / Self.channelLimit)
        }
        return Channel(configuration, id: id)
    }

    /// The configuration if the platform has told it within a minute. One that is older than a second is read again
    /// in the background, for the next session. If that fails, the next session reads it itself, and fails where it
    /// must.
    public func recentChannel(_ id: String) -> Channel? {
        let now = store.environment.now()
        let (known, rereads) = state.withLock { state -> (WireChannelConfiguration?, Bool) in
            guard let known = state.configurations[id], let readAt = known.readAt, state.newAddresses.peek(id) == nil,
                case let age = now.milliseconds - readAt.milliseconds, (0..<Self.configurationLifetime).contains(age)
            else { return (nil, false) }
            return (known.configuration, age >= Self.configurationRest && state.rereading.insert(id).inserted)
        }
        if rereads {
            Task {
                _ = try? await channel(id)
                state.withLock { _ = $0.rereading.remove(id) }
            }
        }
        return known.map { Channel($0, id: id) }
    }

    /// A success stores a new address. A refusal drops it. A channel that is stored, and that the platform
    /// refuses now, throws `channelConfigFailure` instead of `unknownChannel`, so that its sessions are kept.
    private func readConfiguration(
        of id: String
    ) async throws(ChatError) -> (configuration: WireChannelConfiguration, byteCount: Int) {
        let new = state.withLock { $0.newAddresses[id] }
        do throws(ChatError) {
            let configuration = try await http.configuration(try await address(of: id))
            if let new {
                let text = try encode(new)
                try await store.write { try $0.saveRemoteChannel(id, of: Self.serviceID, address: text) }
                remember(new)
                state.withLock { _ = $0.newAddresses.remove(id) }
            }
            return configuration
        } catch {
            guard error.code == .unknownChannel else { throw error }
            let isStored = try await store.read { try $0.remoteChannel(id, of: Self.serviceID) } != nil
            guard new == nil, isStored else {
                state.withLock { _ = $0.newAddresses.remove(id) }
                throw error
            }
            // The platform knew it before: it may know it again.
            throw ChatError(.channelConfigFailure, error.detail)
        }
    }

    /// The configuration from memory, else from the platform. It may be as old as the process.
    func configuration(of channel: String) async throws(ChatError) -> WireChannelConfiguration {
        if let known = state.withLock({ $0.configurations[channel] }) { return known.configuration }
        _ = try await self.channel(channel)
        guard let read = state.withLock({ $0.configurations[channel] }) else {
            throw ChatError(.channelConfigFailure, "The channel's configuration was not read.")
        }
        return read.configuration
    }

    // MARK: Accounts

    /// Drops what is in memory of threads that the account does not have any more. To be called once that is committed.
    func forget(_ threads: Set<String>, account: Int64) {
        if threads.isEmpty { return }
        ownNames.forget(threads, account: account)
        fieldTimes.forget(threads, account: account)
        histories.forget(threads, account: account)
    }

    /// The account's last session ended. Drops what is in memory of it; the vault's file and the rows in the
    /// store stay.
    public func forget(account: Int64) {
        vault.forget(account: account)
        fieldTimes.forget(account: account)
        ownNames.forget(account: account)
        histories.forget(account: account)
        pages.forget(account: account)
        state.withLock { _ = $0.untold.remove(account) }
    }

    /// Removes the account's threads, its tokens of the platform, and what is in memory of it. What the platform
    /// has of the customer stays there.
    public func erase(_ account: AccountRecord) async throws(ChatError) {
        // So that the platform does not go on to push to the customer. It may be away.
        try? await tellDevice(of: account)
        forget(account: account.number)
        state.withLock { _ = $0.authorizations.remove(account.number) }
        try await vault.erase(account: account.number)
        try await store.eraseThreads(ownedBy: account.number)
    }

    /// Notes whether the platform was told the account's device. If not, the next connection tells it.
    func noteDevice(of account: AccountRecord, isTold: Bool) {
        state.withLock { state in
            if isTold { state.untold.remove(account.number) } else { state.untold.insert(account.number) }
        }
    }

    /// The most authorizations that wait for a connection. Whose made room for others has to log in again.
    private static let authorizationLimit = 10_000

    /// Takes a customer's login; it is sent with the account's next connection. The tokens of the former login
    /// are deleted first. Throws `storageFailed`, and then keeps nothing of the new login. A second login
    /// replaces one that still waits.
    public func authorize(_ account: AccountRecord, by authorization: Authorization) async throws(ChatError) {
        // The tokens of the former login are deleted. If that cannot be stored, the new login is refused.
        try await vault.update(account) { state in
            (state.accessToken, state.transactionToken, state.thirdPartyToken, state.refreshToken) = (
                nil, nil, nil, nil
            )
        }
        state.withLock { $0.authorizations[account.number] = authorization }
    }

    /// The login that waits for the account's next connection. It stays until ``useUp(_:of:)``: an attempt that
    /// did not reach the platform must not cost the login.
    func authorization(of account: Int64) -> Authorization? { state.withLock { $0.authorizations[account] } }

    /// Forgets a login that the platform has accepted or refused. A newer login of the account stays.
    func useUp(_ authorization: Authorization, of account: Int64) {
        state.withLock { state in
            // Another one may have come meanwhile.
            if state.authorizations.peek(account) == authorization { state.authorizations.remove(account) }
        }
    }

    /// Begins a run of the app (`destination`) and tells the platform about the visitor and its device. A refusal
    /// by the platform is ignored; a failure to reach it is thrown.
    public func prepare(_ account: AccountRecord, channel: Channel) async throws(ChatError) {
        pages.beginRun(of: account.number)
        let known = try await vault.state(of: account)
        let device = try await device(of: account)
        let isTaken = try await putVisitor(account, known, device: device)
        noteDevice(of: account, isTold: isTaken || device == known.device)
    }

    /// Always true where the channel is no live chat. The platform's answer is used for 60 s.
    public func isOnline(_ account: AccountRecord) async throws(ChatError) -> Bool {
        try await isOnline(account, asksAnew: false)
    }

    /// - Parameter asksAnew: asks the platform even if an answer is younger than 60 s.
    func isOnline(_ account: AccountRecord, asksAnew: Bool) async throws(ChatError) -> Bool {
        let channel = account.key.channel
        guard try await configuration(of: channel).isLiveChat else { return true }
        let now = store.environment.now()
        let known = state.withLock { $0.availabilities[channel] }
        if let known, !asksAnew, (0..<Self.availabilityLifetime).contains(now.milliseconds - known.askedAt.milliseconds)
        {
            return known.isOnline
        }
        let isOnline = try await http.isOnline(try await address(of: channel))
        state.withLock { $0.availabilities[channel] = Availability(isOnline: isOnline, askedAt: now) }
        return isOnline
    }

    /// The channel's persistent menu. An answer is used for 60 s. At most ``MenuItem/maximumCount`` entries are taken,
    /// and none whose label or postback is too long for a message.
    public func menu(of channel: String) async throws(ChatError) -> [MenuItem] {
        let now = store.environment.now()
        if let known = state.withLock({ $0.menus[channel] }),
            (0..<Self.availabilityLifetime).contains(now.milliseconds - known.askedAt.milliseconds)
        {
            return known.items
        }
        let items = try await http.menu(try await address(of: channel)).compactMap(MenuItem.init)
        let menu = Menu(items: Array(items.prefix(MenuItem.maximumCount)), askedAt: now)
        state.withLock { $0.menus[channel] = menu }
        return menu.items
    }

    /// Sends the message over a socket of its own, because an account whose channel is offline has none.
    public func leave(
        _ message: OfflineMessage, of account: AccountRecord, channel: Channel
    ) async throws(ChatError) {
        let connection = try await CXoneConnection.open(
            service: self, account: account, channel: channel,
            configuration: try await configuration(of: account.key.channel),
            address: try await address(of: account.key.channel)
        ) {}
        let result: Result<Void, ChatError>
        do throws(ChatError) {
            result = .success(try await connection.leave(message))
        } catch {
            result = .failure(error)
        }
        await connection.close()
        try result.get()
    }

    /// Opens and authorizes a socket for the account. It returns before any thread is read. A device that the
    /// platform does not know yet is told in the background; a failure of that is ignored.
    public func connect(
        _ account: AccountRecord, channel: Channel, onLoss: @escaping @Sendable () -> Void
    ) async throws(ChatError) -> any ServiceConnection {
        let connection = try await CXoneConnection.open(
            service: self, account: account, channel: channel,
            configuration: try await configuration(of: account.key.channel),
            address: try await address(of: account.key.channel), onLoss: onLoss)
        // The platform did not take the device when it changed. Nobody waits for this call, because each message names
        // the device as well.
        if state.withLock({ $0.untold.contains(account.number) }) { Task { try? await tellDevice(of: account) } }
        return connection
    }

    /// Streams a file of the platform into `file`, at most `limit` bytes. On an error the staged file may hold a
    /// part. Throws `serverError`, `eventTimeout`, `storageFull`, `storageFailed`.
    public func fetch(
        _ url: String, of channel: String, into file: StagedFile, limit: Int
    ) async throws(ChatError) -> FetchedFile {
        let receiver = FileReceiver {
            try file.write($0)
        } synchronize: {
            try file.synchronize()
        }
        try await http.file(at: url, of: try await address(of: channel), limit: limit) { try await receiver.take($0) }
        do {
            let (size, digest) = try await receiver.finish()
            return FetchedFile(size: size, digest: digest)
        } catch {
            throw error as? ChatError ?? ChatError(.storageFailed, "A file could not be stored.")
        }
    }
}
