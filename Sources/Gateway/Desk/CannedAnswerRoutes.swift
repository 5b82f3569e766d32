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
                    let answers = try await desk.cannedAnswers()
                    json.member("items", answers.filter { $0.isVisible(within: call.rights.channels) })
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
                    return call.outcome(try await desk.keepAnswer(body.draft, receipt: call.receipt))
                }),
            Route(
                .get, "\(list)/{answer}", "getDeskAnswer", access: .scope(.deskRead),
                handler: .aside { call in
                    let answer = try await desk.cannedAnswer(call.parameters["answer"])
                    guard answer.isVisible(within: call.rights.channels) else {
                        throw ChatError.unknownAnswer(answer.id)
                    }
                    return call.json(answer.canonicalJSON, headers: [Call.revalidate])
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

/// `{"name","text","shortcut"?,"channels"?,"language"?}`: an answer to keep. Null removes what the answer of this name
/// has.
private struct NewAnswer: RequestBody {
    let draft: CannedAnswerDraft

    init(reading object: inout ObjectReader) {
        draft = CannedAnswerDraft(
            name: object.requiredKey("name", length: CannedAnswer.nameLength), text: MessageText.required(&object),
            shortcut: object.removable("shortcut", Self.shortcut),
            channels: object.removable("channels", Self.channels),
            language: object.removable("language", Self.language))
    }

    private static func shortcut(_ object: inout ObjectReader, _ name: String) -> String? {
        let text = object.optionalString(name, length: CannedAnswer.shortcutLength)
        guard let text, !CannedAnswer.isShortcut(text) else { return text }
        object.reject(name, "letters from a to z, digits, - and _ were expected")
        return nil
    }

    private static func channels(_ object: inout ObjectReader, _ name: String) -> [String]? {
        let ids = object.texts(object.optional(name), name, count: 1...CannedAnswer.maximumChannels)
        guard let ids, !ids.allSatisfy(NewChannel.isChannelID) else { return ids }
        object.reject(name, "ids of channels were expected")
        return nil
    }

    private static func language(_ object: inout ObjectReader, _ name: String) -> String? {
        let text = object.optionalString(name, length: 2...35)
        guard let text, !CannedAnswer.isLanguage(text) else { return text }
        object.reject(name, "the tag of a language was expected, such as de or pt-BR")
        return nil
    }
}
