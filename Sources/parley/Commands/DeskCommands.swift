import ArgumentParser
import Formats
import Scenarios

/// `parley desk`: the agent's side of the embedded service.
struct DeskCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "desk", abstract: "Answer customers: the agent's side.",
        subcommands: [
            Threads.self, Counts.self, Messages.self, Send.self, Read.self, Claim.self, Assign.self, Release.self,
            Close.self, Reopen.self, Snooze.self, Unsnooze.self, Tag.self, Tags.self, Note.self, Notes.self,
            Replies.self, Report.self, Channels.self, DeskChat.self,
        ])

    struct Threads: UsualCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the threads: those that wait first, then the open ones, each latest activity first.",
            discussion: """
                At a terminal of fewer than 160 columns only the most important are shown. In JSON the list is the \
                gateway's, latest activity first; with --order waiting it is who waits longest.
                """)
        /// How the gateway orders the list.
        enum Order: String, ExpressibleByArgument, CaseIterable { case activity, waiting }

        @Option(help: "Which threads: open, closed or all.") var state = ListThreads.State.all
        @Option(help: "activity, or waiting: who waits longest comes first.") var order: Order?
        @Option(
            help: ArgumentHelp("Only those of an agent, by id; me for your own, none for nobody's.", valueName: "id"),
            completion: IDCompletion.agents)
        var agent: String?
        @Option(
            help: ArgumentHelp("Only those with a tag, by its name or id.", valueName: "tag"),
            completion: IDCompletion.tags)
        var tag: String?
        @Option(help: "What with snoozed threads: include, exclude or only.") var snoozed: SnoozedThreads?
        @Option(help: ArgumentHelp("Only those of a channel.", valueName: "channel"), completion: IDCompletion.channels)
        var channel: String?
        @OptionGroup var times: TimeFlags
        @OptionGroup(title: "Global options") var flags: ClientFlags

        func run(_ client: GatewayClient, _ output: Output) throws {
            let tag = try tag.map { try DeskTags(client).id(of: $0) }
            let query =
                try [
                    ("state", state.rawValue), ("order", order?.rawValue), ("agent", agent), ("tag", tag),
                    ("snoozed", snoozed?.rawValue), ("channel", channel),
                ] + times.query()
            let list = try Pages(client, GatewayClient.path(["desk", "threads"], query))
            let items = output.format == .table && order == nil ? Self.sorted(list.items) : list.items
            if let width = output.width, width < 160 {
                return output.list(
                    items, bytes: list.bytes, titles: ["THREAD", "STATE", "CUSTOMER", "LAST MESSAGE"],
                    styles: [.dim, nil, .bold], row: Self.shortRow)
            }
            output.list(items, bytes: list.bytes, titles: titles, row: row)
        }

        /// Who waits comes first, the longest of them at the top; then the open ones, then the closed ones.
        static func sorted(_ threads: [JSONElement]) -> [JSONElement] {
            let waiting = threads.filter { $0["waitingSince"] != nil }
            let others = threads.filter { $0["waitingSince"] == nil }
            return waiting.sorted { $0["waitingSince"]?.string ?? "" < $1["waitingSince"]?.string ?? "" }
                + others.filter { $0["state"]?.string != "closed" } + others.filter { $0["state"]?.string == "closed" }
        }

        private static func shortRow(_ thread: JSONElement) -> [String] {
            let customer = thread["customer"]
            let names = [customer?["firstName"]?.string, customer?["lastName"]?.string].compactMap { $0 }
            let name = names.isEmpty ? customer?["id"]?.string ?? "" : names.joined(separator: " ")
            let state =
                thread["snooze"] != nil
                ? "snoozed" : thread["waitingSince"] == nil ? thread["state"]?.string ?? "" : "waits"
            let last = thread["lastMessage"].map(Transcript.text) ?? ""
            return [thread["id"]?.string ?? "", state, name.cut(to: 16), last]
        }
    }

    struct Messages: UsualCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show the newest messages of a thread, oldest first.",
            discussion: "With -o json it is the gateway's list, which has the newest first.")
        @OptionGroup var place: DeskThreadFlags
        @Option(name: .customShort("n"), help: ArgumentHelp("How many at most.", valueName: "count")) var count = 20
        @OptionGroup var times: TimeFlags
        @OptionGroup(title: "Global options") var flags: ClientFlags

        func validate() throws {
            guard 1...100_000 ~= count else { throw ValidationError("-n must be from 1 to 100000.") }
        }

        func run(_ client: GatewayClient, _ output: Output) throws {
            Transcript.print(try Pages(client, place.path("messages", times.query()), count: count), to: output)
        }
    }

    struct Send: UsualCommand {
        static let configuration = CommandConfiguration(
            abstract: "Send a message as an agent.",
            discussion: """
                The text - is read from standard input. With --file the text may be left out.

                EXAMPLES:
                  parley desk send THREAD 'On its way.' --as bo --name Bo
                  parley desk send THREAD --file invoice.pdf --as bo
                """)
        @OptionGroup var place: DeskThreadFlags
        @Argument(help: "The text.") var text: String?
        @OptionGroup var content: ContentFlags
        @Option(
            help: ArgumentHelp(
                "The newest message or note that you have read: fails if another agent has said something since.",
                valueName: "id"))
        var ifLatest: String?
        @OptionGroup var agent: AgentFlags
        @OptionGroup(title: "Global options") var flags: ClientFlags

        func validate() throws {
            guard text != nil || content.file != nil else { throw ValidationError("Give a text, or --file.") }
        }

        func run(_ client: GatewayClient, _ output: Output) throws {
            let words = try content.text([text].compactMap { $0 })
            let file = try content.upload(client, to: ["desk", "attachments"])
            let answer = try client.post(place.path("messages")) { json in
                content.write(text: words, file: file, to: &json)
                if let ifLatest { json.member("ifLatest", ifLatest) }
                agent.write(to: &json)
            }
            output.item(answer, titles: Transcript.titles, row: Transcript.row)
        }
    }

    struct Read: UsualCommand {
        static let configuration = CommandConfiguration(abstract: "Mark a thread as read by the desk.")
        @OptionGroup var place: DeskThreadFlags
        @OptionGroup(title: "Global options") var flags: ClientFlags

        func run(_ client: GatewayClient, _ output: Output) throws { try place.act("read", client, output) }
    }

    struct Claim: UsualCommand {
        static let configuration = CommandConfiguration(
            abstract: "Take a thread that nobody has.",
            discussion: "Of several who try it at the same time, one gets it. The others get status 1.")
        @OptionGroup var place: DeskThreadFlags
        @OptionGroup var agent: AgentFlags
        @OptionGroup(title: "Global options") var flags: ClientFlags

        func run(_ client: GatewayClient, _ output: Output) throws {
            try place.act("assign", client, output) { json in
                agent.write(to: &json, isNeeded: true)
                json.member("ifAgent", "none")
            }
        }
    }

    struct Assign: UsualCommand {
        static let configuration = CommandConfiguration(
            abstract: "Give a thread to an agent, whoever has it.")
        @OptionGroup var place: DeskThreadFlags
        @OptionGroup var agent: AgentFlags
        @OptionGroup(title: "Global options") var flags: ClientFlags

        func run(_ client: GatewayClient, _ output: Output) throws {
            try place.act("assign", client, output) { agent.write(to: &$0, isNeeded: true) }
        }
    }

    struct Release: UsualCommand {
        static let configuration = CommandConfiguration(abstract: "Take a thread from its agent.")
        @OptionGroup var place: DeskThreadFlags
        @OptionGroup(title: "Global options") var flags: ClientFlags

        func run(_ client: GatewayClient, _ output: Output) throws { try place.act("release", client, output) }
    }

    struct Close: UsualCommand {
        static let configuration = CommandConfiguration(abstract: "Close a thread.")
        @OptionGroup var place: DeskThreadFlags
        @OptionGroup(title: "Global options") var flags: ClientFlags

        func run(_ client: GatewayClient, _ output: Output) throws { try place.act("close", client, output) }
    }

    struct Channels: UsualCommand {
        static let configuration = CommandConfiguration(abstract: "List the channels of the embedded service.")
        @OptionGroup(title: "Global options") var flags: ClientFlags

        func run(_ client: GatewayClient, _ output: Output) throws {
            let answer = try client.get(GatewayClient.path(["desk", "channels"])).root
            output.list(
                answer["items"]?.elements ?? [], bytes: Array(answer.bytes),
                titles: ["CHANNEL", "MODE", "ONLINE", "NAME"]
            ) { channel in
                let isOnline = channel["isOnline"].map { $0.kind == .true ? "yes" : "no" }
                return [channel["id"]?.string, channel["mode"]?.string, isOnline, channel["name"]?.string].map {
                    $0 ?? ""
                }
            }
        }
    }

    static let titles = [
        "THREAD", "STATE", "UNREAD", "CHANNEL", "CUSTOMER", "AGENT", "UPDATED", "NAME", "LAST MESSAGE",
    ]

    static func row(_ thread: JSONElement) -> [String] {
        [
            thread["id"]?.string, thread["state"]?.string, thread["deskUnreadCount"]?.number, thread["channel"]?.string,
            thread["customer"]?["id"]?.string, thread["agent"]?["id"]?.string, thread["updatedAt"]?.string,
            thread["name"]?.string, Transcript.line(thread["lastMessage"]),
        ].map { $0 ?? "" }
    }
}

