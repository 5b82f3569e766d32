import Chat
import ChatModel
import ChatStore
import Formats
import HTTPRouting
import MicroHTTP

/// The routes that export conversations, and import those of other systems.
struct ArchiveRoutes: RouteGroup {
    let desk: any DeskService

    var routes: [Route] {
        let desk = desk
        return [
            Route(
                .get, "/v1/desk/export", "listExportedThreads", access: .scope(.deskRead),
                query: .only(["limit", "cursor"] + QueryReader.timeNames, repeatable: ["channel"]),
                handler: .aside { call in
                    call.page(
                        try await desk.exportedThreads(within: try call.deskChannels, page: try call.query.page()),
                        hasNames: true)
                }),
            Route(
                .post, "/v1/desk/import", "importThread", access: .scope(.deskManage), query: .only(["channel"]),
                body: .json, idempotency: .carried,
                handler: .aside { call in try await Self.take(call, desk) }
            ).located { _, id in "/v1/desk/threads/\(id.percentEncoded)" },
        ]
    }

    private static func take(_ call: Call, _ desk: any DeskService) async throws -> HTTPResponse {
        // It makes customers, and says who they are.
        try call.rights.require(.customersWrite)
        let body: ImportBody = try call.body()
        guard let channel = try call.query.channel("channel") ?? body.channel else {
            throw Problem(items: [Problem.Item(.missingMember, pointer: "/channel", "the operation needs this member")])
        }
        try call.rights.require(channel: channel)
        var thread = body.thread
        thread.digest = try call.json().contentDigest
        return call.outcome(
            try await desk.importThread(
                thread, on: channel, addsTags: call.rights.channels == nil, receipt: call.receipt))
    }
}

extension JSONValue {
    /// The SHA-256 of what a conversation holds, in base64url. Spaces, the order of members and the place where it goes make
    /// no difference.
    fileprivate var contentDigest: String {
        var json = JSONWriter()
        let content = (members ?? []).filter { $0.name != "channel" }
        JSONValue.object(content).write(to: &json)
        return Base64URL.encode(SHA256.hash(json.bytes))
    }

    private func write(to json: inout JSONWriter) {
        switch self {
        case .null: json.raw(Array("null".utf8))
        case .bool(let flag): json.value(flag)
        case .integer(let number): json.value(number)
        case .number(let number): json.raw(Array("\(number)".utf8))
        case .string(let text): json.value(text)
        case .array(let items):
            json.beginArray()
            for item in items { item.write(to: &json) }
            json.endArray()
        case .object(let members):
            json.beginObject()
            for member in members.sorted(by: { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }) {
                json.name(member.name)
                member.value.write(to: &json)
            }
            json.endObject()
        }
    }
}
