import ChatStore
import Gateway
import HTTPRouting
import LocalService

#if Sendbird
    import SendbirdSandbox
#endif

/// The sandbox that stands in for Sendbird. A build without the trait `Sendbird` has none.
enum SendbirdParts {
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
