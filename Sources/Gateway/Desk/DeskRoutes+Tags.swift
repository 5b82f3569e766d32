import Chat
import ChatModel
import ChatStore
import Formats
import HTTPRouting
import MicroHTTP

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
