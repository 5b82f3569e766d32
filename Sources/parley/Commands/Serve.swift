import ArgumentParser
import Foundation
import Gateway
import Logging
import MicroHTTP
import ServiceLifecycle
import UnixSignals

/// `parley serve`: runs the gateway until it is told to stop.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Run the gateway (what parley alone does).")

    @OptionGroup var flags: SettingFlags

    func run() async throws {
        do {
            let settings = try await flags.settings()
            let log = try Self.log(settings)
            defer { log.lines.flush() }
            // A peer that goes away while it is written to is an error of that write, not the end of the process.
            signal(SIGPIPE, SIG_IGN)
            _ = raiseDescriptorLimit()
            let (gateway, bot) = try await GatewayService.make(settings, log: log)
            try await run(gateway, bot.map(BotService.init))
        } catch let error as any Error & CustomStringConvertible {
            FileHandle.standardError.write(Data("parley: \(error.description)\n".utf8))
            throw ExitCode(1)
        }
    }

    /// SIGTERM and SIGINT stop gracefully, which takes 10 s at most. Another SIGTERM changes nothing then, for supervisors
    /// repeat it. A SIGINT in that time, a person's second Ctrl-C, ends the process at once.
    ///
    /// Before this runs, both end the process as they end any: the store is safe at every moment.
    private func run(_ gateway: GatewayService, _ bot: BotService?) async throws {
        var services: [any Service] = [gateway]
        if let bot { services.insert(bot, at: 0) }
        let configuration = ServiceGroupConfiguration(
            services: services.map { .init(service: $0, successTerminationBehavior: .ignore) },
            logger: Logger(label: "lifecycle") { _ in SwiftLogNoOpLogHandler() })
        let group = ServiceGroup(configuration: configuration)
        // Before anybody can connect, so that no signal finds the gateway half started.
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        try gateway.start()
        let watcher = Task {
            var isStopping = false
            for await signal in signals {
                if isStopping, signal == .sigint {
                    gateway.server.stopNow()
                    Foundation.exit(130)
                }
                if isStopping { continue }
                isStopping = true
                Self.limitTheEnd()
                await group.triggerGracefulShutdown()
            }
        }
        defer { watcher.cancel() }
        try await group.run()
    }

    /// Ends the process when the graceful stop takes too long, whether or not somebody reads what it says of that.
    private static func limitTheEnd() {
        DispatchQueue.global().asyncAfter(deadline: .now() + GatewayService.longestEnd) {
            let written = DispatchSemaphore(value: 0)
            // Writing to a full pipe would wait until it is read.
            Thread.detachNewThread {
                FileHandle.standardError.write(Data("parley: the end took too long\n".utf8))
                written.signal()
            }
            _ = written.wait(timeout: .now() + .milliseconds(200))
            _exit(1)
        }
    }

    private static func log(_ settings: Settings) throws(SettingsError) -> LogOutput {
        guard let level = Logger.Level(rawValue: settings.string(.logLevel)) else {
            throw SettingsError("log-level must be one of \(Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        guard let verbosity = LogVerbosity(rawValue: settings.string(.logVerbosity)) else {
            throw SettingsError("log-verbosity must be one of \(LogVerbosity.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        return LogOutput(level: level, verbosity: verbosity)
    }
}
