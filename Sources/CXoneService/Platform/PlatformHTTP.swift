import ChatModel
import CXoneWire
import HTTPClientPort
import Synchronization

/// The platform's HTTP endpoints. May be used from any task.
///
/// Each call has one time limit that includes all its attempts: the caller gets an answer or an error within
/// ``patience``. Files have more time, because only background work waits for them.
struct PlatformHTTP: Sendable {
    /// Leads to the platform's own URLs, which who opened the session has named. It refuses what nobody may reach.
    private let port: any HTTPPort
    /// Leads to URLs that the platform's events name elsewhere. Anybody may have chosen them, so it refuses addresses
    /// of private networks.
    private let foreignPort: any HTTPPort
    private let clock: any Clock<Duration>
    /// Writes a line to the log: a part of an answer was not read.
    private let notice: @Sendable (String) -> Void

    init(
        port: any HTTPPort, foreignPort: any HTTPPort, clock: any Clock<Duration>,
        notice: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.port = port
        self.foreignPort = foreignPort
        self.clock = clock
        self.notice = notice
    }

    /// Parley names itself an iOS SDK of this version, in headers and in the socket's query: its protocol is that
    /// SDK's.
    static let sdkPlatform = "ios"
    static let sdkVersion = "3.3.1"
    /// For connection, head and body of the answer, all tries together.
    static let patience = Duration.seconds(8)
    /// The first attempt and three more.
    private static let attempts = 4

    private var headers: [HTTPCall.Header] {
        [HTTPCall.Header("x-sdk-platform", Self.sdkPlatform), HTTPCall.Header("x-sdk-version", Self.sdkVersion)]
    }

    private func call(_ method: String, _ url: String, _ body: [UInt8]? = nil) -> HTTPCall {
        let type = body.map { _ in [HTTPCall.Header("Content-Type", "application/json")] } ?? []
        return HTTPCall(method, url, headers: headers + type, body: body)
    }

    /// Sends a call up to four times while no answer comes, with pauses of 1, 2 and 4 s. Any answer ends it,
    /// whatever its status. Throws `serverError`, `eventTimeout`, and `sdkVersionNotSupported` when the platform
    /// says so.
    ///
    /// - Parameter limit: the most bytes of the answer's body.
    private func ask(_ call: HTTPCall, limit: Int = WireLimit.frame) async throws(ChatError) -> HTTPAnswer {
        let answer = try await within(Self.patience) { try await tryToSend(call, limit: limit) }
        if let failure = try? ServiceFailure(json: answer.body), failure.code == .sdkVersionNotSupported {
            throw ChatError(
                .sdkVersionNotSupported, "The platform does not support this version of its protocol any more.")
        }
        return answer
    }

    private func tryToSend(_ call: HTTPCall, limit: Int) async throws -> HTTPAnswer {
        var attempt = 1
        while true {
            do {
                return try await port.send(call, limit: limit)
            } catch let refusal as AddressRefusal {
                throw refusal
            } catch {
                try Task.checkCancellation()
                guard attempt < Self.attempts else { throw error }
            }
            try await clock.sleep(for: .seconds(1 << (attempt - 1)))
            attempt += 1
        }
    }

    /// Runs work with a time limit, and cancels it then. Throws `eventTimeout`, `notConnected` when the caller's
    /// task was cancelled, `serverError` for failures of the network, and any ``ChatError`` of the work.
    private func within<T: Sendable>(
        _ limit: Duration, _ work: @escaping @Sendable () async throws -> T
    ) async throws(ChatError) -> T {
        let clock = clock
        do {
            return try await withThrowingTaskGroup(of: T?.self) { group in
                group.addTask { try await work() }
                group.addTask {
                    try await clock.sleep(for: limit)
                    return nil
                }
                defer { group.cancelAll() }
                guard let first = try await group.next(), let result = first else {
                    throw ChatError(
                        .eventTimeout,
                        "The platform did not answer over HTTP within \(limit.components.seconds) seconds.")
                }
                return result
            }
        } catch let error as ChatError {
            throw error
        } catch is CancellationError {
            throw ChatError(.notConnected, "The request was cancelled.")
        } catch let refusal as AddressRefusal {
            throw ChatError(.serverError, refusal.detail)
        } catch {
            throw ChatError(.serverError, "The platform cannot be reached over HTTP.")
        }
    }

