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
/// A channel's id here names environment, brand and channel (``PlatformAddress/key``); where it is stands in the store, so
/// that sessions reconnect after a restart. Tokens stand in files of mode 0600 (``AccountVault``).
public final class CXoneService: ChatService {
    public static let serviceID = "cxone"

    public let id = CXoneService.serviceID
    public let name = "NICE CXone"
    public let isRemote = true
    public let takesAuthorization = true
    public var capabilities: Set<Capability> { Self.capabilities }

    let store: ChatStore
    let clock: any Clock<Duration>
    let sockets: any SocketPort
    let http: PlatformHTTP
    let vault: AccountVault
    let fieldTimes = FieldTimes()
    let ownNames = OwnNames()
    let histories = ScrollHistories()
    let pages: VisitorPages
    /// What is passed over, for the log; holds no message text and no token.
    let notice: @Sendable (String) -> Void

    private struct Availability {
        var isOnline: Bool
        var askedAt: Timestamp
    }

    private struct State {
        /// Channels that were named by where they are, until the platform has shown that it knows them.
        var newAddresses: [String: PlatformAddress] = [:]
        var configurations: [String: WireChannelConfiguration] = [:]
        var availabilities: [String: Availability] = [:]
        var authorizations: [Int64: Authorization] = [:]
    }
    private let state = Mutex(State())

    /// How long an answer about availability holds, in milliseconds.
    private static let availabilityLifetime: Int64 = 60_000

    /// Channels whose configuration is in memory, and new ones.
    private static let channelLimit = 1000

    static let capabilities: Set<Capability> = [
        .threads, .rename, .archive, .typing, .readReceipts, .customFields, .attachments, .search, .collections, .liveChat,
        .transcript,
        .richMessages, .preChatSurvey, .analytics, .triggers,
    ]

    /// - Parameter folder: for the accounts' tokens; made when the first is kept.
    public init(
        store: ChatStore, clock: any Clock<Duration>, folder: String, sockets: any SocketPort, http: any HTTPPort,
        notice: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.store = store
        self.clock = clock
        self.sockets = sockets
        self.http = PlatformHTTP(port: http, clock: clock)
        self.notice = notice
        pages = VisitorPages(makeID: store.environment.makeID)
        vault = AccountVault(folder: folder, makeID: store.environment.makeID)
    }

    // MARK: Channels

    /// The address is stored when the platform has shown that it knows the channel.
    public func channel(at draft: ChannelAddress) async throws(ChatError) -> String {
        let address = try PlatformAddress(draft)
        let text = try encode(address)
        guard try await store.read({ try $0.remoteChannel(address.key, of: Self.serviceID) }) != text else { return address.key }
        state.withLock { state in
            if state.newAddresses.count >= Self.channelLimit, let other = state.newAddresses.keys.first {
                state.newAddresses[other] = nil
            }
            state.newAddresses[address.key] = address
        }
        return address.key
    }

