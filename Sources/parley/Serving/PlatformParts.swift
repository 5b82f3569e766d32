import Chat
import ChatStore
import Gateway
import HTTPRouting
import LocalService

#if CXone
    import CXoneSandbox
    import CXoneService
    import HTTPClientPort
    import Outbound

    /// NICE CXone: the service on which sessions can be made, and the sandbox that stands in for the platform. A build
    /// without the trait `CXone` has the other one below.
    struct PlatformParts: Sendable {
        static let isBuilt = true
        /// Services beside the embedded one.
        let services: [any ChatService]
        /// Why a known service is not there, by its id.
        var missing: [String: String] { [:] }

        /// - Parameters:
        ///   - folder: the gateway's data folder.
        ///   - key: encrypts the platform's tokens in the database; nil: they are kept in the folder.
        ///   - addresses: where the platform may be, and from where files may be fetched that are not on its own hosts.
        init(
            _ settings: Settings, store: ChatStore, clock: ContinuousClock, folder: String, sealing key: [UInt8]?,
            addresses: OutgoingAddresses, log: LogOutput
        ) throws {
            let logger = log.logger("cxone")
            let notice: @Sendable (String) -> Void = { logger.warning("\($0)") }
            let rules = addresses.rules
            services = [
                CXoneService(
                    store: store, clock: clock, tokens: key.map(TokenPlace.sealed) ?? .folder(folder + "/cxone"),
                    sockets: NIOSocketPort(judge: rules.judge(.opener), notice: notice),
                    http: AsyncHTTPPort(judge: rules.judge(.opener)),
                    foreignHTTP: AsyncHTTPPort(judge: rules.judge(.platform)),
                    check: { (url) throws(AddressRefusal) in
                        try rules.current.check(TargetAddress(url), by: .opener)
                    }, notice: notice)
            ]
        }

        /// The sandbox of `--cxone-sandbox`; nil without.
        func sandbox(
            _ settings: Settings, service: LocalService, sessions: Sessions, clock: ContinuousClock, key: [UInt8],
            devices: OutgoingParts, log: LogOutput
        ) -> PlatformSandbox? {
            guard settings.flag(.cxoneSandbox) else { return nil }
            let sandbox = Sandbox(
                store: sessions.store, service: service, key: key, clock: clock, logger: log.logger("sandbox"),
                devices: devices.appDevices, memory: sessions.memory)
            let notifications = sessions.notifications
            notifications.onPresence { [weak sandbox] in sandbox?.isPresent($0, account: $1) ?? false }
            sandbox.onLeaving { [weak notifications] in notifications?.left($0) }
            return PlatformSandbox(sandbox: sandbox)
        }
    }

    /// The stand-in for NICE CXone.
    struct PlatformSandbox: Sendable {
        fileprivate let sandbox: Sandbox

        /// - Parameter others: routes among which may be those of other sandboxes.
        func groups(beside others: [any RouteGroup<GatewayCore>]) -> [any RouteGroup<GatewayCore>] {
            [SandboxRoutes<GatewayCore>(sandbox, beside: others)]
        }

        /// Closes the sockets of its clients.
        func close() async { await sandbox.close() }
    }
#else
    /// What a build without the trait `CXone` has instead: no service, and the reason.
    struct PlatformParts: Sendable {
        static let isBuilt = false
        var services: [any ChatService] { [] }
        var missing: [String: String] {
            ["cxone": "This gateway was built without NICE CXone (the package trait CXone)."]
        }

        /// Throws ``SettingsError`` for a setting that only the missing part reads.
        init(
            _ settings: Settings, store: ChatStore, clock: ContinuousClock, folder: String, sealing key: [UInt8]?,
            addresses: OutgoingAddresses, log: LogOutput
        ) throws {
            try settings.refuse([.cxoneSandbox], part: "NICE CXone")
        }

        func sandbox(
            _ settings: Settings, service: LocalService, sessions: Sessions, clock: ContinuousClock, key: [UInt8],
            devices: OutgoingParts, log: LogOutput
        ) -> PlatformSandbox? { nil }
    }

    /// There is none in this build.
    struct PlatformSandbox: Sendable {
        func groups(beside others: [any RouteGroup<GatewayCore>]) -> [any RouteGroup<GatewayCore>] { [] }
        func close() async {}
    }
#endif
