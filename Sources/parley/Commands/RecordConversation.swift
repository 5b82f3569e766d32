import ArgumentParser
import ChatModel
import Formats

/// `parley record`: a conversation as lines of JSON, from the log.
struct RecordConversation: UsualCommand {
    static let configuration = CommandConfiguration(
        commandName: "record", abstract: "Write a conversation to standard output, from the log.",
        discussion: """
            The first line says what was recorded; each line behind it is an event {"id"?,"type","data"}. The log is \
            kept, so a conversation can be recorded after it has happened.

            EXAMPLES:
              parley record SESSION THREAD > order.jsonl
              parley record SESSION --since 10m --redact > order.jsonl
            """)

    @Argument(help: "The session.", completion: IDCompletion.sessions) var session: String
    @Argument(help: "The thread. Without it, all threads of the session.", completion: IDCompletion.threads)
    var thread: String?
    @Option(help: ArgumentHelp("Begin at a time, or so long ago: 10m, 2h.", valueName: "time")) var since: String?
    @Flag(help: "Replace texts, names, ids of people and values of fields by stand-ins.") var redact = false
    @OptionGroup(title: "Global options") var flags: ClientFlags

    func run(_ client: GatewayClient, _ output: Output) throws {
        let start = try since.map(FeedStart.ago)
        let whole = try client.get(GatewayClient.path(["sessions", session])).root
        if let thread { _ = try client.get(GatewayClient.path(["sessions", session, "threads", thread])) }
        var redaction = redact ? Redaction() : nil
        var head = JSONWriter()
        head.beginObject()
        head.member("format", "parley-recording")
        head.name("version")
        head.value(1)
        head.member("service", whole["service"]?.string)
        head.member("channel", whole["channel"]?["id"]?.string)
        head.member("mode", whole["mode"]?.string)
        if let customer = whole["customer"] {
            head.name("customer")
            head.raw(redaction?.redacted(customer) ?? Array(customer.bytes))
        }
        head.member("thread", thread)
        head.endObject()
        output.line(head.bytes)
        try events(client, from: start) { event in
            guard thread == nil || Self.thread(of: event) == thread else { return }
            output.line(redaction?.redacted(event) ?? Array(event.bytes))
        }
    }

    /// Reads the log up to where it ends now, page by page. Throws ``CommandFailure``.
    private func events(
        _ client: GatewayClient, from start: FeedStart?, _ take: (JSONElement) -> Void
    ) throws(CommandFailure) {
        let scope = FeedScope(sessions: [session], isDesk: false)
        var path = start.map { scope.path(from: $0) } ?? scope.path(from: .now) + "?earliest=true"
        while true {
            let page = try GatewayClient.json(
                client.call("GET", path, headers: [("Accept", "application/json")])
            ).root
            if page["reset"] != nil {
                throw CommandFailure(.refused, code: "reset", "The log lost its place while it was read. Try again.")
            }
            for event in page["items"]?.elements ?? [] { take(event) }
            guard page["hasMore"]?.kind == .true, let cursor = page["cursor"]?.string else { return }
            path = scope.path(from: .after(cursor))
        }
    }

    /// The thread that an event concerns; nil for one that concerns the session.
    private static func thread(of event: JSONElement) -> String? {
        event["data"]?["threadId"]?.string ?? event["data"]?["thread"]?["id"]?.string
    }
}

/// Replaces what people wrote and how they are called by stand-ins. One text has one stand-in in a whole recording.
///
/// It keeps the values of the members that it knows to be harmless, and replaces all other values, also those of members
/// that are new in the API. It keeps all names of members, the names of custom fields too.
private struct Redaction {
    private var standIns: [String: String] = [:]

    /// Members whose texts stay. `id` stays where no person is meant.
    private static let kept: Set = [
        "type", "threadId", "messageId", "parentId", "createdAt", "updatedAt", "seenAt", "state", "mode", "status",
        "direction", "kind", "mimeType", "contactId", "channel", "cursor", "reason", "waitingSince", "contactClosedAt",
        "code",
    ]
    /// Members whose values are persons: objects, or lists of objects.
    private static let people: Set = [
        "actor", "author", "customer", "agent", "previousAgent", "members", "member", "mostRecentUsers",
    ]

    /// The value with stand-ins, as JSON.
    mutating func redacted(_ element: JSONElement) -> [UInt8] {
        var writer = JSONWriter()
        // A customer that stands alone has an id, as an event has one; only the event's stays.
        write(element, isField: false, isPerson: element["data"] == nil, to: &writer)
        return writer.bytes
    }

    /// - Parameter isField: whether the value stands in custom fields.
    private mutating func write(_ element: JSONElement, isField: Bool, isPerson: Bool, to json: inout JSONWriter) {
        if let members = element.members {
            json.beginObject()
            for (name, value) in members {
                json.name(name)
                let stays = Self.kept.contains(name) || (name == "id" && !isPerson)
                // In custom fields every value is somebody's own, whatever its name is.
                write(
                    value, isField: isField || name == "customFields", isPerson: Self.people.contains(name),
                    keeps: stays && !isField, to: &json)
            }
            json.endObject()
        } else {
            write(element, isField: isField, isPerson: isPerson, keeps: false, to: &json)
        }
    }

    private mutating func write(
        _ element: JSONElement, isField: Bool, isPerson: Bool, keeps: Bool, to json: inout JSONWriter
    ) {
        if let elements = element.elements {
            json.beginArray()
            for each in elements { write(each, isField: isField, isPerson: isPerson, keeps: keeps, to: &json) }
            json.endArray()
        } else if element.kind == .object {
            write(element, isField: isField, isPerson: isPerson, to: &json)
        } else if let text = element.string, !keeps {
            json.value(standIn(for: text))
        } else {
            json.raw(element.bytes)
        }
    }

    /// A text of the same length class: up to 8, 32, 128, ... characters.
    private mutating func standIn(for text: String) -> String {
        if text.isEmpty { return "" }
        if let known = standIns[text] { return known }
        var length = 8
        while length < text.count { length *= 4 }
        let start = "x\(standIns.count + 1)"
        let made = start + String(repeating: "x", count: max(0, length - start.count))
        standIns[text] = made
        return made
    }
}