    /// `GET {chat}/1.0/brand/{b}/channel/{c}`. Throws `unknownChannel`, `channelConfigFailure`, and what every
    /// call throws. Also returns how many bytes the configuration has as JSON.
    func configuration(
        _ address: PlatformAddress
    ) async throws(ChatError) -> (configuration: WireChannelConfiguration, byteCount: Int) {
        let answer = try await ask(call("GET", address.channelURL), limit: WireLimit.largeEvent)
        try Self.check(answer, address)
        do {
            return (
                try read("channel's configuration", answer, limit: WireLimit.largeEvent), answer.body.count
            )
        } catch {
            throw ChatError(.channelConfigFailure, "The platform's answer is not a channel configuration: \(error)")
        }
    }

    /// `GET .../availability`. Throws `channelConfigFailure`, and what every call throws. It never throws
    /// `unknownChannel`: a refusal of this endpoint must not end a session.
    func isOnline(_ address: PlatformAddress) async throws(ChatError) -> Bool {
        let answer = try await ask(call("GET", address.channelURL + "/availability"))
        guard answer.isSuccess else {
            throw ChatError(
                .channelConfigFailure,
                "The platform answered \(answer.status) to the request for the channel's availability.")
        }
        do {
            let availability: WireAvailability = try read("channel's availability", answer)
            return availability.isOnline
        } catch {
            throw ChatError(.channelConfigFailure, "The platform's answer does not tell the availability: \(error)")
        }
    }

    /// `GET .../persistent-menu-items`. Throws `serverError`, and what every call throws.
    func menu(_ address: PlatformAddress) async throws(ChatError) -> [PersistentMenu.Item] {
        let answer = try await ask(call("GET", address.channelURL + "/persistent-menu-items"))
        guard answer.isSuccess, let menu: PersistentMenu = try? read("channel's menu", answer) else {
            throw ChatError(
                .serverError, "The platform answered \(answer.status) to the request for the channel's menu.")
        }
        return menu.items
    }

    /// Reads an answer's body, and logs what was left out of it.
    private func read<Document: WireDocument>(
        _ name: String, _ answer: HTTPAnswer, limit: Int = WireLimit.frame
    ) throws(WireError) -> Document {
        let omissions = WireOmissions()
        let document = try Document(json: answer.body, limit: limit, omissions: omissions)
        if let summary = omissions.summary {
            notice("Of the platform's \(name) was left out what cannot be read: \(summary)")
        }
        return document
    }

    /// Throws unless the platform knows the channel and says so.
    private static func check(_ answer: HTTPAnswer, _ address: PlatformAddress) throws(ChatError) {
        switch answer.status {
        case 200..<300: break
        case 400, 403, 404, 410, 422:
            throw ChatError(
                .unknownChannel,
                "The platform has no channel \(address.channelID) of the brand \(address.brandID): it answered \(answer.status)."
            )
        default:
            throw ChatError(
                .channelConfigFailure, "The platform answered \(answer.status) to the request for the channel.")
        }
    }

    /// `PUT .../visitors/{v}` of the web analytics. Returns whether the platform accepted it. A refusal is no
    /// error, because the chat works without it.
    @discardableResult
    func put(_ visitor: WireVisitor, _ id: String, _ address: PlatformAddress) async throws(ChatError) -> Bool {
        try await ask(call("PUT", address.visitorURL(id), visitor.encoded())).isSuccess
    }

    /// `POST .../visitors/{v}/events`. Sent once, and the answer is ignored: a second attempt might count twice.
    /// Throws `serverError`, `eventTimeout`.
    func reportAnalytics(_ event: AnalyticsEvent, _ visitor: String, _ address: PlatformAddress) async throws(ChatError)
    {
        let told = call("POST", address.visitorURL(visitor) + "/events", event.encoded())
        _ = try await within(Self.patience) { try await port.send(told, limit: WireLimit.frame) }
    }

    /// `POST {token}oauth/token`. Throws `transactionTokenRequestFailed`, `customerAssociationFailure` when the
    /// platform refuses an authorization code (400, 401, 403), and what every call throws.
    func token(
        _ request: TokenRequest, for visitor: String, _ address: PlatformAddress
    ) async throws(ChatError) -> TokenAnswer {
        guard let url = address.tokenURL(visitor) else {
            throw ChatError(
                .transactionTokenRequestFailed,
                "The channel needs a token, but its address has no URL of a token service.")
        }
        let answer = try await ask(call("POST", url, request.encoded()))
        if case .authorizationCode = request, [400, 401, 403].contains(answer.status) {
            throw ChatError(.customerAssociationFailure, "The platform's token service answered \(answer.status).")
        }
        guard answer.isSuccess, let token: TokenAnswer = try? read("token service's answer", answer) else {
            throw ChatError(.transactionTokenRequestFailed, "The platform's token service answered \(answer.status).")
        }
        return token
    }

