import Assistants
import Bounds
import Chat
import ChatModel
import ChatStore
import Formats
import Foundation
import Gateway
import HTTPRouting
import LocalService
import Logging
import MicroHTTP
import Pages
import PostgresStore
import ServiceLifecycle

/// The whole gateway, composed from its modules. This is the only place that knows all services.
struct GatewayService: Service {
    let application: GatewayApplication
    let server: HTTPServer
    /// All sessions, those of the embedded service and those of NICE CXone.
    let sessions: Sessions
    /// The database and the files. It is closed last, when nothing writes any more.
    let store: ChatStore
    /// Webhooks and pushes.
    let outgoing: OutgoingParts
    /// Where requests of the gateway's own may go.
    let addresses: OutgoingAddresses
    /// The data folder. It is locked until the process ends.
    let folder: DataFolder
    let logger: Logger
    /// The page of a shop with the chat; nil without `--demo`.
    let shop: OpenShop?
    /// The stand-in for NICE CXone; nil without `--cxone-sandbox`.
    let sandbox: PlatformSandbox?
    /// What the gateway follows of its settings when they are read anew.
    let reloads: SettingsReloads
    /// The service manager that wants to hear of the gateway; nil without one.
    let notices: NotifySocket?
    /// What listens already, and holds the lease; nil on SQLite.
    let standby: StandbyGateway?

    /// How long a graceful stop waits for requests and streams to end. The store needs the rest of ``longestEnd``: on a
    /// busy machine, it takes more than a second to write its log into the database.
    static let grace = Duration.seconds(6)
    /// Seconds after which a stop that has not ended is cut off.
    static let longestEnd = 9.5

