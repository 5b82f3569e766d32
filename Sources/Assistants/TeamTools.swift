import Chat
import ChatModel
import ChatStore
import Formats
import Gateway
import HTTPRouting

/// What a team does with the chats among themselves: customers see nothing of it.
extension DeskSeat {
    var team: [MCPTool] { [looking, sorting, noting] }

    /// How many agents and tags are named at most.
    private static let (mostAgents, mostTags) = (200, 200)

    private var looking: MCPTool {
        MCPTool(
            "look_at_desk", "Look at the desk", .read,
            "Says how many chats are open, wait, are yours, nobody's, or snoozed; which agents there are, and who of them is here now; and which tags chats can have.",
            input: #"{"type":"object","additionalProperties":false,"properties":{}}"#,
            output: ResultSchemas.object(
                #"""
                "open":{"type":"integer"},"waiting":{"type":"integer"},"mine":{"type":"integer"},
                "unassigned":{"type":"integer"},"snoozed":{"type":"integer"},
                "more":{"const":true,"description":"There are more than a number says"},
                "longestWaitingSince":{"type":"string","format":"date-time"},
                "agents":{"type":"array","items":{"type":"object","additionalProperties":false,"required":["agent","name"],
                "properties":{"agent":{"type":"string","description":"The id, for hand_over"},"name":{"type":"string"},
                "isPerson":{"const":true},"isBot":{"const":true},"presence":{"enum":["online","away"]}}}},
                "tags":{"type":"array","items":{"type":"string"}},
                "isCut":{"const":true,"description":"There are more agents or tags"}
                """#, required: ["open", "waiting", "mine", "unassigned", "snoozed", "agents", "tags"])
        ) { (_: NoArguments) in
            let counts = try await desk.counts(of: agent.id, within: channels)
            let agents = try await core.agents(at: desk).filter { !$0.isGone }
            let tags = try await desk.tags()
            let presences = core.presences
            return ToolResult(isQuoting: false) { json in
                counts.encode(to: &json)
                json.name("agents")
                json.beginArray()
                for one in agents.prefix(Self.mostAgents) { one.encode(presences[one.agent.id], to: &json) }
                json.endArray()
                json.member("tags", texts: tags.prefix(Self.mostTags).map { QuotedText.name($0.name) })
                if agents.count > Self.mostAgents || tags.count > Self.mostTags { json.member("isCut", true) }
            }
        }
    }

    private var sorting: MCPTool {
        MCPTool(
            "sort_chat", "Sort a chat", .write(isIdempotent: true, isSeen: false),
            "Sorts a chat for the team: gives it tags, snoozes it until a time, or ends a snooze. A snoozed chat is out of the list of open ones until then, or until the customer writes. The customer sees nothing of it.",
            input: #"""
                {"type":"object","additionalProperties":false,"required":["chat"],"properties":{"chat":{"type":"string"},
                "tags":{"type":"array","items":{"type":"string"},"maxItems":20,
                "description":"All tags that it shall have, by name, in place of those that it has"},
                "snoozeMinutes":{"type":"integer","minimum":5,"maximum":527040},
                "snoozeUntil":{"type":"string","format":"date-time","description":"In place of snoozeMinutes"},
                "wakeOnReply":{"type":"boolean","default":true,"description":"Whether the customer's next message ends it"},
                "unsnooze":{"const":true}}}
                """#,
            output: ResultSchemas.oneChat
        ) { (arguments: SortArguments) in
            let thread = try thread(arguments.chat)
            var tags: [String]?
            if let names = arguments.tags { tags = try await tagIDs(names) }
            if let draft = try arguments.snooze(from: core.environment.now()) {
                _ = try await desk.snooze(thread, draft, as: agent, ifMatch: nil)
            } else if arguments.endsSnooze {
                _ = try await desk.wake(thread, as: agent, ifMatch: nil)
            }
            if let tags { _ = try await desk.setTags(tags, of: thread, as: agent, ifMatch: nil) }
            return try await result(arguments.chat)
        }
    }

    private var noting: MCPTool {
        MCPTool(
            "add_note", "Add a note", .write(isIdempotent: false, isSeen: false),
            "Writes a note for the team, about a chat or about its customer. Customers see none.",
            input: #"""
                {"type":"object","additionalProperties":false,"required":["chat","text"],"properties":{
                "chat":{"type":"string"},"text":{"type":"string","minLength":1,"maxLength":4000},
                "about":{"enum":["chat","customer"],"default":"chat"}}}
                """#,
            output: ResultSchemas.object(#""note":\#(NoteView.schema)"#, required: ["note"])
        ) { (arguments: NoteArguments) in
            let note: NoteView
            switch arguments.about {
            case .chat:
                let outcome = try await desk.addNote(
                    arguments.text, by: agent, to: thread(arguments.chat), receipt: nil)
                note = NoteView(try Note(canonicalJSON: outcome.body))
            case .customer:
                let outcome = try await desk.addNote(
                    arguments.text, by: agent, about: customer(arguments.chat), receipt: nil)
                note = NoteView(try CustomerNote(canonicalJSON: outcome.body))
            }
            return ToolResult(isQuoting: false) { json in
                json.name("note")
                note.encode(to: &json)
            }
        }
    }

    /// The ids of tags that are named. Throws `unknownTag`, with what there is.
    func tagIDs(_ names: [String]) async throws -> [String] {
        let tags = try await desk.tags()
        return try names.map { name in
            if let tag = tags.first(where: { $0.name.lowercased() == name.lowercased() || $0.id == name }) {
                return tag.id
            }
            let known = tags.prefix(20).map { QuotedText.name($0.name) }.joined(separator: ", ")
            throw ToolFailure(
                "unknownTag", tags.isEmpty ? "The desk has no tags." : "There is no such tag, but these: \(known).")
        }
    }
}

/// What a tool takes that wants nothing.
struct NoArguments: RequestBody {
    init(reading object: inout ObjectReader) {}
}

private struct SortArguments: RequestBody {
    let chat: ChatHandle
    let tags: [String]?
    let endsSnooze: Bool
    private let minutes: Int?
    private let until: Timestamp?
    private let wakesOnReply: Bool

    init(reading object: inout ObjectReader) {
        chat = object.chat()
        tags = object.texts(object.optional("tags"), "tags", count: 0...ThreadTeam.maximumTags)
        minutes = object.optionalInteger("snoozeMinutes", in: 5...527_040)
        until = object.optionalTime("snoozeUntil")
        wakesOnReply = object.optionalBool("wakeOnReply") ?? true
        endsSnooze = object.optionalBool("unsnooze") ?? false
        if let tags, Set(tags.map { $0.lowercased() }).count < tags.count {
            object.reject("tags", "a tag is in the list twice")
        }
        if [minutes != nil, until != nil, endsSnooze].count(where: { $0 }) > 1 {
            object.reject("unsnooze", "one of snoozeMinutes, snoozeUntil and unsnooze was expected")
        }
        if tags == nil, minutes == nil, until == nil, !endsSnooze {
            object.reject("tags", "at least one of tags, snoozeMinutes, snoozeUntil and unsnooze was expected")
        }
    }

    /// The snooze that is wanted; nil for none.
    func snooze(from now: Timestamp) throws -> SnoozeDraft? {
        guard let end = until ?? minutes.map({ now.advanced(byMilliseconds: Int64($0) * 60_000) }) else { return nil }
        guard Snooze.lengths.contains(end.milliseconds - now.milliseconds) else {
            throw ToolFailure(
                "invalidParameter",
                "/snoozeUntil: a time from 5 minutes to a year ahead was expected; now is \(now.rfc3339)")
        }
        return SnoozeDraft(until: end, wakesOnReply: wakesOnReply)
    }
}

private struct NoteArguments: RequestBody {
    enum Subject: String, CaseIterable { case chat, customer }

    let chat: ChatHandle
    let about: Subject
    let text: String

    init(reading object: inout ObjectReader) {
        chat = object.chat()
        about = object.optionalChoice("about", of: Subject.allCases) ?? .chat
        text = object.requiredString("text", length: CustomerNote.textLength)
    }
}

extension ObjectReader {
    /// A time as in RFC 3339.
    mutating func optionalTime(_ name: String) -> Timestamp? {
        guard let text = optionalString(name, length: 1...64) else { return nil }
        let time = Timestamp(rfc3339: text)
        if time == nil { reject(name, "a time as in RFC 3339 was expected") }
        return time
    }
}

extension KnownAgent {
    /// `{"agent","name","isPerson"?,"isBot"?,"presence"?}`
    fileprivate func encode(_ presence: DeskPresence.State?, to json: inout JSONWriter) {
        json.beginObject()
        json.member("agent", agent.id)
        json.member("name", QuotedText.name(agent.name ?? agent.id))
        if isPerson { json.member("isPerson", true) }
        if agent.isBot { json.member("isBot", true) }
        if let presence { json.member("presence", presence.rawValue) }
        json.endObject()
    }
}
