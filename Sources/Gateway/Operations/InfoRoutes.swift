import ChatModel
import Formats
import HTTPRouting
import MicroHTTP

/// `/v1/info`: what runs here, the state of the event log, and the limits that a client must know.
struct InfoRoutes: RouteGroup {
    /// When the gateway's application was made.
    let startedAt: Timestamp
    /// Route groups that add members of their own.
    var groups: [any RouteGroup<GatewayCore>] = []

    var routes: [Route] {
        let (startedAt, groups) = (startedAt, groups)
        return [
            Route(
                .get, "/v1/info", "getInfo", access: .known,
                handler: .task { call in
                    let core = call.core
                    // RFC 8631: the API's description, from its entry point.
                    let links =
                        core.configuration.hasDocument
                        ? [("Link", "</openapi.json>; rel=\"service-desc\"")] : []
                    var json = JSONWriter(reservingCapacity: 1024)
                    json.beginObject()
                    json.member("name", "Parley")
                    json.member("version", core.configuration.version)
                    json.member("instance", core.store.instance)
                    json.member("startedAt", startedAt)
                    json.member("epoch", core.store.feed.epoch)
                    json.member("head", core.store.feed.head)
                    json.member("floor", core.store.feed.floor)
                    let maintenance = core.rules.maintenance
                    if !maintenance.isEmpty { json.member("maintenance", maintenance) }
                    json.name("services")
                    json.beginArray()
                    for service in core.sessions.services { json.value(service.id) }
                    json.endArray()
                    json.name("limits")
                    json.beginObject()
                    json.member("textBytes", MessageText.maximumBytes)
                    json.member("bodyBytes", core.configuration.maximumBody)
                    json.member("pageSize", 200)
                    json.member("idLength", Identifier.maximumLength)
                    json.member("streamSessions", core.configuration.maximumStreamSessions)
                    json.endObject()
                    for group in groups { await group.describe(to: call.request, of: call.identity, in: &json) }
                    json.endObject()
                    return call.json(json.bytes, headers: links)
                })
        ]
    }
}
