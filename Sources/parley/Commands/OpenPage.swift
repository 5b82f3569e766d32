import ArgumentParser
import ChatModel
import Formats
import Foundation
import FoundationNetworking

/// `parley open`: opens the chat page of the running gateway, signed in by a one-time code.
///
/// It reads the gateway's address and token from the data folder. When no browser starts, it prints the address and
/// exits with 1.
struct OpenPage: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open", abstract: "Open the chat page of the running gateway.")

    @OptionGroup var place: FolderFlags
    @Flag(name: .customLong("print"), help: "Print the page's address instead of opening it.")
    var prints = false

    /// The gateway removes the file `address` when it stops. After a crash the file stays, and the request fails.
    func run() async throws {
        let folder = try await place.folder()
        guard let address = DataFolder.line(folder + "/address"), let token = DataFolder.line(folder + "/token") else {
            throw ValidationError(
                "No gateway is running on \(folder): start one with parley, or name its folder with --data.")
        }
        let page = try await launchAddress(of: address, token: token)
        if prints { return print(page) }
        guard !open(page) else { return }
        print(page)
        FileHandle.standardError.write(
            Data("parley: no browser could be started here; open this address, once and within 10 minutes.\n".utf8))
        throw ExitCode(1)
    }

    /// Asks the gateway for a page address with a new code. The code works once, within 10 minutes.
    private func launchAddress(of address: String, token: String) async throws -> String {
        guard let url = URL(string: address + "/auth/codes") else { throw ValidationError("\(address) is not a URL.") }
        var request = URLRequest(url: url, timeoutInterval: 5)
        request.httpMethod = "POST"
        request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        guard let (body, answer) = try? await URLSession.shared.data(for: request) else {
            throw ValidationError("The gateway at \(address) does not answer.")
        }
        guard (answer as? HTTPURLResponse)?.statusCode == 201,
            let path = try? JSONParser.parse([UInt8](body))["url"]?.string
        else {
            throw ValidationError("The gateway at \(address) refused to give out a page address.")
        }
        return path.hasPrefix("http") ? path : address + path
    }

    /// Starts a browser through `xdg-open`, and waits for that program. Returns whether it worked.
    private func open(_ page: String) -> Bool {
        guard
            let opener = ["/usr/bin/xdg-open", "/usr/local/bin/xdg-open"].first(
                where: FileManager.default.isExecutableFile)
        else { return false }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: opener)
        process.arguments = [page]
        // Without a desktop, xdg-open prints a line for every browser that it does not find.
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
