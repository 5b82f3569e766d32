import Chat
import ChatModel
import ChatStore
import Formats
import HTTPRouting
import MicroHTTP

/// Working together at the desk: counts, snoozing, reopening, tags of threads.
extension DeskRoutes {
    var team: [Route] {
        let desk = desk
        return [
            Route(
                .get, "/v1/desk/counts", "getDeskCounts", access: .scope(.deskRead),
                query: .only([], repeatable: ["channel"]),
                handler: .aside { call in
                    let cursor = call.headCursor.description
                    let counts = try await desk.counts(of: call.acting(nil)?.id, within: call.deskChannels)
                    return call.json(headers: [("Parley-Cursor", cursor), Call.revalidate]) { json in
                        json.beginObject()
                        counts.encode(to: &json)
                        json.member("cursor", cursor)
                        json.endObject()
                    }
                }),
            Route(
                .post, "\(Self.one)/reopen", "reopenDeskThread", access: .scope(.deskWrite), query: .only(Self.acting),
                idempotency: .carried, isVersioned: true,
                handler: .aside { call in
                    call.outcome(
                        try await desk.reopen(
                            try call.deskThread, as: try call.actingAgent, ifMatch: try await version(call),
                            receipt: call.receipt))
                }),
            Route(
                .put, "\(Self.one)/snooze", "snoozeDeskThread", access: .scope(.deskWrite), query: .only(Self.acting),
                body: .json, isVersioned: true,
                handler: .aside { call in
                    let body: SnoozeBody = try call.body()
                    return call.outcome(
                        try await desk.snooze(
                            try call.deskThread, body.draft, as: try call.actingAgent,
                            ifMatch: try await version(call)))
                }),
            Route(
                .delete, "\(Self.one)/snooze", "wakeDeskThread", access: .scope(.deskWrite), query: .only(Self.acting),
                isVersioned: true,
                handler: .aside { call in
                    call.outcome(
                        try await desk.wake(
                            try call.deskThread, as: try call.actingAgent, ifMatch: try await version(call)))
                }),
            Route(
                .put, "\(Self.one)/tags", "setDeskThreadTags", access: .scope(.deskWrite), query: .only(Self.acting),
                body: .json, isVersioned: true,
                handler: .aside { call in
                    let body: TagList = try call.body()
                    return call.outcome(
                        try await desk.setTags(
                            body.tags, of: try call.deskThread, as: try call.actingAgent,
                            ifMatch: try await version(call)))
                }),
        ]
    }
}

/// `{"until","wakeOnReply"?}`: how long a thread is laid aside.
private struct SnoozeBody: RequestBody {
    let draft: SnoozeDraft

    init(reading object: inout ObjectReader) {
        let text = object.requiredString("until", length: 1...64)
        let time = Timestamp(rfc3339: text)
        if time == nil, !text.isEmpty { object.reject("until", "a time as in RFC 3339 was expected") }
        draft = SnoozeDraft(
            until: time ?? Timestamp(milliseconds: 0), wakesOnReply: object.optionalBool("wakeOnReply") ?? true)
    }
}

/// `{"tags"}`: the ids of all tags that the thread shall have.
private struct TagList: RequestBody {
    let tags: [String]

    init(reading object: inout ObjectReader) {
        tags = Self.ids(&object)
        if Set(tags).count < tags.count { object.reject("tags", "a tag is in the list twice") }
    }

    private static func ids(_ object: inout ObjectReader) -> [String] {
        let values = object.required("tags")?.array
        let ids = values?.compactMap(\.string).filter(Identifier.isValid) ?? []
        if values == nil || ids.count < values?.count ?? 0 || ids.count > ThreadTeam.maximumTags {
            object.reject("tags", "an array of at most \(ThreadTeam.maximumTags) ids was expected")
        }
        return ids
    }
}

/// The words with which the desk sorts its threads. They are those of all channels.
extension DeskRoutes {
    var tags: [Route] {
        let desk = desk
        let (list, one) = ("/v1/desk/tags", "/v1/desk/tags/{tag}")
        return [
            Route(
                .get, list, "listDeskTags", access: .scope(.deskRead),
                handler: .aside { call in
                    let cursor = call.headCursor.description
                    let tags = try await desk.tags()
                    return call.json(headers: [("Parley-Cursor", cursor), Call.revalidate]) { json in
                        json.beginObject()
                        json.member("items", tags)
                        json.member("cursor", cursor)
                        json.endObject()
                    }
                }),
            Route(
                .post, list, "createDeskTag", access: .scope(.deskManage), body: .json, idempotency: .carried,
                handler: .aside { call in
                    try call.rights.require(channel: nil)
                    let body: NewTag = try call.body()
                    return call.outcome(try await desk.addTag(body.name, body.colour, receipt: call.receipt))
                }),
            Route(
                .get, one, "getDeskTag", access: .scope(.deskRead),
                handler: .aside { call in
                    call.json(try await desk.tag(call.parameters["tag"]).canonicalJSON, headers: [Call.revalidate])
                }),
            Route(
                .patch, one, "updateDeskTag", access: .scope(.deskManage), body: .json,
                handler: .aside { call in
                    try call.rights.require(channel: nil)
                    let patch: TagPatch = try call.body()
                    let tag = try await desk.updateTag(
                        call.parameters["tag"], name: patch.name, colour: patch.colour, position: patch.position)
                    return call.json(tag.canonicalJSON)
                }),
            Route(
                .delete, one, "deleteDeskTag", access: .scope(.deskManage),
                handler: .aside { call in
                    try call.rights.require(channel: nil)
                    try await desk.removeTag(call.parameters["tag"])
                    return call.noContent()
                }),
        ]
    }
}

