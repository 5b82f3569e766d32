import ArgumentParser
import Formats
import Scenarios

/// `parley faults`: what goes wrong in the sandbox, to test an app.
struct FaultCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "faults", abstract: "List, add and remove the faults of the sandbox.",
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
        @OptionGroup var sandbox: SandboxFlags
        @OptionGroup(title: "Global options") var flags: ClientFlags

        func run(_ client: GatewayClient, _ output: Output) throws {
            let list = try SandboxClient(client, sandbox.platform).list(["faults"])
            output.list(list.items, bytes: list.bytes, titles: titles, row: row)
        }
    }

    struct Add: UsualCommand {
        static let configuration = CommandConfiguration(
            abstract: "Let something go wrong.",
            discussion: """
                The kinds are dropSocket, expireToken and expirePage, which happen at once unless they have a \
                condition, and delayAnswer, loseAnswer, duplicatePush, reorderPush and refuse, which wait for a fitting \
                request or push. Sendbird's sandbox also has loseRequest, lateDeed, cutAnswer, dropWebhook, delayPush \
                and badSignature. A fault happens once, or with --for any number of times. limitRate does --count \
                requests in a second and refuses the others, until it is removed.

                EXAMPLES:
                  parley faults add loseAnswer --event SendMessage --customer ada
                  parley faults add refuse --event openSandboxSocket --for 30s
                  parley faults add limitRate --count 5 --for 1m --platform sendbird
                """)
        @Argument(help: "The kind.", completion: .list(kinds)) var kind: String
        @OptionGroup var conditions: FaultFlags
        @Option(help: ArgumentHelp("By how much delayAnswer, delayPush and lateDeed delay.", valueName: "count"))
        var milliseconds: Int?
        @Option(
            name: .customLong("error-code"), help: ArgumentHelp("The errorCode of refuse.", valueName: "code"))
        var errorCode: String?
        @OptionGroup var sandbox: SandboxFlags
        @OptionGroup(title: "Global options") var flags: ClientFlags

        private static let kinds = [
            "badSignature", "cutAnswer", "delayAnswer", "delayPush", "dropSocket", "dropWebhook", "duplicatePush",
            "expirePage", "expireToken", "lateDeed", "limitRate", "loseAnswer", "loseRequest", "refuse", "reorderPush",
        ]

        func run(_ client: GatewayClient, _ output: Output) throws {
            var json = JSONWriter()
            json.beginObject()
            json.member("kind", kind)
            conditions.write(to: &json)
            if let milliseconds { json.member("milliseconds", milliseconds) }
            json.member("errorCode", errorCode)
            json.endObject()
            let fault = try SandboxClient(client, sandbox.platform).post(["faults"], body: json.bytes)
            output.item(fault, titles: titles, row: row)
        }
    }

    struct Clear: UsualCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove the faults that have not happened yet, and the scripts.")
        @OptionGroup var sandbox: SandboxFlags
        @OptionGroup(title: "Global options") var flags: ClientFlags

        func run(_ client: GatewayClient, _ output: Output) throws {
            try SandboxClient(client, sandbox.platform).delete(["faults"])
            output.inform("no fault is due")
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

/// `parley faults scripts`: faults that follow one another.
struct FaultScriptCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scripts", abstract: "List, start, show and stop scripts of faults.",
        subcommands: [List.self, Start.self, Show.self, Stop.self], defaultSubcommand: List.self)

    static let titles = ["SCRIPT", "NAME", "DONE", "STEPS", "CREATED"]

    /// `DONE` is how many of the steps are done.
    static func row(_ script: JSONElement) -> [String] {
        let steps = script["steps"]?.elements ?? []
        return [
            script["id"]?.string ?? "", script["name"]?.string ?? "",
            String(steps.count { $0["progress"]?.string == "done" }), String(steps.count),
            script["createdAt"]?.string ?? "",
        ]
    }

    struct List: UsualCommand {
        static let configuration = CommandConfiguration(abstract: "List the scripts, oldest first.")
        @OptionGroup var sandbox: SandboxFlags
        @OptionGroup(title: "Global options") var flags: ClientFlags

        func run(_ client: GatewayClient, _ output: Output) throws {
            let list = try SandboxClient(client, sandbox.platform).list(["scripts"])
            output.list(list.items, bytes: list.bytes, titles: titles, row: row)
        }
    }

    struct Start: UsualCommand {
        static let configuration = CommandConfiguration(
            abstract: "Start the script in a file.",
            discussion: """
                The file has the JSON that POST /v1/sandbox/scripts takes: {"name"?,"steps":[{"fault","trigger"?,\
                "delayMilliseconds"?}]}. The first step begins at once, and each other when the one before is done.
                """)
        @Argument(help: "The file, or - for standard input.", completion: .file()) var file: String
        @OptionGroup var sandbox: SandboxFlags
        @OptionGroup(title: "Global options") var flags: ClientFlags

        func run(_ client: GatewayClient, _ output: Output) throws {
            let script = try SandboxClient(client, sandbox.platform).post(["scripts"], body: try InputFile.read(file))
            output.item(script, titles: titles, row: row)
        }
    }

    struct Show: UsualCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show how far the steps of a script are.",
            discussion: """
                HAPPENED is how often the step's fault has happened, and FRAME the number of the frame that tells the \
                first time.
                """)
        @Argument(help: "The script.", completion: IDCompletion.scripts) var script: String
        @OptionGroup(title: "Global options") var flags: ClientFlags

        private static let titles = [
            "STEP", "PROGRESS", "KIND", "CUSTOMER", "EVENT", "CONDITIONS", "HAPPENED", "FRAME",
        ]

        func run(_ client: GatewayClient, _ output: Output) throws {
            let script = try SandboxClient(client).get(["scripts", script])
            guard output.format == .table else { return output.item(script, titles: [], row: { _ in [] }) }
            let steps = script.root["steps"]?.elements ?? []
            output.table(Table(titles: Self.titles, rows: steps.enumerated().map { Self.row($0 + 1, $1) }))
        }

        private static func row(_ number: Int, _ step: JSONElement) -> [String] {
            let fault = step["fault"], happened = step["happened"]?.elements ?? []
            return [
                String(number), step["progress"]?.string ?? "", fault?["kind"]?.string ?? "",
                fault?["customer"]?.string ?? "", fault?["event"]?.string ?? "",
                fault.map(FaultCommands.conditions) ?? "", String(happened.count),
                happened.first?["frame"]?.number ?? "",
            ]
        }
    }

    struct Stop: UsualCommand {
        static let configuration = CommandConfiguration(
            abstract: "Stop a script, and remove it with the fault that is due for it.")
        @Argument(help: "The script.", completion: IDCompletion.scripts) var script: String
        @OptionGroup(title: "Global options") var flags: ClientFlags

        func run(_ client: GatewayClient, _ output: Output) throws {
            try SandboxClient(client).delete(["scripts", script])
            output.inform("the script \(script) has stopped")
        }
    }
}