    /// Opens the data folder and composes the gateway, which does not listen yet. Errors describe themselves to
    /// whoever started it.
    ///
    /// Returns also the bot of `--demo`, if it is wanted. When the demonstration cannot be made, a warning says why, and
    /// there is no bot.
    ///
    /// Nothing is sent here. Sessions are read from the database, but they connect only in ``run()``.
    static func make(
        _ reloads: SettingsReloads, log: LogOutput, supervisor: Supervisor,
        active: (standby: StandbyGateway, fence: PostgresFence)? = nil
    ) async throws -> (service: GatewayService, bot: DemoBot?) {
        let settings = reloads.current
        // A gateway that takes over goes on with the server of the standby, and with its counter.
        let memory = active?.standby.memory ?? ByteCounter(limit: settings.number(.memoryLimit))
        let serving = try serving(settings, supervisor, memory)
        let folder = try active?.standby.folder ?? DataFolder(settings.string(.data))
        let hadDatabase = folder.has("parley.sqlite")
        let renewed = [("key", Setting.keyFile), ("token", .tokenFile)]
            .filter { hadDatabase && !folder.has($0.0) && settings.string($0.1).isEmpty }.map(\.0)
        let key = try folder.secret("key", from: settings.string(.keyFile))
        let tokens = try folder.tokens(settings)
        reloads.begin(with: tokens)
        let secrets = TokenSecrets(gatewayTokens: tokens.map(Base64URL.encode), key: key)
        var options = StoreOptions()
        options.retention = Retention(settings)
        options.quotas = AccountQuotas(settings)
        options.hotRowsCapacity = settings.number(.storeMemory)
        let store =
            if let active {
                try await active.standby.open(active.fence, options)
            } else {
                try ChatStore.open(folder: folder.path, options: options, environment: .system)
            }
        let clock = ContinuousClock()
        let local = try await LocalService(store: store, clock: clock)
        let desk = local.desk
        let addresses = try OutgoingAddresses(settings)
        let platform = try PlatformParts(
            settings, store: store, clock: clock, folder: folder.path, sealing: active == nil ? nil : key,
            addresses: addresses, log: log)
        let sendbird = try await SendbirdParts(
            settings, service: local, store: store, clock: clock, key: key, addresses: addresses, memory: memory,
            log: log)
        let sessions = Sessions(
            store: store, services: [local] + platform.services + sendbird.services,
            missing: platform.missing.merging(sendbird.missing) { first, _ in first }, clock: clock,
            pace: .milliseconds(settings.number(.syncPace)), memory: memory)
        try await sessions.load()

        var configuration = GatewayConfiguration(version: Parley.version)
        configuration.fence = active?.fence.number
        configuration.isPublic = settings.flag(.listenPublic)
        configuration.trustsProxy = settings.flag(.trustProxy)
        configuration.proxyHops = settings.number(.proxyHops)
        guard configuration.proxyHops == 0 || configuration.trustsProxy else {
            throw SettingsError("--proxy-hops needs --trust-proxy.")
        }
        configuration.identityProxy = try IdentityProxy.from(settings)
        func path(_ setting: Setting) -> String? { settings.string(setting).isEmpty ? nil : settings.string(setting) }
        let documents = try Documents(pages: path(.web), guide: path(.docs), document: path(.openapi))
        configuration.hasDocument = path(.openapi) != nil
        configuration.customerTexts = documents.customerTexts
        configuration.customerHost = path(.customerHost)
        configuration.maximumBody = settings.number(.bodyLimit)
        let logger = log.logger("gateway")
        for name in renewed {
            let loss =
                name == "key"
                ? "the tokens of all sessions are not valid any more"
                : "the gateway's former token is not valid any more"
            logger.warning("The file \(folder.path)/\(name) was missing. A new one was made: \(loss).")
        }
        let demonstration = settings.flag(.demo) ? await demonstration(of: local, clock: clock, logger) : nil
        if demonstration != nil {
            configuration.demonstration = DemonstrationNote(
                service: LocalService.serviceID, customer: Demonstration.customer.id, channels: Demonstration.channels)
        }
        let port = serving.listeners.compactMap { listener -> UInt16? in
            if case .tcp(_, let port) = listener { port } else { nil }
        }.first
        let shop = demonstration == nil ? nil : port.flatMap { OpenShop(pages: settings.string(.web), behind: $0) }
        configuration.rules = try GatewayRules(settings, shop: Set(shop?.origins ?? []))
        let outgoing = try OutgoingParts(
            settings, sessions: sessions, clock: clock, key: key, addresses: addresses,
            callbacks: sendbird.callbacks, log: log)
        let sandbox = platform.sandbox(
            settings, service: local, sessions: sessions, clock: clock, key: key, devices: outgoing, log: log)
        let stand =
            sendbird.groups(settings, service: local, store: store, clock: clock, key: key, outgoing: outgoing)
            + sendbird.hooks
        guard let assistants = MCPAccess(rawValue: settings.string(.mcp)) else {
            throw SettingsError("mcp must be one of \(MCPAccess.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        var rates = ToolRates()
        (rates.readsPerMinute, rates.writesPerMinute) = (settings.number(.mcpReads), settings.number(.mcpWrites))
        let mcp = assistants == .off ? [] : [MCPRoutes(desk: desk, access: assistants, rates: rates)]
        let groups: [any RouteGroup<GatewayCore>] =
            [DeskRoutes(desk: desk)] + outgoing.groups + (sandbox?.groups(beside: stand) ?? []) + stand + mcp
        let application = GatewayApplication(
            configuration: configuration, sessions: sessions, store: store,
            groups: groups + documents.groups(beside: groups), secrets: secrets,
            logControl: log, logger: logger, environment: .system, clock: clock)
        try await application.loadAccess()

        let server = active?.standby.server ?? HTTPServer(configuration: serving, handler: application)
        application.attach(to: server)
        let service = GatewayService(
            application: application, server: server, sessions: sessions, store: store, outgoing: outgoing,
            addresses: addresses, folder: folder,
            logger: logger, shop: shop, sandbox: sandbox,
            reloads: reloads, notices: supervisor.notices, standby: active?.standby)
        return (service, demonstration?.bot)
    }

    /// Where the gateway listens, and within which limits.
    ///
    /// - Parameter memory: counts what the process holds in memory for its clients. There is one for the process.
    static func serving(
        _ settings: Settings, _ supervisor: Supervisor, _ memory: ByteCounter
    ) throws -> ServerConfiguration {
        let listeners = try ListenAddress.all(settings, supervisor.sockets)
        var serving = ServerConfiguration(listeners: listeners.map(\.listener))
        serving.maxBody = settings.number(.bodyLimit)
        serving.maxConnections = settings.number(.connectionLimit)
        serving.maxStreams = settings.number(.streamLimit)
        serving.maxMemory = memory.limit
        serving.memory = memory
        serving.heartbeat = .seconds(settings.number(.streamHeartbeat))
        serving.stallLimit = .seconds(settings.number(.streamStall))
        if let notices = supervisor.notices, let interval = supervisor.watchdogInterval {
            serving.pulse = (interval, { notices.tellAlive() })
        }
        return serving
    }

    /// The demonstration; nil, with a warning, when it cannot be made.
    private static func demonstration(
        of service: LocalService, clock: any Clock<Duration>, _ logger: Logger
    ) async -> Demonstration? {
        do {
            return try await Demonstration(of: service, clock: clock, sha256: SHA256.hash)
        } catch {
            logger.warning("there is no demonstration", metadata: ["error": "\(error.detail)"])
            return nil
        }
    }

    /// Begins to listen, writes the address into the data folder (without one, the path of the socket), and prints where the page is. Throws
    /// ``ServerError``, or ``DataFolderError``.
    ///
    /// Webhooks and pushes may not lead to the gateway itself. The addresses to refuse are known only now, because a
    /// port of 0 lets the system choose one.
    func start() throws {
        if standby == nil { try server.start() }
        addresses.refuse(server.addresses)
        standby?.serve(application)
        let address = server.addresses.compactMap(Self.url).first
        // For the commands, and for programs that start the gateway on any free port.
        try publish(address, as: "address")
        try publish(address == nil ? server.addresses.compactMap(Self.socket).first : nil, as: "socket")
        var lines = ["Parley \(Parley.version)"]
        lines += server.addresses.map { "  listening on  \(Self.url($0) ?? "\($0)")" }
        if let address {
            // What is kept in a log must not let anybody in.
            let page =
                notices == nil && isatty(STDERR_FILENO) == 1
                ? "\(application.issueLaunchPath())  (once, within 10 minutes; then: \(openCommand))"
                : "  (\(openCommand))"
            lines.append("  page          \(address)\(page)")
            for (name, path) in [("desk", "/desk"), ("reference", "/docs"), ("inspector", "/inspect")] {
                lines.append("  \(name.padded(to: 14))\(address)\(path)")
            }
            if let shop {
                shop.shop.show(address)
                lines.append("  shop          \(shop.address)  (a page with the chat on it)")
            }
        }
        lines.append("  data folder   \(folder.path)")
        StandardStreams.writeError(lines.joined(separator: "\n") + "\n")
    }

    /// Answers as a standby while the database is away, and leaves the platforms to a gateway that may take over.
    func suspend() {
        standby?.suspend()
        sessions.suspend()
    }

    /// Answers again after a suspension.
    func resume() {
        Task {
            await standby?.resume(application) {
                await findLostCommits()
            } begin: {
                sessions.resume()
            }
        }
    }

    /// Answers as a standby again, and leaves the platforms to the gateway that has taken over.
    func stepDown(_ loss: LeaseLoss) {
        standby?.stepDown(loss)
        sessions.suspend()
    }

    /// The database may be a promoted standby that has lost commits. The writer finds that out with its next group, which
    /// is this one at the latest.
    func findLostCommits() async { try? await store.write { _ in } }

    /// Does the regular work, once a minute, until a graceful shutdown; then stops everything in order: streams and
    /// requests, deliveries, store.
    func run() async throws {
        await outgoing.start()
        // A platform may be slow or unreachable, so nothing waits for it.
        let connecting = Task {
            await sessions.finishLoading()
            logger.info("ready")
            async let announced: Void = announce()
            async let erased: Void = resumeErasures()
            await sessions.reconnect()
            await announced
            await erased
        }
        await withGracefulShutdownHandler {
            store.startSearch()
            // Events also get too old while nobody writes.
            var minute = 0
            while !Task.isShuttingDownGracefully, !Task.isCancelled {
                await store.trim()
                await outgoing.maintain()
                if minute % 60 == 0 { await cancelWhenGracefulShutdown { await sweepFiles() } }
                application.noteSessionUse()
                application.endExpiredAccess()
                if minute % 60 == 59 {
                    await maintain()
                    await applyRetention()
                    await resumeErasures()
                }
                if minute == 0 { StartedCode.giveBack() }
                minute += 1
                try? await cancelWhenGracefulShutdown { try await Task.sleep(for: .seconds(60)) }
            }
        } onGracefulShutdown: {
            application.drain()
            notices?.notify("STOPPING=1", "STATUS=Requests and streams are ending.")
        }
        connecting.cancel()
        async let delivered: Void = outgoing.stop()
        await sandbox?.close()
        await shop?.close()
        if let standby, standby.isHandingOver {
            await standby.finishRequests()
            await delivered
            await store.close()
            await standby.handOver()
            await server.stop(grace: Self.grace)
        } else {
            await server.stop(grace: Self.grace)
            await delivered
            await store.close()
        }
        folder.remove("address")
        folder.remove("socket")
        logger.info("stopped")
    }

    /// Tells the service manager that the gateway is ready, as soon as `/readyz` says so. Looks once a second.
    private func announce() async {
        guard let notices else { return }
        while !Task.isCancelled {
            let faults = await application.readinessFaults()
            if faults.isEmpty {
                let places = server.addresses.map { Self.url($0) ?? "\($0)" }.joined(separator: ", ")
                if !notices.notify("READY=1", "STATUS=Ready at \(places).") {
                    logger.warning("the service manager cannot be told that the gateway is ready")
                }
                return
            }
            notices.notify("STATUS=Not ready: \(faults.joined(separator: ", ")).")
            try? await Task.sleep(for: .seconds(1))
        }
    }

    /// The command that gives another address of the page, as this shell finds the program and the gateway.
    private var openCommand: String {
        let program = CommandLine.arguments.first ?? "parley"
        return program + " open" + (folder.path == Settings.dataFolder() ? "" : " --data \(folder.path)")
    }

    /// Writes where the gateway listens into a file of the data folder, or removes what a crash has left there.
    private func publish(_ place: String?, as name: String) throws {
        if let place { try folder.write(place + "\n", to: name) } else { folder.remove(name) }
    }

    /// Deletes unused sessions and what else has ended, once an hour. A failure is logged, and the next hour tries again.
    private func maintain() async {
        do {
            try await application.maintain()
        } catch {
            logger.warning("unused sessions could not be deleted", metadata: ["error": "\(error.detail)"])
        }
    }

    /// Removes what channels keep no longer, once an hour. A failure is logged, and the next hour goes on.
    private func applyRetention() async {
        do {
            try await application.applyRetention()
        } catch {
            logger.warning("old conversations could not be removed", metadata: ["error": "\(error.detail)"])
        }
    }

    /// Goes on to erase customers where the last process stopped, at the start and once an hour.
    private func resumeErasures() async {
        do {
            try await application.resumeErasures()
        } catch {
            logger.warning("a customer could not be erased yet", metadata: ["error": "\(error.detail)"])
        }
    }

    /// Sweeps the attachments' files, once an hour and at the start. Files without a row are worth a warning: the
    /// database may be the wrong one.
    private func sweepFiles() async {
        let sweep = await store.sweepFiles()
        guard sweep.setAside + sweep.deleted > 0 else { return }
        logger.warning(
            "files were found that belong to no attachment in the database",
            metadata: [
                "setAside": "\(sweep.setAside)", "deleted": "\(sweep.deleted)",
                "folder": "\(folder.path)/files/unclaimed",
                "keptForDays": "\(FileSweep.graceInMilliseconds / 86_400_000)",
            ])
    }

    /// The address as a URL that works on this machine: for a wildcard address, that of the loopback. Nil for a Unix
    /// socket.
    static func url(_ address: BoundAddress) -> String? {
        guard case .tcp(let host, let port) = address else { return nil }
        let name = host == "0.0.0.0" ? "127.0.0.1" : host == "::" ? "[::1]" : host.contains(":") ? "[\(host)]" : host
        return "http://\(name):\(port)"
    }

    /// The absolute path of a UNIX socket; nil for any other address, and for a socket without a file.
    private static func socket(_ address: BoundAddress) -> String? {
        guard case .unix(let path) = address, !path.hasPrefix("@") else { return nil }
        return URL(fileURLWithPath: path).path
    }
}

/// The bot of `--demo` as a service of the group; a graceful shutdown cancels it.
struct BotService: Service {
    let bot: DemoBot

    /// Ends when the graceful shutdown cancels it.
    func run() async throws {
        await cancelWhenGracefulShutdown { await bot.run() }
    }
}
