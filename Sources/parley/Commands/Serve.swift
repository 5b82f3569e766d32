import ArgumentParser
import ChatModel
import ChatStore
import Foundation
import Gateway
import LocalService
import Logging
import MicroHTTP
import PostgresStore
import ServiceLifecycle
import UnixSignals

extension Serve {
    static let configuration = CommandConfiguration(
        abstract: "Run the gateway (what parley alone does).",
        discussion: """
            EXAMPLES:
              parley --demo
              parley --listen 127.0.0.1:0 --data /tmp/chat
              parley --cxone-sandbox --log-level debug
            """)

    /// Reads the settings, composes the gateway and runs it. The log is flushed before the command returns.
    func run() async throws {
        do {
            let supervisor = try Supervisor.own.get()
            let settings = try await self.settings()
            let log = try LogOutput(settings)
            defer { log.lines.flush() }
            let reloads = SettingsReloads(settings, log: log) { try await self.settings() }
            // A write to a closed connection returns an error (`EPIPE`) instead of ending the process.
            signal(SIGPIPE, SIG_IGN)
            // Only a terminal that closes ends the gateway. A daemon's SIGHUP means "read your settings anew", for
            // which it is too early before ``LifeEvents`` catches it.
            if !LifeEvents.hasTerminal { signal(SIGHUP, SIG_IGN) }
            // SQLite's files hold messages. Nobody else may read them, also in a folder that others may enter.
            umask(0o077)
            _ = raiseDescriptorLimit()
            if case .postgres(let address) = try StoreAddress(settings) {
                try await run(StandbyGateway(address, settings, log: log, supervisor: supervisor), reloads) {
                    try await GatewayService.make(reloads, log: log, supervisor: supervisor, active: $0)
                }
                return
            }
            let (gateway, bot) = try await GatewayService.make(reloads, log: log, supervisor: supervisor)
            try await run(gateway, bot.map(BotService.init), events: LifeEvents())
        } catch let code as ExitCode {
            throw code
        } catch let error as ServerError {
            StandardStreams.writeError("parley: \(Self.words(for: error))\n")
            throw ExitCode(1)
        } catch let error as any Error & CustomStringConvertible {
            StandardStreams.writeError("parley: \(error.description)\n")
            throw ExitCode(1)
        } catch {
            // A database that is away may be back when the service manager tries again.
            StandardStreams.writeError("parley: \(StoreAddress.words(for: error))\n")
            let isAway = ChatError(storage: error).code == .storageUnavailable
            throw ExitCode(isAway ? StandbyGateway.lostStatus : 1)
        }
    }

    /// What happened, and the next step where there is one.
    static func words(for error: ServerError) -> String {
        switch error {
        case .addressInUse(.tcp):
            "\(error). If a gateway runs there already, `parley status` shows it; --listen 127.0.0.1:0 takes a free port."
        case .addressInUse:
            "\(error). If a gateway runs there already, `parley status` shows it; --listen names another place."
        case .permissionDenied(.tcp):
            "\(error). Ports below 1024 need rights: --listen 127.0.0.1:8787 takes one that does not."
        default: error.description
        }
    }

    /// Runs until a signal. SIGTERM and SIGINT stop the gateway gracefully, which takes 10 s at most. Supervisors
    /// repeat SIGTERM, so another one changes nothing. A SIGINT during the stop, for instance a second Ctrl-C, ends
    /// the process at once with status 130.
    ///
    /// Before this function runs, both signals end the process in the default way. The store is safe at every moment.
    private func run(_ gateway: GatewayService, _ bot: BotService?, events: LifeEvents) async throws {
        // Each has a name: without one the library would print the whole gateway by reflection, secrets and all.
        var services = [service(gateway, "gateway")]
        if let bot { services.insert(service(bot, "bot"), at: 0) }
        let configuration = ServiceGroupConfiguration(
            services: services,
            logger: Logger(label: "lifecycle") { _ in SwiftLogNoOpLogHandler() })
        let group = ServiceGroup(configuration: configuration)
        // The signals are caught by now, so that no signal finds the gateway half started.
        try gateway.start()
        let watcher = Task {
            var isStopping = false
            for await event in events.stream {
                switch event {
                case .signal(.sighup) where !LifeEvents.hasTerminal:
                    // It may wait for the database. What is told of the lease is read meanwhile.
                    gateway.reloads.soon { await gateway.reload() }
                case .signal(.sigusr2):
                    if isStopping { continue }
                    guard let standby = gateway.standby else {
                        gateway.logger.warning("there is no standby to hand over to")
                        continue
                    }
                    // Other events, such as a second signal, are read meanwhile.
                    Task { if await standby.beginHandover() { events.tell(.handingOver) } }
                case .handingOver:
                    if isStopping { continue }
                    isStopping = true
                    gateway.standby?.holdRequests()
                    Self.limitTheEnd()
                    await group.triggerGracefulShutdown()
                case .signal(let signal):
                    if isStopping, signal == .sigint {
                        gateway.server.stopNow()
                        Foundation.exit(130)
                    }
                    if isStopping { continue }
                    isStopping = true
                    Self.limitTheEnd()
                    await group.triggerGracefulShutdown()
                case .lease(.lost(let loss)):
                    gateway.stepDown(loss)
                    if isStopping { continue }
                    isStopping = true
                    Self.limitTheEnd(status: StandbyGateway.lostStatus)
                    await group.triggerGracefulShutdown()
                case .lease(.reconnected):
                    Task { await gateway.findLostCommits() }
                case .lease(.suspended):
                    if !isStopping { gateway.suspend() }
                case .lease(.resumed):
                    if !isStopping { gateway.resume() }
                case .lease(let news): gateway.standby?.handle(news)
                case .timeIsOver: break
                }
            }
        }
        defer { watcher.cancel() }
        try await group.run()
    }