    /// `POST .../attachment`: stores a file on the platform and returns its URL. Sent once; the time limit grows
    /// by a second for each MiB. Throws `invalidFileSize`, `invalidFileType`, `serverError`, `eventTimeout`.
    func upload(
        _ file: AttachmentUpload, channel: Channel, _ address: PlatformAddress
    ) async throws(ChatError) -> String {
        let call = call("POST", address.channelURL + "/attachment", file.encoded())
        // A second more for each MiB.
        let patience = Self.patience + .seconds(file.content.count >> 20)
        let answer = try await within(patience) { try await port.send(call, limit: WireLimit.frame) }
        guard answer.isSuccess, let result: AttachmentUploadAnswer = try? read("answer to an upload", answer) else {
            throw ChatError(.serverError, "The platform answered \(answer.status) to the upload of a file.")
        }
        switch result {
        case .stored(let url): return url
        case .refused(let rules):
            // The mobile SDK's way to tell which of both it was.
            let isSize =
                Int64(rules.allowedFileSize) << 20 < channel.fileRestrictions.maximumSize
                || Int64(file.content.count) > Int64(rules.allowedFileSize) << 20
            throw isSize
                ? ChatError(.invalidFileSize, "The platform takes files of at most \(rules.allowedFileSize) MiB.")
                : ChatError(.invalidFileType, "The platform does not take files of this type.")
        }
    }

    /// Fetches an event that was too large for a frame (`EventInS3`). The URL is signed, so no header of
    /// authorization is sent. At most 16 MiB. Throws `serverError`, `eventTimeout`.
    func largeEvent(at url: String, of address: PlatformAddress) async throws(ChatError) -> ServerFrame {
        let (call, port) = try get(url, of: address)
        let answer = try await within(Self.patience) { try await port.send(call, limit: WireLimit.largeEvent) }
        guard answer.isSuccess else { throw Self.refused(answer) }
        do {
            return try read("large event", answer, limit: WireLimit.largeEvent)
        } catch {
            throw ChatError(.serverError, "A large event of the platform cannot be read: \(error)")
        }
    }

    /// The call for a URL of an event, and the port that may make it.
    private func get(_ url: String, of address: PlatformAddress) throws(ChatError) -> (HTTPCall, any HTTPPort) {
        guard let target = try? CallTarget("GET", url) else {
            throw ChatError(.serverError, "The platform's URL of a file begins neither with https:// nor with http://.")
        }
        return (HTTPCall(to: target), address.origins.contains(target.origin) ? port : foreignPort)
    }

    private static func refused(_ answer: HTTPAnswer) -> ChatError {
        ChatError(.serverError, "The platform's file could not be fetched: \(answer.status).")
    }

    /// Reads a text that is generated meanwhile (``StreamedText``), to its end. Throws `serverError`, `eventTimeout` for
    /// one that takes longer than a minute.
    func streamedText(at url: String, of address: PlatformAddress) async throws(ChatError) -> String {
        let (call, port) = try get(url, of: address)
        return try await within(Self.streamPatience) {
            let streamed = Mutex(StreamedText())
            do {
                try await port.receive(call, limit: 1 << 20) { answer in
                    guard answer.isSuccess else { throw Self.refused(answer) }
                } take: { piece in
                    let isComplete = streamed.withLock { streamed in
                        streamed.append(piece)
                        return streamed.isComplete
                    }
                    // The platform may keep the connection open.
                    if isComplete { throw StreamEnded() }
                }
            } catch is StreamEnded {}
            return streamed.withLock { $0.text }
        }
    }

    private static let streamPatience = Duration.seconds(60)

    private struct StreamEnded: Error {}

    // MARK: Files

    /// Reads a file piece by piece. `take` gets the pieces in order, one at a time; the next one is not read
    /// before it returns. Throws `serverError`, also for more than `limit` bytes, `eventTimeout`, and what `take`
    /// throws.
    func file(
        at url: String, of address: PlatformAddress, limit: Int,
        take: @escaping @Sendable ([UInt8]) async throws -> Void
    ) async throws(ChatError) {
        let (call, port) = try get(url, of: address), clock = clock
        try await within(SteadyDownload.filePatience) {
            do {
                try await port.download(call, limit: limit, on: clock) { answer in
                    guard answer.isSuccess else { throw Self.refused(answer) }
                } take: { piece in
                    try await take(piece)
                }
            } catch HTTPCallError.timeout {
                throw ChatError(.eventTimeout, "The platform stopped in the middle of a file, or sends it too slowly.")
            }
        }
    }
}