/// The arguments that say which thread of the desk is meant.
struct DeskThreadFlags: ParsableArguments {
    @Argument(help: "The thread.", completion: IDCompletion.deskThreads) var thread: String
    @Option(
        help: ArgumentHelp("Its channel, where two customers use one id.", valueName: "channel"),
        completion: IDCompletion.channels)
    var channel: String?
    @Option(help: ArgumentHelp("Its customer, where two customers use one id.", valueName: "id"))
    var customer: String?

    /// The path of the thread, or of something in it.
    func path(_ part: String? = nil, _ query: [(String, String?)] = []) -> String {
        GatewayClient.path(
            ["desk", "threads", thread] + [part].compactMap { $0 },
            [("channel", channel), ("customer", customer)] + query)
    }

    /// Does something with the thread, and prints what it has become. Throws ``CommandFailure``.
    func act(
        _ action: String, _ client: GatewayClient, _ output: Output, _ write: ((inout JSONWriter) -> Void)? = nil
    ) throws(CommandFailure) {
        let answer = try client.post(path(action), write)
        if answer.root["id"] == nil { return }
        output.item(answer, titles: DeskCommands.titles, row: DeskCommands.row)
    }
}

/// The agent who acts.
struct AgentFlags: ParsableArguments {
    @Option(name: .customLong("as"), help: ArgumentHelp("The agent's id.", valueName: "id")) var id = "agent"
    @Option(help: ArgumentHelp("The agent's name. Without it, the id.", valueName: "name")) var name: String?

    /// Writes the member `agent`; without flags it may be left to the gateway.
    func write(to json: inout JSONWriter, isNeeded: Bool = false) {
        if id == "agent", name == nil, !isNeeded { return }
        json.name("agent")
        json.beginObject()
        json.member("id", id)
        json.member("name", name ?? id)
        json.endObject()
    }
}
