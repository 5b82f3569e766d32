import Chat
import ChatModel

/// What is kept of a device's registration.
enum DeviceSettings: CanonicalJSON, Hashable {
    case browser(BrowserSettings)
    case app(AppSettings)

    init(_ subscription: PushSubscription, page: PushPage?) { self = .browser(BrowserSettings(subscription, page: page)) }

    /// Whether pushes to both reach one device.
    func isSameDevice(as other: DeviceSettings) -> Bool {
        switch (self, other) {
        case (.browser(let one), .browser(let other)):
            one.subscription != nil && one.subscription?.endpoint == other.subscription?.endpoint
        case (.app(let one), .app(let other)):
            one.token != nil && one.token == other.token && one.topic == other.topic
        default: false
        }
    }

    /// What stays of a device that takes nothing any more.
    ///
    /// - Parameter app: see ``PushReport/app``.
    func closed(_ reason: PushPlan.Closing, app: String?) -> DeviceSettings {
        switch (self, reason) {
        case (.browser(var settings), _):
            settings.subscription = nil
            return .browser(settings)
        case (.app(var settings), .gone):
            settings.token = nil
            return .app(settings)
        // Its token may be right and the gateway's configuration wrong.
        case (.app(var settings), .refused):
            settings.refusedBy = app
            return .app(settings)
        }
    }

    func encode(to json: inout JSONWriter) {
        switch self {
        case .browser(let settings): settings.encode(to: &json)
        case .app(let settings): settings.encode(to: &json)
        }
    }

    init(json: JSONValue) throws(ModelError) {
        self = json["host"] == nil ? .app(try AppSettings(json: json)) : .browser(try BrowserSettings(json: json))
    }
}
