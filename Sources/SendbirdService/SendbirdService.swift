import Bounds
import Chat
import ChatModel
import ChatStore
import Formats
import HTTPClientPort
import SendbirdWire

/// The adapter to Sendbird by its Platform API, which is made for servers: one token does everything in an application.
///
/// The applications and their channels are configured (``SendbirdConfiguration``); a channel of Parley is the group
/// channels of one custom type, and a customer is a user. News come by polling, and webhooks say where to look sooner.
/// Nothing here was compared with Sendbird's servers.
public final class SendbirdService: ChatService {
    /// The service's id in the API. It must not change: stored accounts refer to it.
    public static let serviceID = "sendbird"

    public let id = SendbirdService.serviceID
    public let name = "Sendbird"
    public let isRemote = true
    public var capabilities: Set<Capability> { Self.capabilities }

    static let capabilities: Set<Capability> = [
        .threads, .rename, .archive, .customFields, .editMessages, .deleteMessages, .members, .replies, .collections,
        .historyReset, .typing, .readReceipts, .search, .attachments,
    ]

    static func capabilities(of mode: ChatMode) -> Set<Capability> {
        mode == .multithread ? capabilities : capabilities.subtracting([.threads, .rename, .archive, .members])
    }

    private let store: ChatStore
    /// By the id of a channel of Parley.
    private let places: [String: Place]
    private let door: WebhookDoor

    /// What became of a webhook.
    public enum Webhook: Sendable {
        case taken
        /// No application has this secret.
        case unknown
        /// Its signature is not the platform's.
        case forged
    }

    private struct Place: Sendable {
        let entry: SendbirdConfiguration.Entry
        let runtime: ApplicationRuntime
    }

    /// Makes the service. Nothing is sent to the platform yet.
    ///
    /// - Parameters:
    ///   - http: makes the calls to the addresses of the configuration.
    ///   - foreignHTTP: fetches files from addresses that messages name.
    ///   - memory: counts what the process holds in memory for its clients.
    ///   - notice: takes a line for the log. It may be called on any thread.
    public init(
        _ configuration: SendbirdConfiguration, store: ChatStore, clock: any Clock<Duration>, http: any HTTPPort,
        foreignHTTP: any HTTPPort, memory: ByteCounter = ByteCounter(limit: ByteBound.memory.bytes),
        notice: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.store = store
        var (places, runtimes): ([String: Place], [ApplicationRuntime]) = ([:], [])
        for application in configuration.applications {
            let client = SendbirdClient(
                application, port: http, foreignPort: foreignHTTP, clock: clock, memory: memory, notice: notice)
            let runtime = ApplicationRuntime(application, client: client, store: store)
            runtimes.append(runtime)
            for entry in application.channels { places[entry.id] = Place(entry: entry, runtime: runtime) }
        }
        self.places = places
        door = WebhookDoor(runtimes)
    }

    /// Takes a webhook of the platform: the thread that it names is looked at soon.
    ///
    /// - Parameters:
    ///   - body: the bytes as they came, for the signature.
    ///   - secret: the part of the path that says whose it is.
    ///   - signature: the header `x-sendbird-signature`.
    public func take(webhook body: [UInt8], secret: String, signature: String?) -> Webhook {
        door.take(body, secret: secret, signature: signature)
    }

    public func channels() -> [Channel] { places.values.map { Channel($0.entry) }.sorted { $0.id < $1.id } }

    public func channel(_ id: String) throws(ChatError) -> Channel { Channel(try place(id).entry) }

    public func recentChannel(_ id: String) -> Channel? { places[id].map { Channel($0.entry) } }

    private func place(_ id: String) throws(ChatError) -> Place {
        guard let place = places[id] else {
            throw ChatError(.unknownChannel, "The file of --sendbird has no channel \(id).", pointer: "/channel")
        }
        return place
    }

    public func isOnline(_ account: AccountRecord) -> Bool { true }

    /// Looks for the customer's user, makes it if there is none, and begins to poll.
    public func connect(
        _ account: AccountRecord, channel: Channel, onLoss: @escaping @Sendable () -> Void
    ) async throws(ChatError) -> any ServiceConnection {
        let place = try place(account.key.channel)
        let client = AccountClient(client: place.runtime.client, account: account.number) {
            [weak runtime = place.runtime] in runtime?.lose(account.number)
        }
        try await place.runtime.admit()
        let user = ConnectedUser(
            store: store, client: client,
            application: place.runtime.application.id, entry: place.entry, record: account, channel: channel,
            allMarks: place.runtime.marks, sizes: place.runtime.sizes)
        try await CustomerData(account: user).open()
        let connection = SendbirdConnection(user, runtime: place.runtime, onLoss: onLoss)
        place.runtime.add(connection)
        return connection
    }

    public func fetch(
        _ url: String, of channel: String, into file: StagedFile, limit: Int
    ) async throws(ChatError) -> FetchedFile {
        try await place(channel).runtime.client.files.fetch(url, into: file, limit: limit)
    }

    /// Removes the account's threads. What the platform has of the customer stays there.
    public func erase(_ account: AccountRecord) async throws(ChatError) {
        try await store.eraseThreads(ownedBy: account.number)
    }
}

extension Channel {
    init(_ entry: SendbirdConfiguration.Entry) {
        self.init(
            id: entry.id, name: entry.name, mode: entry.mode,
            capabilities: SendbirdService.capabilities(of: entry.mode),
            fileRestrictions: FileRestrictions(
                isAttachmentsEnabled: true, maximumSize: Int64(SendbirdBound.file), allowedTypes: ["*/*"]))
    }
}
