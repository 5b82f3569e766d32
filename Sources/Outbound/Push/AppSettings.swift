import ChatModel
import Formats

/// What is kept of the registration of an app on a device.
struct AppSettings: CanonicalJSON, Hashable {
    /// The app's bundle id; nil: whichever app is configured for the channel at the time of a push. So it is with
    /// devices of other faces (``AppDeviceRegistry``), where pushes are simulated while none is.
    var topic: String?
    /// How the app knows the channel; nil: by its id here.
    var channel: String?
    /// Nil for a device that is gone.
    var token: APNsDeviceToken?
    /// Of a device that is refused: the configuration with which its app was refused (``APNsApp/fingerprint``).
    var refusedBy: String?

    init(topic: String?, channel: String? = nil, token: APNsDeviceToken) {
        self.topic = topic
        self.channel = channel
        self.token = token
    }

    func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("topic", topic)
        json.member("channel", channel)
        json.member("token", token?.digits)
        json.member("refusedBy", refusedBy)
        json.endObject()
    }

    init(json: JSONValue) throws(ModelError) {
        topic = json["topic"]?.string
        channel = json["channel"]?.string
        token = json["token"]?.string.flatMap(APNsDeviceToken.init)
        refusedBy = json["refusedBy"]?.string
    }
}
