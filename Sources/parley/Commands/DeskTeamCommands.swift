import ArgumentParser
import ChatModel
import Formats
import Scenarios

/// What `parley desk threads` does with threads that are snoozed.
enum SnoozedThreads: String, ExpressibleByArgument, CaseIterable { case include, exclude, only }

/// `parley desk`: working together, so that nobody is forgotten and nobody is answered twice.
extension DeskCommands {
    struct Counts: UsualCommand {
        static let configuration = CommandConfiguration(
            abstract: "Count the open threads: how many wait, are yours, nobody's, or snoozed.")
        @Option(help: ArgumentHelp("Only those of a channel.", valueName: "channel"), completion: IDCompletion.channels)
        var channel: String?
        @OptionGroup(title: "Global options") var flags: ClientFlags

        func run(_ client: GatewayClient, _ output: Output) throws {
            let answer = try client.get(GatewayClient.path(["desk", "counts"], [("channel", channel)]))
            output.item(answer, titles: ["OPEN", "WAITING", "MINE", "UNASSIGNED", "SNOOZED", "WAITING SINCE"]) {
                counts in
                ["open", "waiting", "mine", "unassigned", "snoozed"].map { counts[$0]?.number ?? "" }
                    + [counts["longestWaitingSince"]?.string ?? ""]
            }
        }
    }

    struct Reopen: UsualCommand {
        static let configuration = CommandConfiguration(
            abstract: "Open a closed thread again.",
            discussion: "It is the same conversation with a new contact. A live chat that has ended stays closed.")
        @OptionGroup var place: DeskThreadFlags
        @OptionGroup(title: "Global options") var flags: ClientFlags

        func run(_ client: GatewayClient, _ output: Output) throws { try place.act("reopen", client, output) }
    }

    struct Snooze: UsualCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lay a thread aside until a time.",
            discussion: """
                It leaves the list of open threads until then, or until its customer writes. The customer notices \
                nothing.

                EXAMPLES:
                  parley desk snooze THREAD --for 2h
                  parley desk snooze THREAD --until 2026-05-04T09:00:00Z --through-replies
                """)
        @OptionGroup var place: DeskThreadFlags
        @Option(help: ArgumentHelp("Until when.", valueName: "time")) var until: String?
        @Option(name: .customLong("for"), help: ArgumentHelp("For how long: 90m, 2h.", valueName: "duration"))
        var length: DurationText?
        @Flag(help: "The customer's next message does not end it.") var throughReplies = false
        @OptionGroup(title: "Global options") var flags: ClientFlags

        func validate() throws {
            guard (until == nil) != (length == nil) else { throw ValidationError("Give --until or --for.") }
        }

        func run(_ client: GatewayClient, _ output: Output) throws {
            let end = length.map {
                ModelEnvironment.system.now().advanced(bySeconds: Int($0.duration.components.seconds)).rfc3339
            }
            let answer = try client.put(place.path("snooze")) { json in
                json.member("until", until ?? end)
                if throughReplies { json.member("wakeOnReply", false) }
            }
            output.item(answer, titles: DeskCommands.titles, row: DeskCommands.row)
        }
    }

    struct Unsnooze: UsualCommand {
        static let configuration = CommandConfiguration(abstract: "End the snooze of a thread.")
        @OptionGroup var place: DeskThreadFlags
        @OptionGroup(title: "Global options") var flags: ClientFlags

        func run(_ client: GatewayClient, _ output: Output) throws {
            let answer = try GatewayClient.json(client.call("DELETE", place.path("snooze")))
            output.item(answer, titles: DeskCommands.titles, row: DeskCommands.row)
        }
    }

    struct Note: UsualCommand {
        static let configuration = CommandConfiguration(
            abstract: "Write a note about a thread, which only agents see.",
            discussion: "The text - is read from standard input.")
        @OptionGroup var place: DeskThreadFlags
        @Argument(help: "The text.") var text: String
        @OptionGroup var agent: AgentFlags
        @OptionGroup(title: "Global options") var flags: ClientFlags

        func run(_ client: GatewayClient, _ output: Output) throws {
            let words = try ContentFlags.text(of: text) ?? ""
            let answer = try client.post(place.path("notes")) { json in
                json.member("text", words)
                agent.write(to: &json)
            }
            output.item(answer, titles: Notes.titles, row: Notes.row)
        }
    }

    struct Notes: UsualCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show the newest notes about a thread, oldest first.",
            discussion: "With -o json it is the gateway's list, which has the newest first.")
        @OptionGroup var place: DeskThreadFlags
        @Option(name: .customShort("n"), help: ArgumentHelp("How many at most.", valueName: "count")) var count = 20
        @OptionGroup(title: "Global options") var flags: ClientFlags

        func validate() throws {
            guard 1...100_000 ~= count else { throw ValidationError("-n must be from 1 to 100000.") }
        }

        func run(_ client: GatewayClient, _ output: Output) throws {
            let list = try Pages(client, place.path("notes"), count: count)
            output.list(
                list.items.reversed(), bytes: list.bytes, titles: Self.titles, styles: [.dim, .bold, nil, .dim],
                row: Self.row)
        }

        static let titles = ["TIME", "AUTHOR", "TEXT", "NOTE"]

        static func row(_ note: JSONElement) -> [String] {
            let author = note["author"]
            return [
                note["createdAt"]?.string, author?["name"]?.string ?? author?["id"]?.string, note["text"]?.string,
                note["id"]?.string,
            ].map { $0 ?? "" }
        }
    }

    struct Replies: UsualCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the saved replies.",
            discussion: "With words, only those whose name, shortcut or text has all of them.")
        @Argument(help: "Words to find.") var words: [String] = []
        @OptionGroup(title: "Global options") var flags: ClientFlags

        func run(_ client: GatewayClient, _ output: Output) throws {
            let answer = try client.get(GatewayClient.path(["desk", "answers"])).root
            let wanted = words.map { $0.lowercased() }
            let found = (answer["items"]?.elements ?? []).filter { reply in
                let texts = ["name", "shortcut", "text"].compactMap { reply[$0]?.string?.lowercased() }
                return wanted.allSatisfy { word in texts.contains { $0.contains(word) } }
            }
            // The gateway's bytes are all of them; with words, a list of what was found.
            let bytes = wanted.isEmpty ? Array(answer.bytes) : Self.list(found)
            output.list(
                found, bytes: bytes, titles: ["SHORTCUT", "LANGUAGE", "NAME", "TEXT", "REPLY"],
                styles: [.coloured, nil, .bold, nil, .dim]
            ) { reply in
                ["shortcut", "language", "name", "text", "id"].map { reply[$0]?.string ?? "" }
            }
        }

        private static func list(_ items: [JSONElement]) -> [UInt8] {
            var json = JSONWriter()
            json.beginObject()
            json.name("items")
            json.beginArray()
            for item in items { json.raw(item.bytes) }
            json.endArray()
            json.endObject()
            return json.bytes
        }
    }
}

