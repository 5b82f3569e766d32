import ChatModel
import Formats

/// What is kept of the registration of an app on a device.
struct AppSettings: Sendable, Hashable {
    let kind: AppKind
    /// What the app is called at its push service; nil: whichever app is configured for the channel at the time of a
    /// push. So it is with devices of other faces (``AppDeviceRegistry``), where pushes are simulated while none is.
    var app: String?
    /// How the app knows the channel; nil: by its id here.
    var channel: String?
    /// Nil for a device that is gone.
    var token: DeviceToken?
    /// Of a device that is refused: the configuration with which its app was refused (``ConfiguredApp/fingerprint``).
    var refusedBy: String?

    init(app: String?, channel: String? = nil, token: DeviceToken) {
        kind = token.kind
        self.app = app
        self.channel = channel
        self.token = token
    }

    func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("topic", kind == .apns ? app : nil)
        json.member("project", kind == .fcm ? app : nil)
        json.member("channel", channel)
        json.member("token", token?.text)
        json.member("refusedBy", refusedBy)
        json.endObject()
    }

    /// Reads what ``encode(to:)`` wrote of a device of this kind.
    init(_ kind: AppKind, json: JSONValue) {
        self.kind = kind
        app = json[kind.nameMember]?.string
        channel = json["channel"]?.string
        token = json["token"]?.string.flatMap { DeviceToken($0, of: kind) }
        refusedBy = json["refusedBy"]?.string
    }
}
