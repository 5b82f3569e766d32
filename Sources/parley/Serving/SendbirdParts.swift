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
    /// Why the service is not there, by its id.
    let missing: [String: String]

    /// Throws ``SettingsError`` for a file that is refused.
    init(
        _ settings: Settings, store: ChatStore, clock: ContinuousClock, addresses: OutgoingAddresses, log: LogOutput
    ) throws(SettingsError) {
        #if Sendbird
            guard let configuration = try SendbirdFile.read(settings.string(.sendbird)) else {
                services = []
                missing = ["sendbird": "This gateway has no service sendbird: start it with --sendbird."]
                return
            }
            let (logger, rules) = (log.logger("sendbird"), addresses.rules)
            services = [
                SendbirdService(
                    configuration, store: store, clock: clock,
                    http: AsyncHTTPPort(judge: rules.judge(.opener))
                ) { logger.warning("\($0)") }
            ]
            missing = [:]
        #else
            try settings.refuse([.sendbird], part: "Sendbird")
            services = []
            missing = ["sendbird": "This gateway was built without Sendbird (the package trait Sendbird)."]
        #endif
    }

    /// The routes of `--sendbird-sandbox`; none without. Throws ``SettingsError`` where it cannot be there.
    static func groups(
        _ settings: Settings, service: LocalService, store: ChatStore, clock: ContinuousClock, key: [UInt8]
    ) async throws -> [any RouteGroup<GatewayCore>] {
        #if Sendbird
            guard settings.flag(.sendbirdSandbox) else { return [] }
            guard let channel = try await SendbirdSandbox.channel(of: service) else {
                throw SettingsError("--sendbird-sandbox needs a channel of several threads, and there is none.")
            }
            let sandbox = SendbirdSandbox(store: store, service: service, channel: channel, key: key, clock: clock)
            // Two sandboxes cannot share the paths for faults and frames yet.
            return [SendbirdRoutes<GatewayCore>(sandbox, hasOwnPaths: !settings.flag(.cxoneSandbox))]
        #else
            try settings.refuse([.sendbirdSandbox], part: "Sendbird")
            return []
        #endif
    }
}
