import ArgumentParser
import Formats

/// `parley person`: the shop's people.
struct PersonCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "person", abstract: "Add, invite, list, change and remove the shop's people.",
        discussion: """
            A person signs in with an e-mail address and a password, works under their own name, and may do what their role \
            says: agent, supervisor or administrator.
            """,
        subcommands: [Add.self, List.self, Invite.self, Change.self, SignOut.self, Remove.self],
        defaultSubcommand: List.self)

    private static let titles = ["PERSON", "NAME", "E-MAIL", "ROLE", "CHANNELS", "STATE", "LAST SEEN"]

    private static func row(_ person: JSONElement) -> [String] {
        [
            person["id"]?.string, person["name"]?.string, person["email"]?.string, person["role"]?.string,
            person["channels"]?.elements.map { $0.compactMap(\.string).joined(separator: " ") } ?? "all",
            person["state"]?.string, person["lastSeenAt"]?.string ?? "never",
        ].map { $0 ?? "" }
    }

    /// Prints the address of an invitation alone; with another form the whole answer.
    private static func show(_ invitation: JSONText, _ output: Output) {
        if output.format == .table, let url = invitation.root["url"]?.string { return output.line(url.shownSafely) }
        output.item(invitation, titles: ["ADDRESS", "UNTIL"]) {
            [$0["url"]?.string ?? "", $0["expiresAt"]?.string ?? ""]
        }
    }

    struct Add: UsualCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add a person, and print the address where they choose a password.",
            discussion: """
                The address works once, within seven days. Send it to the person.

                EXAMPLES:
                  parley person add "Mara Lind" mara@shop.example
                  parley person add "Ida Boss" ida@shop.example --role administrator
                  parley person add "Bo Berg" bo@shop.example --channel support --public-name Bo
                """)
        @Argument(help: "The name.") var name: String
        @Argument(help: "The e-mail address, by which they sign in.") var email: String
        @Option(help: ArgumentHelp("agent, supervisor or administrator.", valueName: "role")) var role = "agent"
        @Option(help: ArgumentHelp("The id, under which they act at the desk.", valueName: "id")) var id: String?
        @Option(help: ArgumentHelp("The name that customers see.", valueName: "name")) var publicName: String?
        @Option(
            name: .customLong("channel"),
            help: ArgumentHelp("The only channels that they see; may come several times.", valueName: "channel"),
            completion: IDCompletion.channels)
        var channels: [String] = []
        @OptionGroup(title: "Global options") var flags: ClientFlags

        func run(_ client: GatewayClient, _ output: Output) throws {
            let person = try client.post("/v1/people") { json in
                json.member("id", id)
                json.member("name", name)
                json.member("publicName", publicName)
                json.member("email", email)
                json.member("role", role)
                if !channels.isEmpty { json.member("channels", texts: channels) }
            }
            let made = person.root["id"]?.string ?? ""
            PersonCommands.show(try client.post(GatewayClient.path(["people", made, "invite"])), output)
        }
    }

    struct List: UsualCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the people, in the order in which they were added.")
        @OptionGroup(title: "Global options") var flags: ClientFlags

        func run(_ client: GatewayClient, _ output: Output) throws {
            let list = try client.get("/v1/people")
            output.list(list.root["items"]?.elements ?? [], bytes: Array(list.root.bytes), titles: titles, row: row)
        }
    }

    struct Invite: UsualCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print another address where a person chooses a password.",
            discussion: "For a forgotten password, too. An earlier address ends, and so do all logins once it is used.")
        @Argument(help: "The person's id.") var person: String
        @OptionGroup(title: "Global options") var flags: ClientFlags

        func run(_ client: GatewayClient, _ output: Output) throws {
            PersonCommands.show(try client.post(GatewayClient.path(["people", person, "invite"])), output)
        }
    }

    struct Change: UsualCommand {
        static let configuration = CommandConfiguration(
            abstract: "Change a person's names, e-mail address, role, channels or state.",
            discussion: """
                Another role, other channels and being disabled end what the person has opened.

                EXAMPLES:
                  parley person change mara --role supervisor
                  parley person change bo --channel support --channel sales
                  parley person change bo --all-channels
                  parley person change ida --disable
                """)
        @Argument(help: "The person's id.") var person: String
        @Option(help: ArgumentHelp("The name.", valueName: "name")) var name: String?
        @Option(help: ArgumentHelp("The name that customers see.", valueName: "name")) var publicName: String?
        @Option(help: ArgumentHelp("The e-mail address, by which they sign in.", valueName: "address")) var email:
            String?
        @Option(help: ArgumentHelp("agent, supervisor or administrator.", valueName: "role")) var role: String?
        @Option(
            name: .customLong("channel"),
            help: ArgumentHelp("The only channels that they see; may come several times.", valueName: "channel"),
            completion: IDCompletion.channels)
        var channels: [String] = []
        @Flag(help: "They see all channels.") var allChannels = false
        @Flag(help: "May not sign in any more.") var disable = false
        @Flag(help: "May sign in again.") var enable = false
        @OptionGroup(title: "Global options") var flags: ClientFlags

        func validate() throws {
            if disable, enable { throw ValidationError("Give --disable or --enable, not both.") }
            if allChannels, !channels.isEmpty { throw ValidationError("Give --channel or --all-channels, not both.") }
            let names = [name, publicName, email, role].compactMap(\.self)
            if names.isEmpty, channels.isEmpty, !allChannels, !disable, !enable {
                throw ValidationError("Say what is to change.")
            }
        }

        func run(_ client: GatewayClient, _ output: Output) throws {
            let answer = try client.patch(GatewayClient.path(["people", person])) { json in
                json.member("name", name)
                json.member("publicName", publicName)
                json.member("email", email)
                json.member("role", role)
                if allChannels {
                    json.name("channels")
                    json.raw("null")
                }
                if !channels.isEmpty { json.member("channels", texts: channels) }
                if disable || enable { json.member("state", enable ? "active" : "disabled") }
            }
            output.item(answer, titles: titles, row: row)
        }
    }

    struct SignOut: UsualCommand {
        static let configuration = CommandConfiguration(
            commandName: "sign-out", abstract: "Sign a person out, in all browsers.")
        @Argument(help: "The person's id.") var person: String
        @OptionGroup(title: "Global options") var flags: ClientFlags

        func run(_ client: GatewayClient, _ output: Output) throws {
            _ = try client.call("POST", GatewayClient.path(["people", person, "signOut"]))
            output.inform("\(person) is signed out")
        }
    }

    struct Remove: UsualCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove a person.", discussion: "What they wrote stays theirs.")
        @Argument(help: "The person's id.") var person: String
        @OptionGroup(title: "Global options") var flags: ClientFlags

        func run(_ client: GatewayClient, _ output: Output) throws {
            _ = try client.call("DELETE", GatewayClient.path(["people", person]))
            output.inform("\(person) is removed")
        }
    }
}

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
            output.inform("the login \(login) has ended")
        }
    }
}
