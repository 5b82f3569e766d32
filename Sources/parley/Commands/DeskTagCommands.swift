import ArgumentParser
import Formats

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
