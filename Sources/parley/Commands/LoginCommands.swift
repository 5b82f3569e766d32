import ArgumentParser
import Formats

/// `parley login`: the browsers that are signed in.
struct LoginCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login", abstract: "List the browsers that are signed in, and sign them out.",
        discussion:
            "A browser signs in with an address of `parley open`, or as a person. What it has opened ends when it is signed out.",
        subcommands: [List.self, Remove.self], defaultSubcommand: List.self)

    struct List: UsualCommand {
        static let configuration = CommandConfiguration(abstract: "List the logins, the oldest first.")
        @OptionGroup(title: "Global options") var flags: ClientFlags

        func run(_ client: GatewayClient, _ output: Output) throws {
            let list = try client.get("/v1/logins")
            output.list(
                list.root["items"]?.elements ?? [], bytes: Array(list.root.bytes),
                titles: ["LOGIN", "PERSON", "BROWSER", "BY", "SINCE", "LAST USED", "ENDS"]
            ) { login in
                [
                    login["id"]?.string, login["person"]?.string ?? "gateway", login["browser"]?.string,
                    login["how"]?.string, login["createdAt"]?.string, login["lastUsedAt"]?.string,
                    login["expiresAt"]?.string,
                ].map { $0 ?? "" }
            }
        }
    }

    struct Remove: UsualCommand {
        static let configuration = CommandConfiguration(abstract: "Sign a browser out, at once.")
        @Argument(help: "The login's id.") var login: String
        @OptionGroup(title: "Global options") var flags: ClientFlags

        func run(_ client: GatewayClient, _ output: Output) throws {
            _ = try client.call("DELETE", GatewayClient.path(["logins", login]))
            output.note("the login \(login) has ended")
        }
    }
}
