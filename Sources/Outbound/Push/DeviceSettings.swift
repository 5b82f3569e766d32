import Chat
import ChatModel
import ChatStore
import Formats

/// What is kept of a device's registration.
enum DeviceSettings: Sendable, Hashable {
    case browser(BrowserSettings)
    case app(AppSettings)

    /// Reads what ``canonicalJSON`` wrote. Throws for what is no device of the gateway's.
    init(of device: TargetRecord) throws {
        if device.kind == .webPush {
            self = .browser(try BrowserSettings(canonicalJSON: device.settings))
            return
        }
        guard let kind = AppKind(device.kind), let json = try? JSONParser.parse(device.settings) else {
            throw ModelError(member: "settings")
        }
        self = .app(AppSettings(kind, json: json))
    }

    /// What the store keeps, with the device's kind beside it.
    var canonicalJSON: [UInt8] {
        var json = JSONWriter()
        switch self {
        case .browser(let settings): settings.encode(to: &json)
        case .app(let settings): settings.encode(to: &json)
        }
        return json.bytes
    }

    /// Where the device is reached; nil for one that is closed. Pushes to two of the same kind and address reach one
    /// device.
    var address: String? {
        switch self {
        case .browser(let settings): settings.subscription?.endpoint.url
        case .app(let settings): settings.token.map { "\(settings.app ?? "") \($0.text)" }
        }
    }

    /// What the log may name it by: the host of a push service, or an app.
    var destination: String {
        switch self {
        case .browser(let settings): settings.host
        case .app(let settings): settings.app ?? "an app"
        }
    }

    /// What stays of a device that takes nothing any more.
    ///
    /// - Parameter app: see ``AttemptReport/app``.
    func closed(_ reason: PushPlan.Closing, app: String?) -> ClosedDevice {
        var left = self
        switch (self, reason) {
        case (.browser(var settings), _):
            settings.subscription = nil
            left = .browser(settings)
        case (.app(var settings), .gone):
            settings.token = nil
            left = .app(settings)
        // Its token may be right and the gateway's configuration wrong.
        case (.app(var settings), .refused):
            settings.refusedBy = app
            left = .app(settings)
        }
        return ClosedDevice(settings: left.canonicalJSON, address: left.address)
    }
}

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
