import ArgumentParser
import Configuration

/// `parley store`: what is done to a store without its gateway.
struct StoreCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store", abstract: "Check a store.",
        subcommands: [CheckStore.self])
}

/// A command that works on stores. It tells its own failures.
protocol StoreCommand: AsyncParsableCommand {
    var quiet: Bool { get }
    func run(_ output: Output, _ settings: Settings?) throws
    /// What the work needs of the gateway's settings; nil for nothing.
    func settings() async throws -> Settings?
}

extension StoreCommand {
    func settings() async throws -> Settings? { nil }

    func run() async throws {
        let output = Output(format: .table, isQuiet: quiet)
        do {
            let settings = try await settings()
            // It blocks, and nothing else runs in this process.
            try run(output, settings)
        } catch let code as ExitCode {
            throw code
        } catch let failure as CommandFailure {
            output.fail(failure)
            throw ExitCode(failure.status.rawValue)
        } catch let error as SettingsError {
            throw ValidationError(error.description)
        } catch {
            output.fail(CommandFailure(.unreachable, code: "storeUnusable", "\(error)"))
            throw ExitCode(CommandFailure.Status.unreachable.rawValue)
        }
    }
}
