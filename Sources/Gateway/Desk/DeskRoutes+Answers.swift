import Chat
import ChatModel
import ChatStore
import Formats
import HTTPRouting
import MicroHTTP

/// The answers that agents keep for all of them.
extension DeskRoutes {
    var answers: [Route] {
        let desk = desk
        let list = "/v1/desk/answers"
        return [
            Route(
                .get, list, "listDeskAnswers", access: .scope(.deskRead),
                handler: .aside { call in
                    let cursor = call.headCursor.description
                    var json = JSONWriter(reservingCapacity: 4096)
                    json.beginObject()
                    json.member("items", try await desk.cannedAnswers())
                    json.member("cursor", cursor)
                    json.endObject()
                    return call.json(json.bytes, headers: [("Parley-Cursor", cursor), Call.revalidate])
                }),
            Route(
                .post, list, "keepDeskAnswer", access: .scope(.deskWrite), body: .json, idempotency: .carried,
                handler: .aside { call in
                    // All agents see it, on all channels.
                    try call.rights.require(channel: nil)
                    let body: NewAnswer = try call.body()
                    return call.outcome(try await desk.keepAnswer(body.text, as: body.name, receipt: call.receipt))
                }),
            Route(
                .get, "\(list)/{answer}", "getDeskAnswer", access: .scope(.deskRead),
                handler: .aside { call in
                    call.json(
                        try await desk.cannedAnswer(call.parameters["answer"]).canonicalJSON,
                        headers: [Call.revalidate])
                }),
            Route(
                .delete, "\(list)/{answer}", "deleteDeskAnswer", access: .scope(.deskWrite),
                handler: .aside { call in
                    try call.rights.require(channel: nil)
                    try await desk.removeAnswer(call.parameters["answer"])
                    return call.noContent()
                }),
        ]
    }
}

/// `{"name","text"}`: an answer to keep.
private struct NewAnswer: RequestBody {
    let name: String
    let text: String

    init(reading object: inout ObjectReader) {
        name = object.requiredKey("name", length: CannedAnswer.nameLength)
        text = MessageText.required(&object)
    }
}
