import Chat
import ChatModel
import Formats

/// What is kept of a device's registration.
enum DeviceSettings: CanonicalJSON, Hashable {
    case browser(BrowserSettings)
    case app(AppSettings)

    init(_ subscription: PushSubscription, page: PushPage?) {
        self = .browser(BrowserSettings(subscription, page: page))
    }

    /// Where the device is reached; nil for one that is closed. Pushes to two of the same address reach one device.
    var address: String? {
        switch self {
        case .browser(let settings): settings.subscription?.endpoint.url
        case .app(let settings): settings.token.map { "\(settings.topic ?? "") \($0.digits)" }
        }
    }

    /// What the log may name it by: the host of a push service, or an app.
    var destination: String {
        switch self {
        case .browser(let settings): settings.host
        case .app(let settings): settings.topic ?? "an app"
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
