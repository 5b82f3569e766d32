import ArgumentParser
import Formats

/// `parley faults`: what goes wrong in the sandbox, to test an app.
struct FaultCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "faults", abstract: "List, add and remove the faults of the CXone sandbox.",
        subcommands: [List.self, Add.self, Clear.self], defaultSubcommand: List.self)

    static let titles = ["FAULT", "KIND", "CUSTOMER", "EVENT", "COUNT"]
    static let path = GatewayClient.path(["sandbox", "faults"])

    static func row(_ fault: JSONElement) -> [String] {
        [
            fault["id"]?.string, fault["kind"]?.string, fault["customer"]?.string, fault["event"]?.string,
            fault["count"]?.number,
        ].map { $0 ?? "" }
    }

    /// Says what to do about a gateway that has no sandbox. Throws ``CommandFailure``.
    static func explained<T>(_ work: () throws(CommandFailure) -> T) throws(CommandFailure) -> T {
        do throws(CommandFailure) {
            return try work()
        } catch {
            guard (try? JSONText(error.json))?.root["code"]?.string == "notFound" else { throw error }
            throw CommandFailure(
                .refused, code: "notFound", "This gateway has no sandbox: start it with --cxone-sandbox. (notFound)")
        }
    }

    struct List: UsualCommand {
        static let configuration = CommandConfiguration(abstract: "List the faults that have not happened yet.")
        @OptionGroup var flags: ClientFlags

        func run(_ client: GatewayClient, _ output: Output) throws {
            let list = try FaultCommands.explained { () throws(CommandFailure) in
                try Pages(client, path, isPaged: false)
            }
            output.list(list.items, bytes: list.bytes, titles: titles, row: row)
        }
    }

    struct Add: UsualCommand {
        static let configuration = CommandConfiguration(
            abstract: "Let something go wrong.",
            discussion: """
                The kinds are dropSocket and expireToken, which happen at once, and delayAnswer, loseAnswer, \
                duplicatePush, reorderPush and refuse, which wait for a fitting request or push.
                """)
        @Argument(help: "The kind.") var kind: String
        @Option(help: ArgumentHelp("Only for this customer.", valueName: "id")) var customer: String?
        @Option(help: ArgumentHelp("Only for this eventType of the platform.", valueName: "type")) var event: String?
        @Option(help: ArgumentHelp("How many times.", valueName: "count")) var count: Int?
        @Option(help: ArgumentHelp("By how much delayAnswer delays.", valueName: "count")) var milliseconds: Int?
        @Option(
            name: .customLong("error-code"), help: ArgumentHelp("The errorCode of refuse.", valueName: "code"))
        var errorCode: String?
        @OptionGroup var flags: ClientFlags

        func run(_ client: GatewayClient, _ output: Output) throws {
            let fault = try FaultCommands.explained { () throws(CommandFailure) in
                try client.post(path) { json in
                    json.member("kind", kind)
                    json.member("customer", customer)
                    json.member("event", event)
                    if let count { json.member("count", count) }
                    if let milliseconds { json.member("milliseconds", milliseconds) }
                    json.member("errorCode", errorCode)
                }
            }
            output.item(fault, titles: titles, row: row)
        }
    }

    struct Clear: UsualCommand {
        static let configuration = CommandConfiguration(abstract: "Remove the faults that have not happened yet.")
        @OptionGroup var flags: ClientFlags

        func run(_ client: GatewayClient, _ output: Output) throws {
            _ = try FaultCommands.explained { () throws(CommandFailure) in try client.call("DELETE", path) }
            output.note("no fault is due")
        }
    }
}
