import Formats

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