/// `parley desk tag` and `tags`.
extension DeskCommands {
    struct Tag: UsualCommand {
        static let configuration = CommandConfiguration(
            abstract: "Give a thread tags, in place of those that it has.",
            discussion: """
                EXAMPLES:
                  parley desk tag THREAD Refund Late
                  parley desk tag THREAD --none
                """)
        @OptionGroup var place: DeskThreadFlags
        @Argument(help: "All tags that it shall have, by name or id.", completion: IDCompletion.tags)
        var tags: [String] = []
        @Flag(help: "Take all tags off it.") var none = false
        @OptionGroup(title: "Global options") var flags: ClientFlags

        func validate() throws {
            guard tags.isEmpty == none else { throw ValidationError("Give tags, or --none.") }
        }

        func run(_ client: GatewayClient, _ output: Output) throws {
            let known = try none ? nil : DeskTags(client)
            let ids = try tags.compactMap { try known?.id(of: $0) }
            let answer = try client.put(place.path("tags")) { json in
                json.name("tags")
                json.beginArray()
                for id in ids { json.value(id) }
                json.endArray()
            }
            output.item(answer, titles: DeskCommands.titles, row: DeskCommands.row)
        }
    }

    struct Tags: UsualCommand {
        static let configuration = CommandConfiguration(abstract: "List the tags that threads can have.")
        @OptionGroup(title: "Global options") var flags: ClientFlags

        func run(_ client: GatewayClient, _ output: Output) throws {
            let tags = try DeskTags(client)
            output.list(tags.all, bytes: tags.bytes, titles: ["TAG", "COLOUR", "NAME"], styles: [.dim]) { tag in
                ["id", "colour", "name"].map { tag[$0]?.string ?? "" }
            }
        }
    }
}

/// The tags of the desk.
struct DeskTags {
    let all: [JSONElement]
    /// The gateway's list.
    let bytes: [UInt8]

    /// Throws ``CommandFailure``.
    init(_ client: GatewayClient) throws(CommandFailure) {
        let list = try client.get(GatewayClient.path(["desk", "tags"])).root
        (all, bytes) = (list["items"]?.elements ?? [], Array(list.bytes))
    }

    /// The id of the tag with this name, without regard to upper and lower case, or with this id. Throws
    /// ``CommandFailure``.
    func id(of text: String) throws(CommandFailure) -> String {
        let found =
            all.first { $0["id"]?.string == text }
            ?? all.first { $0["name"]?.string?.lowercased() == text.lowercased() }
        guard let id = found?["id"]?.string else {
            throw CommandFailure(
                .refused, code: "unknownTag", "The desk has no tag \(text): parley desk tags lists them.")
        }
        return id
    }
}
