import ArgumentParser
import Formats
import Scenarios

/// `parley faults`: what goes wrong in the sandbox, to test an app.
struct FaultCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "faults", abstract: "List, add and remove the faults of the CXone sandbox.",
        subcommands: [List.self, Add.self, Clear.self, FaultScriptCommands.self], defaultSubcommand: List.self)

    static let titles = ["FAULT", "KIND", "CUSTOMER", "EVENT", "COUNT", "CONDITIONS"]

    static func row(_ fault: JSONElement) -> [String] {
        [
            fault["id"]?.string, fault["kind"]?.string, fault["customer"]?.string, fault["event"]?.string,
            fault["count"]?.number, conditions(fault),
        ].map { $0 ?? "" }
    }

    /// What else must be so, in a few words.
    static func conditions(_ fault: JSONElement) -> String {
        var words: [String] = []
        if let channel = fault["channel"]?.string { words.append("channel \(channel)") }
        for name in ["socket", "nth", "probability", "seed"] as [StaticString] {
            if let number = fault[name]?.number { words.append("\(name) \(number)") }
        }
        if let time = fault["lastsMilliseconds"]?.number { words.append("for \(time) ms") }
        if let time = fault["milliseconds"]?.number { words.append("delay \(time) ms") }
        if let code = fault["errorCode"]?.string { words.append("error code \(code)") }
        return words.joined(separator: ", ")
    }

    struct List: UsualCommand {
        static let configuration = CommandConfiguration(abstract: "List the faults that have not happened yet.")
        @OptionGroup(title: "Global options") var flags: ClientFlags

        func run(_ client: GatewayClient, _ output: Output) throws {
            let list = try SandboxClient(client).list(["faults"])
            output.list(list.items, bytes: list.bytes, titles: titles, row: row)
        }
    }

    struct Add: UsualCommand {
        static let configuration = CommandConfiguration(
            abstract: "Let something go wrong.",
            discussion: """
                The kinds are dropSocket and expireToken, which happen at once unless they have a condition, and \
                delayAnswer, loseAnswer, duplicatePush, reorderPush and refuse, which wait for a fitting request or \
                push. A fault happens once, or with --for any number of times.

                EXAMPLES:
                  parley faults add loseAnswer --event SendMessage --customer ada
                  parley faults add refuse --event openSandboxSocket --for 30s
                """)
        @Argument(help: "The kind.", completion: .list(kinds)) var kind: String
        @OptionGroup var conditions: FaultFlags
        @Option(help: ArgumentHelp("By how much delayAnswer delays.", valueName: "count")) var milliseconds: Int?
        @Option(
            name: .customLong("error-code"), help: ArgumentHelp("The errorCode of refuse.", valueName: "code"))
        var errorCode: String?
        @OptionGroup(title: "Global options") var flags: ClientFlags

        private static let kinds = [
            "delayAnswer", "dropSocket", "duplicatePush", "expireToken", "loseAnswer", "refuse", "reorderPush",
        ]

        func run(_ client: GatewayClient, _ output: Output) throws {
            var json = JSONWriter()
            json.beginObject()
            json.member("kind", kind)
            conditions.write(to: &json)
            if let milliseconds { json.member("milliseconds", milliseconds) }
            json.member("errorCode", errorCode)
            json.endObject()
            let fault = try SandboxClient(client).post(["faults"], body: json.bytes)
            output.item(fault, titles: titles, row: row)
        }
    }

    struct Clear: UsualCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove the faults that have not happened yet, and the scripts.")
        @OptionGroup(title: "Global options") var flags: ClientFlags

        func run(_ client: GatewayClient, _ output: Output) throws {
            try SandboxClient(client).delete(["faults"])
            output.note("no fault is due")
        }
    }
}

/// The flags that say to whom a fault happens, when, and how often.
struct FaultFlags: ParsableArguments {
    @Option(help: ArgumentHelp("Only for this customer.", valueName: "id")) var customer: String?
    @Option(
        help: ArgumentHelp("Only for this eventType of the platform, or this operation over HTTP.", valueName: "type"))
    var event: String?
    @Option(help: ArgumentHelp("Only on this channel.", valueName: "channel"), completion: IDCompletion.channels)
    var channel: String?
    @Option(
        help: ArgumentHelp("Only on the socket of this number.", valueName: "number"), completion: IDCompletion.sockets)
    var socket: Int?
    @Option(help: ArgumentHelp("Begin with the how many-th fitting request or push.", valueName: "count")) var nth: Int?
    @Option(help: ArgumentHelp("How probable it is each time, such as 0.1.", valueName: "number"))
    var probability: Double?
    @Option(help: ArgumentHelp("The same number gives the same sequence of chances.", valueName: "number"))
    var seed: Int?
    @Option(
        name: .customLong("for"), help: ArgumentHelp("Remove it after so long: 500ms, 30s, 10m.", valueName: "time"))
    var time: DurationText?
    @Option(help: ArgumentHelp("How many times.", valueName: "count")) var count: Int?

    func validate() throws {
        // JSON has no other numbers.
        if let probability, !probability.isFinite { throw ValidationError("--probability must be a number.") }
    }

    /// Writes them as members of the request for a fault.
    func write(to json: inout JSONWriter) {
        json.member("customer", customer)
        json.member("event", event)
        json.member("channel", channel)
        if let probability {
            json.name("probability")
            json.raw(Array("\(probability)".utf8))
        }
        let numbers: [(StaticString, Int?)] = [
            ("socket", socket), ("nth", nth), ("seed", seed), ("lastsMilliseconds", time?.milliseconds),
            ("count", count),
        ]
        for (name, number) in numbers { if let number { json.member(name, number) } }
    }
}
