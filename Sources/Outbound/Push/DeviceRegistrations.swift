import Chat
import ChatModel
import ChatStore
import Formats
import HTTPClientPort

/// Judges what clients name as their devices.
package struct DeviceRegistrations: Sendable {
    private let rules: CurrentAddressRules
    private let hasContact: Bool
    private let known: PushApps

    /// - Parameters:
    ///   - contact: whom push services may write to; Apple's Web Push takes no pushes without it.
    ///   - apps: those whose devices take pushes.
    package init(rules: CurrentAddressRules, contact: VAPIDContact?, apps: PushApps) {
        self.rules = rules
        hasContact = contact != nil
        known = apps
    }

    var apps: [PushApp] {
        known.configurations.map { PushApp(kind: $0.kind.target, name: $0.name, environment: $0.environmentName) }
    }

    /// What is kept of a registration. Throws what ``DeviceService/register(_:of:account:onlyNew:)`` does.
    ///
    /// - Parameter channel: of the session.
    func settings(for registration: DeviceRegistration, channel: String) throws(ChatError) -> DeviceSettings {
        guard let kind = AppKind(registration.kind) else { return .browser(try browser(registration)) }
        return .app(try app(registration, kind, channel))
    }

    private func app(
        _ registration: DeviceRegistration, _ kind: AppKind, _ channel: String
    ) throws(ChatError) -> AppSettings {
        let apps = known.configurations(kind, in: channel)
        guard !apps.isEmpty else {
            throw ChatError(
                .pushNotConfigured, "No app is configured to whose devices the gateway could push.", pointer: "/kind")
        }
        guard let token = DeviceToken(registration.token ?? "", of: kind) else { throw .invalidToken(of: kind) }
        let (member, pointer) = (kind.nameMember, "/" + kind.nameMember)
        guard let name = registration.app else {
            guard apps.count == 1 else {
                throw ChatError(
                    .invalidSubscription, "The channel has several apps, so the \(member) must be named.",
                    pointer: pointer)
            }
            return AppSettings(app: apps[0].name, token: token)
        }
        guard let app = apps.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) else {
            throw ChatError(
                .pushNotConfigured, "The gateway has no app of this \(member) in the channel.", pointer: pointer)
        }
        return AppSettings(app: app.name, token: token)
    }

    private func browser(_ registration: DeviceRegistration) throws(ChatError) -> BrowserSettings {
        let subscription: PushSubscription
        do throws(InvalidMembers) {
            subscription = try PushSubscription(registration.subscription ?? .null, at: "/subscription")
        } catch {
            let faults = error.faults.map { ChatError.Fault(.invalidSubscription, $0.reason, pointer: $0.pointer) }
            throw ChatError(
                .invalidSubscription, faults.first?.detail ?? "The subscription is not valid.", faults: faults)
        }
        let rules = rules.current
        do throws(AddressRefusal) {
            try rules.check(subscription.endpoint, by: .session)
        } catch {
            throw ChatError(.targetNotAllowed, error.detail, pointer: "/subscription/endpoint")
        }
        if registration.needsKnownService, !KnownPushServices.contain(subscription.endpoint),
            !rules.allowedHosts.contains(where: { $0.matches(subscription.endpoint) })
        {
            throw ChatError(
                .targetNotAllowed,
                "A visitor's browser is reached by the push services of Chrome, Edge, Firefox and Safari, and by hosts of --push-allow-host.",
                pointer: "/subscription/endpoint")
        }
        if !hasContact, VAPIDContact.isNeeded(for: subscription.endpoint) {
            throw ChatError(
                .pushNotConfigured,
                "Apple's push service needs a contact: start the gateway with --push-contact.",
                pointer: "/subscription/endpoint")
        }
        guard let text = registration.page else { return BrowserSettings(subscription, page: nil) }
        do throws(AddressRefusal) {
            return BrowserSettings(subscription, page: try PushPage(text))
        } catch {
            throw ChatError(.invalidSubscription, error.detail, pointer: "/page")
        }
    }
}

extension ChatError {
    static func invalidToken(of kind: AppKind) -> ChatError {
        ChatError(.invalidSubscription, kind.tokenRule, pointer: "/token")
    }
}

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

/// The services of the browsers that many people have. Whoever nobody knows may name no other address for the gateway
/// to send requests to.
private enum KnownPushServices {
    private static let hosts: Set<String> = [
        // Chrome and what is made of it, Firefox, Safari.
        "fcm.googleapis.com", "updates.push.services.mozilla.com", "web.push.apple.com",
    ]
    /// Services that give a browser a host of its own below theirs: Edge, Firefox, Safari.
    private static let domains = [".notify.windows.com", ".push.services.mozilla.com", ".push.apple.com"]

    static func contain(_ address: TargetAddress) -> Bool {
        address.scheme == .https && address.port == 443 && address.literal == nil
            && (hosts.contains(address.host) || domains.contains(where: address.host.hasSuffix))
    }
}