    private func encode(_ address: PlatformAddress) throws(ChatError) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(address) else { throw ChatError(.storageFailed, "An address could not be written.") }
        return String(decoding: data, as: UTF8.self)
    }

    func address(of channel: String) async throws(ChatError) -> PlatformAddress {
        if let new = state.withLock({ $0.newAddresses[channel] }) { return new }
        let text = try await store.read { try $0.remoteChannel(channel, of: Self.serviceID) }
        guard let text, let address = try? JSONDecoder().decode(PlatformAddress.self, from: Data(text.utf8)) else {
            throw ChatError(
                .unknownChannel, "No session was made yet on a channel \(channel) of the service cxone.", pointer: "/channel")
        }
        return address
    }

    /// Those that were asked for since the gateway began.
    public func channels() throws(ChatError) -> [Channel] {
        state.withLock { state in
            state.configurations.sorted { $0.key < $1.key }.map { Channel($0.value, id: $0.key) }
        }
    }

    public func channel(_ id: String) async throws(ChatError) -> Channel {
        let configuration = try await readConfiguration(of: id)
        state.withLock { state in
            // They are read again when they are needed.
            if state.configurations.count >= Self.channelLimit, state.configurations[id] == nil,
               let other = state.configurations.keys.first {
                (state.configurations[other], state.availabilities[other]) = (nil, nil)
            }
            state.configurations[id] = configuration
        }
        return Channel(configuration, id: id)
    }

    private func readConfiguration(of id: String) async throws(ChatError) -> WireChannelConfiguration {
        let new = state.withLock { $0.newAddresses[id] }
        do throws(ChatError) {
            let configuration = try await http.configuration(try await address(of: id))
            if let new {
                let text = try encode(new)
                try await store.write { try $0.saveRemoteChannel(id, of: Self.serviceID, address: text) }
                state.withLock { _ = $0.newAddresses.removeValue(forKey: id) }
            }
            return configuration
        } catch {
            guard error.code == .unknownChannel else { throw error }
            let isStored = try await store.read { try $0.remoteChannel(id, of: Self.serviceID) } != nil
            guard new == nil, isStored else {
                state.withLock { _ = $0.newAddresses.removeValue(forKey: id) }
                throw error
            }
            // The platform knew it before: it may know it again.
            throw ChatError(.channelConfigFailure, error.detail)
        }
    }

    func configuration(of channel: String) async throws(ChatError) -> WireChannelConfiguration {
        if let known = state.withLock({ $0.configurations[channel] }) { return known }
        _ = try await self.channel(channel)
        guard let read = state.withLock({ $0.configurations[channel] }) else {
            throw ChatError(.channelConfigFailure, "The channel's configuration was not read.")
        }
        return read
    }

    // MARK: Accounts

    /// The account has no thread of this id any more.
    func forget(_ thread: String, account: Int64) {
        ownNames.forget(thread, account: account)
        fieldTimes.forget(thread, account: account)
        histories.forget(thread, account: account)
    }

    public func forget(account: Int64) {
        vault.forget(account: account)
        fieldTimes.forget(account: account)
        ownNames.forget(account: account)
        histories.forget(account: account)
        pages.forget(account: account)
    }

    /// Authorizations that wait for a connection. Accounts whose connection never came give way when there are more.
    private static let authorizationLimit = 10_000

    public func authorize(_ account: AccountRecord, by authorization: Authorization) async throws(ChatError) {
        // What an earlier login gave is over. If that cannot be stored, this login is not taken either.
        try await vault.update(account) { state in
            (state.accessToken, state.transactionToken, state.thirdPartyToken, state.refreshToken) = (nil, nil, nil, nil)
        }
        state.withLock { state in
            if state.authorizations.count >= Self.authorizationLimit, let other = state.authorizations.keys.first {
                state.authorizations[other] = nil
            }
            state.authorizations[account.number] = authorization
        }
    }

    /// The login that waits for the account's next connection.
    func authorization(of account: Int64) -> Authorization? { state.withLock { $0.authorizations[account] } }

    /// The platform has answered to a login.
    func useUp(_ authorization: Authorization, of account: Int64) {
        state.withLock { state in
            // Another one may have come meanwhile.
            if state.authorizations[account] == authorization { state.authorizations[account] = nil }
        }
    }

    public func prepare(_ account: AccountRecord, channel: Channel) async throws(ChatError) {
        let known = try await vault.state(of: account)
        pages.beginRun(of: account.number)
        try await putVisitor(account, known, device: try await device(of: account))
    }

    public func isOnline(_ account: AccountRecord) async throws(ChatError) -> Bool {
        try await isOnline(account, asksAnew: false)
    }

    func isOnline(_ account: AccountRecord, asksAnew: Bool) async throws(ChatError) -> Bool {
        let channel = account.key.channel
        guard try await configuration(of: channel).isLiveChat else { return true }
        let now = store.environment.now()
        let known = state.withLock { $0.availabilities[channel] }
        if let known, !asksAnew, (0..<Self.availabilityLifetime).contains(now.milliseconds - known.askedAt.milliseconds) {
            return known.isOnline
        }
        let isOnline = try await http.isOnline(try await address(of: channel))
        state.withLock { $0.availabilities[channel] = Availability(isOnline: isOnline, askedAt: now) }
        return isOnline
    }

    public func connect(
        _ account: AccountRecord, channel: Channel, onLoss: @escaping @Sendable () -> Void
    ) async throws(ChatError) -> any ServiceConnection {
        let isTold = try await isDeviceTold(of: account)
        let connection = try await CXoneConnection.open(
            service: self, account: account, channel: channel, configuration: try await configuration(of: account.key.channel),
            address: try await address(of: account.key.channel), onLoss: onLoss)
        // The platform could not be reached when the device changed.
        // This is not awaited, because each message tells the device, too.
        if !isTold { Task { try? await tellDevice(of: account) } }
        return connection
    }

    public func fetch(_ url: String, into file: StagedFile, limit: Int) async throws(ChatError) -> FetchedFile {
        let receiver = FileReceiver(file)
        try await http.file(at: url, limit: limit) { try await receiver.write($0) }
        return try await receiver.finish()
    }
}
