import ArgumentParser
import Foundation

/// `parley handover`: lets a standby take over from the gateway of a data folder on this machine.
struct HandOver: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "handover", abstract: "Let a standby take over, without a refused request.",
        discussion: """
            For planned work on the active one of several gateways on one PostgreSQL database. It ends with status 75, by \
            which a service manager starts it again, as a standby. Run it as root or as the gateway's user.
            """)

    @OptionGroup var place: FolderFlags

    /// How long a gateway may take that does hand over.
    private static let limit = Duration.seconds(20)

    /// Sends SIGUSR2, and returns when the process has ended.
    func run() async throws {
        let folder = try await place.folder()
        guard let process = DataFolder.process(on: folder) else {
            throw ValidationError("No gateway runs on \(folder): name the folder of the active one with --data.")
        }
        guard kill(process, SIGUSR2) == 0 else {
            throw ValidationError(
                "The gateway (process \(process)) cannot be asked: \(String(cString: strerror(errno))).")
        }
        let end = ContinuousClock.now + Self.limit
        while DataFolder.process(on: folder) == process {
            guard ContinuousClock.now < end else {
                StandardStreams.writeError("The gateway goes on. Its log says why: most likely there is no standby.\n")
                throw ExitCode(1)
            }
            try await Task.sleep(for: .milliseconds(50))
        }
        print("The gateway has handed over.")
    }
}
