import Chat
import ChatModel
import ChatStore
import CXoneWire
import Crypto
import Foundation
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
        var configurations: [String: WireChannelConfiguration] = [:]
        var availabilities: [String: Availability] = [:]
        var authorizations: [Int64: Authorization] = [:]
    }
    private let state = Mutex(State())

    /// How long an answer about availability holds, in milliseconds.
    private static let availabilityLifetime: Int64 = 60_000

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

    public func channel(at draft: ChannelAddress) async throws(ChatError) -> String {
        let address = try PlatformAddress(draft)
        let text = try encode(address)
        guard try await store.read({ try $0.remoteChannel(address.key, of: Self.serviceID) }) != text else { return address.key }
        try await store.write { try $0.saveRemoteChannel(address.key, of: Self.serviceID, address: text) }
        return address.key
    }

    private func encode(_ address: PlatformAddress) throws(ChatError) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(address) else { throw ChatError(.storageFailed, "An address could not be written.") }
        return String(decoding: data, as: UTF8.self)
    }

    func address(of channel: String) async throws(ChatError) -> PlatformAddress {
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
        let configuration = try await http.configuration(try await address(of: id))
        state.withLock { $0.configurations[id] = configuration }
        return Channel(configuration, id: id)
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

    public func authorize(_ account: AccountRecord, by authorization: Authorization) async throws(ChatError) {
        state.withLock { $0.authorizations[account.number] = authorization }
        // What an earlier login gave is over.
        try await vault.update(account) { state in
            (state.accessToken, state.transactionToken, state.thirdPartyToken, state.refreshToken) = (nil, nil, nil, nil)
        }
    }

    func takeAuthorization(_ account: Int64) -> Authorization? {
        state.withLock { $0.authorizations.removeValue(forKey: account) }
    }

    public func prepare(_ account: AccountRecord, channel: Channel) async throws(ChatError) {
        let known = try await vault.state(of: account)
        pages.beginRun(of: account.number)
        let visitor = WireVisitor(customer: WireCustomer(id: known.customerID), fingerprint: .parley)
        try await http.put(visitor, known.visitorID, try await address(of: account.key.channel))
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
        try await CXoneConnection.open(
            service: self, account: account, channel: channel, configuration: try await configuration(of: account.key.channel),
            address: try await address(of: account.key.channel), onLoss: onLoss)
    }

    public func file(at url: String, limit: Int) async throws(ChatError) -> FetchedFile {
        let bytes = try await http.file(at: url, limit: limit)
        return FetchedFile(bytes: bytes, digest: Array(SHA256.hash(data: bytes)))
    }
}

extension DeviceFingerprint {
    /// What Parley tells of the device that it runs on.
    static let parley = DeviceFingerprint(language: "en", applicationType: "native", os: "Linux", deviceType: "desktop")
}
