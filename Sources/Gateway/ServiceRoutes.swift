import Chat
import ChatModel
import Formats
import HTTPRouting
import MicroHTTP

/// The chat services and their channels. They need no session; any valid token may read them.
struct ServiceRoutes: RouteGroup {
    var routes: [Route] {
        [
            Route(
                .get, "/v1/services", "listServices", access: .known,
                handler: .aside { call in
                    var json = JSONWriter(reservingCapacity: 2048)
                    json.beginObject()
                    json.name("items")
                    json.beginArray()
                    let note = call.core.configuration.demonstration
                    for service in call.core.sessions.services {
                        try await Self.encode(
                            service, note?.service == service.id ? note : nil, for: call, to: &json)
                    }
                    json.endArray()
                    json.endObject()
                    return call.json(json.bytes, headers: [Call.revalidate])
                }),
            Route(
                .get, "/v1/services/{service}/channels/{channel}", "getServiceChannel", access: .known,
                handler: .aside { call in
                    let id = call.parameters["service"]
                    let sessions = call.core.sessions
                    guard let service = sessions.services.first(where: { $0.id == id }) else {
                        throw ChatError(.unknownService, sessions.absence(of: id))
                    }
                    let channel = call.parameters["channel"]
                    guard call.reaches(channel) else { throw ChatError.unknownChannel(channel) }
                    return call.json(
                        call.shown(try await service.channel(channel), of: service).canonicalJSON,
                        headers: [Call.revalidate])
                }),
        ]
    }

    /// Writes one service with its capabilities, sorted by name, and those of its channels that the caller may see.
    private static func encode(
        _ service: any ChatService, _ demonstration: DemonstrationNote?, for call: Call, to json: inout JSONWriter
    ) async throws {
        json.beginObject()
        json.member("id", service.id)
        json.member("name", service.name)
        json.name("capabilities")
        json.beginArray()
        for capability in service.capabilities.sorted() { json.value(capability.rawValue) }
        json.endArray()
        let channels = try await service.channels().filter { call.reaches($0.id) }
        json.member("channels", channels.map { call.shown($0, of: service) })
        if let demonstration {
            json.name("demonstration")
            demonstration.encode(to: &json)
        }
        json.endObject()
    }
}

extension Call {
    /// Whether the channel is there for the caller: for a customer who has come by themselves, only their own.
    fileprivate func reaches(_ channel: String) -> Bool {
        guard case .session(let id) = identity, let session = core.sessions.client(id), session.term.kind != .plain
        else {
            return rights.reaches(channel)
        }
        return session.channel.id == channel
    }

    /// The channel as the caller may see it, with whether it is open now.
    fileprivate func shown(_ channel: Channel, of service: any ChatService) -> Channel {
        var channel = channel
        channel.opening = service.opening(of: channel)
        if case .session = identity { return channel.forCustomers }
        return channel
    }
}

extension GatewayCore {
    /// Whether a channel of the embedded service is open now.
    package func opening(of channel: Channel) -> Opening {
        sessions.services.lazy.compactMap { $0.id == "local" ? $0.opening(of: channel) : nil }.first ?? .open
    }
}

/// Where the gateway shows a demonstration, and for whom: a member of the service in `/v1/services`. It belongs to this run
/// of the gateway, so no channel stores it.
public struct DemonstrationNote: Sendable {
    /// The service that has the channels.
    var service: String
    /// A session for this customer sees the conversations that were made in advance.
    var customer: String
    /// The channels in which a bot answers.
    var channels: [String]

    public init(service: String, customer: String, channels: [String]) {
        self.service = service
        self.customer = customer
        self.channels = channels
    }

    /// `{"customer":{"id"},"channels":[id, ...]}`
    func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.name("customer")
        json.beginObject()
        json.member("id", customer)
        json.endObject()
        json.name("channels")
        json.beginArray()
        for channel in channels { json.value(channel) }
        json.endArray()
        json.endObject()
    }
}
