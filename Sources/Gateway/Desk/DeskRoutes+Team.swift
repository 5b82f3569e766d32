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
