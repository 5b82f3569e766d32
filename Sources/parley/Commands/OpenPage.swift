import ArgumentParser
import Foundation

/// `parley open`: opens the chat page of the running gateway, signed in by a one-time code.
///
/// When no browser starts, it prints the address and exits with 1.
struct OpenPage: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "open", abstract: "Open the chat page of the running gateway.")

    @OptionGroup var reach: ReachFlags
    @Flag(name: .customLong("print"), help: "Print the page's address instead of opening it.")
    var prints = false

    var wantedOutput: OutputFormat? { .table }
    var isQuiet: Bool { false }

    /// Asks the gateway for a page address with a new code. The code works once, within 10 minutes.
    func run(_ client: GatewayClient, _ output: Output) throws {
        let found = try client.finder.find()
        guard case .tcp = found.address else {
            throw CommandFailure(
                .refused, code: "noPage",
                "No browser reaches \(found.address). Start the gateway with --listen 127.0.0.1:8787 as well.")
        }
        let answer = try GatewayClient.json(client.call("POST", "/auth/codes"))
        guard let page = answer.root["url"]?.string else {
            throw CommandFailure(
                .refused, code: "brokenAnswer", "The gateway at \(found.address) gave no page address.")
        }
        if prints { return output.line(page) }
        guard !open(page) else { return }
        output.line(page)
        throw CommandFailure(
            .refused, code: "noBrowser",
            "no browser could be started here; open this address, once and within 10 minutes.")
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
