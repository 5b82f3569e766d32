import Chat
import ChatModel
import ChatStore
import HTTPRouting
import MicroHTTP

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