/// `{"name","colour"?}`: a new tag.
private struct NewTag: RequestBody {
    let name: String
    let colour: DeskTag.Colour

    init(reading object: inout ObjectReader) {
        name = object.requiredKey("name", length: DeskTag.nameLength)
        colour = object.optionalChoice("colour", of: DeskTag.Colour.allCases) ?? .grey
    }
}

/// `{"name"?,"colour"?,"position"?}`: what changes of a tag.
private struct TagPatch: RequestBody {
    let name: String?
    let colour: DeskTag.Colour?
    let position: Int?

    init(reading object: inout ObjectReader) {
        name = object.optionalKey("name", length: DeskTag.nameLength)
        colour = object.optionalChoice("colour", of: DeskTag.Colour.allCases)
        position = object.optionalInteger("position", in: 0...DeskTag.maximumCount)
    }
}

/// Notes among agents: at the desk, and nowhere else.
extension DeskRoutes {
    var notes: [Route] {
        let desk = desk
        let list = "\(Self.one)/notes"
        return [
            Route(
                .get, list, "listDeskNotes", access: .scope(.deskRead), query: .only(Self.which + ["limit", "cursor"]),
                handler: .aside { call in
                    call.page(try await desk.notes(of: try call.deskThread, page: call.query.page()))
                }),
            Route(
                .post, list, "addDeskNote", access: .scope(.deskWrite), query: .only(Self.acting), body: .json,
                idempotency: .carried,
                handler: .aside { call in
                    let body: DeskNote = try call.body()
                    return call.outcome(
                        try await desk.addNote(
                            body.text, by: try call.agent(body.agent), to: try call.deskThread, receipt: call.receipt))
                }),
            Route(
                .get, "\(list)/{note}", "getDeskNote", access: .scope(.deskRead), query: .only(Self.which),
                handler: .aside { call in
                    call.resource(try await desk.note(call.parameters["note"], of: try call.deskThread))
                }),
            Route(
                .delete, "\(list)/{note}", "deleteDeskNote", access: .scope(.deskWrite), query: .only(Self.acting),
                handler: .aside { call in
                    let (thread, note) = (try call.deskThread, call.parameters["note"])
                    try await call.requireOwn { try await desk.note(note, of: thread).body }
                    try await desk.removeNote(note, of: thread, as: try call.actingAgent)
                    return call.noContent()
                }),
        ]
    }
}

/// `{"text","agent"?}`: a note of an agent.
private struct DeskNote: RequestBody {
    let text: String
    let agent: Agent?

    init(reading object: inout ObjectReader) {
        text = MessageText.required(&object)
        agent = AgentBody.optional(&object)
    }
}

/// Somebody at the desk.
package struct KnownAgent: Sendable {
    package let agent: Agent
    /// Whether it is somebody who signs in here.
    package let isPerson: Bool
    /// Whether they are a person who may not sign in any more.
    package let isGone: Bool
    /// The only channels that they see; nil for all.
    private let channels: [String]?

    fileprivate init(_ agent: Agent, person: Person?) {
        let active = person?.state == .active ? person : nil
        self.agent = active?.agent ?? agent
        isPerson = active != nil
        isGone = person != nil && active == nil
        channels = active?.channels
    }

    /// Whether conversations of the channel can be given to them.
    package func takes(_ channel: String) -> Bool { !isGone && channels?.contains(channel) ?? true }
}

extension GatewayCore {
    /// Who has worked at the desk, the one who did so last first; then the other persons who may sign in.
    package func agents(at desk: any DeskService) async throws(ChatError) -> [KnownAgent] {
        let atWork = try await desk.agents()
        let all = people.all()
        let known = atWork.map { agent in
            KnownAgent(agent, person: all.first { $0.id.hasSameBytes(as: agent.id) })
        }
        let others = all.filter { person in
            person.state == .active && !atWork.contains { $0.id.hasSameBytes(as: person.id) }
        }
        return known + others.map { KnownAgent($0.agent, person: $0) }
    }

    /// Who is there now, or away, by the agent's id.
    package var presences: [String: DeskPresence.State] {
        Dictionary(presence.all(within: nil).map { ($0.agent.id, $0.state) }) { first, _ in first }
    }
}
