import Chat
import ChatStore
import Gateway
import HTTPRouting
import LocalService

#if Sendbird
    import HTTPClientPort
    import SendbirdSandbox
    import SendbirdService
#endif

/// Sendbird: the service on which sessions can be made, and the sandbox that stands in for the platform. A build without
/// the trait `Sendbird` has neither.
struct SendbirdParts: Sendable {
    /// The service of `--sendbird`; none without.
    let services: [any ChatService]
    /// The paths by which the platform's webhooks come in.
    let hooks: [any RouteGroup<GatewayCore>]
    /// Why the service is not there, by its id.
    let missing: [String: String]
    /// The channel for which the sandbox of `--sendbird-sandbox` stands, and its token; nil without.
    private let stand: (channel: String, token: String)?

    /// Throws ``SettingsError`` for a file that is refused, and where the sandbox cannot be there.
    ///
    /// - Parameter key: of the data folder.
    init(
        _ settings: Settings, service: LocalService, store: ChatStore, clock: ContinuousClock, key: [UInt8],
        addresses: OutgoingAddresses, log: LogOutput
    ) async throws {
        #if Sendbird
            if settings.flag(.sendbirdSandbox) {
                guard let channel = try await SendbirdSandbox.channel(of: service) else {
                    throw SettingsError("--sendbird-sandbox needs a channel of several threads, and there is none.")
                }
                stand = (channel, SendbirdSandbox.token(of: channel, key: key))
            } else {
                stand = nil
            }
            guard let configuration = try SendbirdFile.read(settings.string(.sendbird)) else {
                (services, hooks) = ([], [])
                missing = ["sendbird": "This gateway has no service sendbird: start it with --sendbird."]
                return
            }
            let (logger, rules) = (log.logger("sendbird"), addresses.rules)
            let sendbird = SendbirdService(
                configuration, store: store, clock: clock, http: AsyncHTTPPort(judge: rules.judge(.opener)),
                foreignHTTP: AsyncHTTPPort(judge: rules.judge(.platform))
            ) { logger.warning("\($0)") }
            services = [sendbird]
            hooks = sendbird.takesWebhooks ? [SendbirdHooks(service: sendbird)] : []
            missing = [:]
        #else
            try settings.refuse([.sendbird, .sendbirdSandbox], part: "Sendbird")
            stand = nil
            (services, hooks) = ([], [])
            missing = ["sendbird": "This gateway was built without Sendbird (the package trait Sendbird)."]
        #endif
    }

    /// By what a program knows that the sandbox calls it; nil without a sandbox.
    var callbacks: CallbackHeaders? {
        #if Sendbird
            guard let stand else { return nil }
            return SendbirdSandbox.callbackHeaders(token: stand.token)
        #else
            return nil
        #endif
    }

    /// The routes of the sandbox; none without.
    func groups(
        _ settings: Settings, service: LocalService, store: ChatStore, clock: ContinuousClock, key: [UInt8],
        outgoing: OutgoingParts
    ) -> [any RouteGroup<GatewayCore>] {
        #if Sendbird
            guard let stand else { return [] }
            let targets = CallbackTargets(check: outgoing.check, refresh: outgoing.refresh)
            let sandbox = SendbirdSandbox(
                store: store, service: service, channel: stand.channel, key: key, targets: targets, clock: clock)
            // The sandbox of CXone serves the paths for faults and frames of both.
            return [SendbirdRoutes<GatewayCore>(sandbox, hasOwnPaths: !settings.flag(.cxoneSandbox))]
        #else
            return []
        #endif
    }
}
