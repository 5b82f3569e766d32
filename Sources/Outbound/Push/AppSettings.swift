import ChatModel

/// What is kept of the registration of an app on a device.
struct AppSettings: CanonicalJSON, Hashable {
    /// The app's bundle id.
    var topic: String
    /// Nil for a device that is gone.
    var token: APNsDeviceToken?
    /// Of a device that is refused: the configuration with which its app was refused (``APNsApp/fingerprint``).
    var refusedBy: String?

    init(topic: String, token: APNsDeviceToken) {
        self.topic = topic
        self.token = token
    }

    func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("topic", topic)
        json.member("token", token?.digits)
        json.member("refusedBy", refusedBy)
        json.endObject()
    }

    init(json: JSONValue) throws(ModelError) {
        topic = try json.requiredString("topic")
        token = json["token"]?.string.flatMap(APNsDeviceToken.init)
        refusedBy = json["refusedBy"]?.string
    }
}
