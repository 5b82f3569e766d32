import ArgumentParser
import Foundation

/// `parley token`: prints the gateway's own token, for curl and scripts. The gateway need not be running.
struct PrintToken: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "token", abstract: "Print the gateway's token.")

    @OptionGroup var place: FolderFlags

    /// Prints the token alone on one line, so that `$(parley token)` works in a shell.
    func run() async throws {
        let folder = try await place.folder()
        guard let token = DataFolder.line(folder + "/token") else {
            throw ValidationError(
                "There is no token in \(folder): start the gateway first, or name its folder with --data.")
        }
        print(token)
    }
}
