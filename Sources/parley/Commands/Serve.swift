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
            try gateway.start()
            try await run(gateway, bot.map(BotService.init))
        } catch let error as any Error & CustomStringConvertible {
            FileHandle.standardError.write(Data("parley: \(error.description)\n".utf8))
            throw ExitCode(1)
        }
    }

    /// The first SIGTERM or SIGINT stops gracefully; the second at once.
    private func run(_ gateway: GatewayService, _ bot: BotService?) async throws {
        var services: [any Service] = [gateway]
        if let bot { services.insert(bot, at: 0) }
        let configuration = ServiceGroupConfiguration(
            services: services.map { .init(service: $0, successTerminationBehavior: .ignore) },
            logger: Logger(label: "lifecycle") { _ in SwiftLogNoOpLogHandler() })
        let group = ServiceGroup(configuration: configuration)
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        let watcher = Task {
            var isStopping = false
            for await _ in signals {
                if isStopping {
                    gateway.server.stopNow()
                    Foundation.exit(130)
                }
                isStopping = true
                await group.triggerGracefulShutdown()
            }
        }
        defer { watcher.cancel() }
        try await group.run()
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
