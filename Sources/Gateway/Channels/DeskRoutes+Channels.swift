import Chat
import ChatModel
import Formats
import HTTPRouting
import MicroHTTP

/// The channels of the embedded service, which the desk creates and changes.
extension DeskRoutes {
    var channels: [Route] {
        let desk = desk
        return [
            Route(
                .get, "/v1/desk/channels", "listDeskChannels", access: .gateway,
                handler: .task { call in
                    let cursor = call.headCursor.description
                    let channels = try await desk.channels()
                    return call.json(headers: [("Parley-Cursor", cursor), Call.revalidate]) { json in
                        json.beginObject()
                        json.member("items", channels)
                        json.member("cursor", cursor)
                        json.endObject()
                    }
                }),
            Route(
                .post, "/v1/desk/channels", "createDeskChannel", access: .gateway, body: .json, idempotency: .carried,
                handler: .aside { call in
                    let body: NewChannel = try call.body()
                    return call.outcome(try await desk.createChannel(body.draft, receipt: call.receipt))
                }
            ).located { _, id in
                // Channels are read under their service, also those that the desk creates.
                "/v1/services/local/channels/\(id.percentEncoded)"
            },
            Route(
                .get, "/v1/desk/channels/{channel}", "getDeskChannel", access: .gateway,
                handler: .task { call in
                    call.json(
                        try await desk.channel(call.parameters["channel"]).canonicalJSON, headers: [Call.revalidate])
                }),
            Route(
                .patch, "/v1/desk/channels/{channel}", "updateDeskChannel", access: .gateway, body: .json,
                handler: .aside { call in
                    let body: ChannelSettingsBody = try call.body()
                    return call.json(
                        try await desk.update(channel: call.parameters["channel"], body.settings).canonicalJSON)
                }),
            Route(
                .put, "/v1/desk/channels/{channel}/availability", "setDeskChannelAvailability", access: .gateway,
                body: .json,
                handler: .aside { call in
                    let body: Availability = try call.body()
                    return call.json(
                        try await desk.setOnline(body.isOnline, channel: call.parameters["channel"]).canonicalJSON)
                }),
        ]
    }
}
