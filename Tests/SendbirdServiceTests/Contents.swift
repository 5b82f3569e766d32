import Chat
import ChatModel
import ChatStore
import Formats
import TestSupport

/// What a customer has, in lines that are the same at a near gateway and on the platform.
struct Contents {
    private(set) var lines: [String] = []

    /// What the customer of a session has at its gateway.
    init(of client: ChatClient, at world: TwoGateways) async throws {
        let account = client.account
        for id in try await world.store.read({ try $0.threadStandings(of: account, limit: 100).map(\.id) }) {
            let json = try await world.store.read { try $0.thread(id, of: account)?.json(for: account) }
            // It may have gone meanwhile.
            guard let thread = try json.map({ try JSONParser.parse($0) }) else { continue }
            add(
                id,
                [
                    "name": thread["name"]?.string ?? "", "unread": "\(thread["unreadCount"]?.integer ?? -1)",
                    "closed": "\(thread["state"]?.string == "closed")",
                    "hidden": "\(thread["hidden"]?.bool == true)",
                    "state": thread["memberState"]?.string ?? "joined",
                    "fields": Self.fields(thread["customFields"]), "members": Self.ids(thread["members"], "id"),
                ], messages: try await world.messages(of: client, in: id))
        }
    }

    /// What the platform has of the customer.
    init(of customer: String, on world: TwoGateways) async throws {
        let list = try await world.port.look(
            at: "/v3/users/\(customer)/my_group_channels?limit=100&hidden_mode=all&member_state_filter=all"
                + "&show_empty=true&show_metadata=true&show_member=true", token: world.token)
        for channel in list["channels"]?.array ?? [] {
            let (id, hidden) = (channel["channel_url"]?.string ?? "", channel["hidden_state"]?.string)
            let line = Timestamp(milliseconds: channel["ts_message_offset"]?.integer ?? 0)
            add(
                id,
                [
                    "name": channel["name"]?.string ?? "",
                    "unread": "\(channel["unread_message_count"]?.integer ?? -1)",
                    "closed": "\(hidden == "hidden_prevent_auto_unhide")",
                    "hidden": "\(hidden == "hidden_allow_auto_unhide")",
                    "state": channel["member_state"]?.string ?? "",
                    "fields": Self.fields(channel["metadata"]), "members": Self.ids(channel["members"], "user_id"),
                ], messages: try await world.farMessages(in: id).filter { $0.createdAt > line })
        }
    }

    private mutating func add(_ thread: String, _ values: [String: String], messages: [Message]) {
        lines += values.map { "\(thread): \($0.key) \($0.value)" }.sorted()
        lines += Self.lines(of: messages).map { "\(thread): \($0)" }
    }

    private static func fields(_ json: JSONValue?) -> String {
        (json?.members ?? []).map { "\($0.name)=\($0.value.string ?? "")" }.sorted().joined(separator: ", ")
    }

    private static func ids(_ json: JSONValue?, _ key: String) -> String {
        (json?.array ?? []).map { $0[key]?.string ?? "" }.sorted().joined(separator: ", ")
    }

    /// Each message with its parent's time. The embedded service keeps an empty message where one with replies was
    /// removed; the platform shows none.
    private static func lines(of all: [Message]) -> [String] {
        let messages = all.filter { $0.author.id != "removed" || $0.text != "" }
        let times = Dictionary(messages.map { ($0.id, $0.createdAt.milliseconds) }) { first, _ in first }
        return messages.map { message in
            let parent = message.parentID.map { times[$0].map(String.init) ?? "unknown" } ?? "none"
            let author = message.author.id.replacing("agent_", with: "")
            return "\(message.createdAt.milliseconds) \(author) \(message.content) of \(parent)"
        }
    }

    /// What one has and the other does not; empty for nothing.
    func difference(from other: Contents) -> String {
        let (here, there) = (lines.counted, other.lines.counted)
        let words =
            here.filter { there[$0.key] != $0.value }.map { "here \($0.value) times: \($0.key)" }
            + there.filter { here[$0.key] != $0.value }.map { "there \($0.value) times: \($0.key)" }
        return words.sorted().joined(separator: "\n")
    }
}

extension [String] {
    fileprivate var counted: [String: Int] { Dictionary(map { ($0, 1) }, uniquingKeysWith: +) }
}

extension Message {
    /// The text, or the file's name.
    var content: String { ([text].compactMap(\.self) + attachments.map(\.name)).joined(separator: ", ") }
}
