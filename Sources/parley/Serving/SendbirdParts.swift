import Bounds
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
    #if Sendbird
        /// The channel for which the sandbox of `--sendbird-sandbox` stands, its token, and its faults; nil without.
        private let stand: Stand?
        private typealias Stand = (channel: String, token: String, faults: SendbirdSandbox.Faults)

        /// Throws ``SettingsError`` where there is no such channel, or for a token that is refused.
        private static func stand(
            _ settings: Settings, service: LocalService, store: ChatStore, clock: ContinuousClock, key: [UInt8]
        ) async throws -> Stand? {
            guard settings.flag(.sendbirdSandbox) else { return nil }
            let (id, chosen) = (settings.string(.sendbirdChannel), settings.string(.sendbirdToken))
            guard let channel = try await SendbirdSandbox.channel(id.isEmpty ? nil : id, of: service) else {
                throw SettingsError(
                    id.isEmpty
                        ? "--sendbird-sandbox needs a channel of several threads, and there is none."
                        : "--sendbird-channel must be a channel of several threads, and \(id.debugDescription) is none."
                )
            }
            guard chosen.isEmpty || SendbirdSandbox.isToken(chosen) else {
                throw SettingsError("PARLEY_SENDBIRD_TOKEN must be 16 to 128 letters, digits, hyphens or underscores.")
            }
            let token = chosen.isEmpty ? SendbirdSandbox.token(of: channel, key: key) : chosen
            return (channel, token, SendbirdSandbox.faults(store.environment, clock, token: token))
        }
    #endif

    /// Throws ``SettingsError`` for a file that is refused, and where the sandbox cannot be there.
    ///
    /// - Parameters:
    ///   - key: of the data folder.
    ///   - memory: counts what the process holds in memory for its clients.
    init(
        _ settings: Settings, service: LocalService, store: ChatStore, clock: ContinuousClock, key: [UInt8],
        addresses: OutgoingAddresses, memory: ByteCounter, log: LogOutput
    ) async throws {
        #if Sendbird
            stand = try await Self.stand(settings, service: service, store: store, clock: clock, key: key)
            guard let configuration = try SendbirdFile.read(settings.string(.sendbird)) else {
                (services, hooks) = ([], [SendbirdHooks(service: nil)])
                missing = ["sendbird": "This gateway has no service sendbird: start it with --sendbird."]
                return
            }
            let (logger, rules) = (log.logger("sendbird"), addresses.rules)
            let sendbird = SendbirdService(
                configuration, store: store, clock: clock, http: AsyncHTTPPort(judge: rules.judge(.opener)),
                foreignHTTP: AsyncHTTPPort(judge: rules.judge(.platform)), memory: memory
            ) { logger.warning("\($0)") }
            services = [sendbird]
            hooks = [SendbirdHooks(service: sendbird)]
            missing = [:]
        #else
            try settings.refuse(
                [.sendbird, .sendbirdSandbox, .sendbirdStrict, .sendbirdChannel, .sendbirdToken], part: "Sendbird")
            (services, hooks) = ([], [])
            missing = ["sendbird": "This gateway was built without Sendbird (the package trait Sendbird)."]
        #endif
    }

    /// How the sandbox calls programs; nil without a sandbox.
    var callbacks: CallbackCourse? {
        #if Sendbird
            guard let stand else { return nil }
            return SendbirdSandbox.course(token: stand.token, faults: stand.faults)
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
                store: store, service: service, channel: stand.channel, token: stand.token, targets: targets,
                faults: stand.faults, isStrict: settings.flag(.sendbirdStrict), clock: clock)
            // The sandbox of CXone serves the paths for faults and frames of both.
            return [SendbirdRoutes<GatewayCore>(sandbox, hasOwnPaths: !settings.flag(.cxoneSandbox))]
        #else
            return []
        #endif
    }
}
