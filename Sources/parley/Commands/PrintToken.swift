import ArgumentParser
import Foundation

/// `parley token`: prints the gateway's own token, for curl and scripts, or exchanges it. The gateway need not be
/// running.
struct PrintToken: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Print the gateway's token, or exchange it.",
        discussion: """
            A running gateway takes another token when it gets SIGHUP (systemctl reload parley).

            EXAMPLES:
              parley token --rotate    # and SIGHUP: both tokens hold
              parley token --retire    # and SIGHUP: the former one holds no more
            """)

    @OptionGroup var place: FolderFlags
    @Flag(help: "Make a new token, and print it. The one before holds as well, until --retire.")
    var rotate = false
    @Flag(help: "Leave only the present token.")
    var retire = false

    func validate() throws {
        guard !(rotate && retire) else {
            throw ValidationError("--rotate and --retire are two steps: give one of them.")
        }
    }

    /// Prints the present token alone on one line, so that `$(parley token)` works in a shell.
    func run() async throws {
        let folder = try await place.folder()
        if rotate || retire { try change(in: folder) }
        guard let token = DataFolder.line(folder + "/token") else { throw Self.missing(folder) }
        print(token)
    }

    private func change(in folder: String) throws {
        do {
            guard var tokens = try DataFolder.knownSecrets("token", in: folder) else { throw Self.missing(folder) }
            if rotate {
                guard tokens.count < DataFolder.mostSecrets else {
                    throw ValidationError("There are \(tokens.count) tokens. End the former ones first: --retire.")
                }
                tokens.insert(DataFolder.newSecret(), at: 0)
            } else {
                tokens.removeLast(tokens.count - 1)
            }
            try DataFolder.write(tokens, to: "token", in: folder)
        } catch let error as DataFolderError {
            throw ValidationError(error.description)
        }
        StandardStreams.writeError("A running gateway takes it when it gets SIGHUP (systemctl reload parley).\n")
    }

    private static func missing(_ folder: String) -> ValidationError {
        ValidationError("There is no token in \(folder): start the gateway first, or name its folder with --data.")
    }
}