    /// Waits as a standby until this gateway may serve the database, and then serves it, until a signal or until the lease
    /// is lost; then throws the exit status that tells a service manager to start it again.
    private func run(
        _ standby: StandbyGateway, _ reloads: SettingsReloads,
        _ make: ((standby: StandbyGateway, fence: PostgresFence)) async throws -> (
            service: GatewayService, bot: DemoBot?
        )
    ) async throws {
        let events = await LifeEvents()
        reloads.begin(with: try standby.folder.tokens(reloads.current))
        try standby.start { events.tell(.lease($0)) }
        for await event in events.stream {
            switch event {
            case .signal(.sighup) where !LifeEvents.hasTerminal:
                // What has changed holds when this gateway takes over.
                await reloads.reload(in: standby.folder) { standby.follow($1, tokens: $2) }
            case .signal(.sigusr2): continue
            case .signal: return await standby.stop()
            case .lease(.refused(let reason)): throw SettingsError(reason)
            case .lease(.active(let fence)):
                standby.handle(.active(fence))
                let made: (service: GatewayService, bot: DemoBot?)
                do {
                    made = try await make((standby, fence))
                } catch let error as SettingsError {
                    await standby.release()
                    throw error
                } catch {
                    // Another gateway may be able to. This one does not end at once: a service manager that starts it
                    // again and again would give it up.
                    await standby.giveUp(StoreAddress.words(for: error))
                    await events.signal(within: StandbyGateway.pauseAfterFailure)
                    await standby.stop()
                    throw ExitCode(StandbyGateway.lostStatus)
                }
                do {
                    try await run(made.service, made.bot.map(BotService.init), events: events)
                } catch {
                    await standby.release()
                    throw error
                }
                await standby.release()
                if standby.lost != nil || standby.isHandingOver { throw ExitCode(StandbyGateway.lostStatus) }
                return
            case .lease(let news): standby.handle(news)
            case .timeIsOver, .handingOver: break
            }
        }
    }

    private func service(_ service: any Service, _ name: String) -> ServiceGroupConfiguration.ServiceConfiguration {
        .init(service: service, successTerminationBehavior: .ignore, serviceName: name)
    }

    /// Ends the process with a status when the graceful stop takes too long, also when nobody reads standard error.
    private static func limitTheEnd(status: Int32 = 1) {
        DispatchQueue.global().asyncAfter(deadline: .now() + GatewayService.longestEnd) {
            let written = DispatchSemaphore(value: 0)
            // A write to a full pipe would block until somebody reads it.
            Thread.detachNewThread {
                StandardStreams.writeError("parley: the shutdown took too long\n")
                written.signal()
            }
            _ = written.wait(timeout: .now() + .milliseconds(200))
            _exit(status)
        }
    }
}

/// What ends a gateway, or lets it begin to serve: signals of the system, and news of the lease.
private struct LifeEvents: Sendable {
    enum Event: Sendable {
        case signal(UnixSignal)
        case lease(LeaseNews)
        /// A standby is prepared to take over.
        case handingOver
        /// The wait of ``signal(within:)`` is over.
        case timeIsOver
    }

    /// One task at a time reads it.
    let stream: AsyncStream<Event>
    let tell: @Sendable (Event) -> Void

    /// Returns after a time, or when a signal comes before. Other events are dropped.
    func signal(within limit: Duration) async {
        let alarm = Task { [tell] in
            try await Task.sleep(for: limit)
            tell(.timeIsOver)
        }
        defer { alarm.cancel() }
        for await event in stream {
            switch event {
            case .signal, .timeIsOver: return
            case .lease, .handingOver: continue
            }
        }
    }

    /// Whether somebody started the process in a terminal. When that closes, the system sends SIGHUP.
    static var hasTerminal: Bool { isatty(STDIN_FILENO) == 1 }

    /// Catches SIGTERM, SIGINT, SIGHUP and SIGUSR2 from now on, until the process ends.
    init() async {
        let (stream, continuation) = AsyncStream.makeStream(of: Event.self)
        self.stream = stream
        tell = { continuation.yield($0) }
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint, .sighup, .sigusr2)
        Task { for await signal in signals { continuation.yield(.signal(signal)) } }
    }
}
