import Chat
import ChatModel
import ChatStore
import Logging

/// What all routes share.
final class GatewayCore: Sendable {
    let configuration: GatewayConfiguration
    let store: ChatStore
    let sessions: Sessions
    let environment: ModelEnvironment
    let logger: Logger
    let tokens: TokenAuthority
    let launchCodes: LaunchCodes
    let failures: FailureLimiter
    let hosts: HostList
    let hub: StreamHub
    let metrics: GatewayMetrics
    let keys = KeysInFlight()
    let life = GatewayLife()
    let logControl: any LogControl

    init(
        configuration: GatewayConfiguration, store: ChatStore, sessions: Sessions, tokens: TokenSecrets,
        environment: ModelEnvironment, logger: Logger, logControl: any LogControl
    ) {
        self.configuration = configuration
        self.store = store
        self.sessions = sessions
        self.environment = environment
        self.logger = logger
        self.logControl = logControl
        self.tokens = TokenAuthority(
            secrets: tokens, instance: store.instance, generation: { sessions.client($0).map { Int($0.generation) } })
        launchCodes = LaunchCodes(environment: environment)
        failures = FailureLimiter(limit: configuration.failuresPerMinute, now: environment.now)
        hosts = HostList(
            allowed: configuration.allowedHosts, isPublic: configuration.isPublic,
            addresses: { [life] in life.loop?.addresses ?? [] })
        hub = StreamHub(log: StoreLog(store: store), random: environment.random)
        metrics = GatewayMetrics()
    }
}
