import ArgumentParser
import Formats

/// `parley sandbox`: what apps and the CXone sandbox say to each other.
struct SandboxCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sandbox", abstract: "See what apps say to the CXone sandbox, and begin with a clean one.",
        subcommands: [Sockets.self, ListFrames.self, Reset.self])

    struct Sockets: UsualCommand {
        static let configuration = CommandConfiguration(abstract: "List the open sockets of apps, oldest first.")
        @OptionGroup(title: "Global options") var flags: ClientFlags

        private static let titles = ["SOCKET", "CUSTOMER", "CHANNEL", "PLATFORM", "RECEIVED", "SENT", "SINCE"]

        func run(_ client: GatewayClient, _ output: Output) throws {
            let list = try SandboxClient(client).list(["sockets"])
            output.list(list.items, bytes: list.bytes, titles: Self.titles, id: { $0["number"]?.number }) { socket in
                [
                    socket["number"]?.number, socket["customer"]?.string, socket["channel"]?.string,
                    socket["platform"]?.string, socket["received"]?.number, socket["sent"]?.number,
                    socket["since"]?.string,
                ].map { $0 ?? "" }
            }
        }
    }

    struct Reset: UsualCommand {
        static let configuration = CommandConfiguration(
            abstract: "Begin with a clean sandbox.",
            discussion: """
                It closes the sockets of all apps, and removes faults, scripts, frames, devices, and the threads of the \
                customers for whom apps have acted. It asks nothing, so it wants --yes.
                """)
        @Flag(help: "Really remove all this.") var yes = false
        @OptionGroup(title: "Global options") var flags: ClientFlags

        func validate() throws {
            guard yes else {
                throw ValidationError(
                    "This removes the threads of all customers for whom apps have acted. Give --yes to do it.")
            }
        }

        func run(_ client: GatewayClient, _ output: Output) throws {
            let done = try SandboxClient(client).post(["reset"])
            output.item(done, titles: ["SOCKETS", "CUSTOMERS", "THREADS"]) { done in
                ["sockets", "customers", "threads"].map { done[$0]?.number ?? "" }
            }
        }
    }
}
