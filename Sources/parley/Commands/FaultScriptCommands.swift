import ArgumentParser
import Formats

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
        @OptionGroup(title: "Global options") var flags: ClientFlags

        func run(_ client: GatewayClient, _ output: Output) throws {
            let list = try SandboxClient(client).list(["scripts"])
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
        @OptionGroup(title: "Global options") var flags: ClientFlags

        func run(_ client: GatewayClient, _ output: Output) throws {
            let script = try SandboxClient(client).post(["scripts"], body: try InputFile.read(file))
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
            output.note("the script \(script) has stopped")
        }
    }
}
