import Chat
import ChatModel
import Formats

/// What is kept of a browser's registration: its subscription and where its page is.
///
/// Of a device that is closed only the host is left.
struct BrowserSettings: CanonicalJSON, Hashable {
    /// Nil for a device that is closed.
    var subscription: PushSubscription?
    /// Of the endpoint.
    var host: String
    var page: PushPage?

    init(_ subscription: PushSubscription, page: PushPage?) {
        self.subscription = subscription
        self.page = page
        host = subscription.endpoint.host
    }

    func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("host", host)
        json.member("page", page?.url)
        if let subscription {
            json.name("subscription")
            subscription.encode(to: &json)
        }
        json.endObject()
    }

    init(json: JSONValue) throws(ModelError) {
        host = try json.requiredString("host")
        subscription = if let value = json["subscription"] { try PushSubscription(json: value) } else { nil }
        page = json["page"]?.string.flatMap { try? PushPage($0) }
    }
}
