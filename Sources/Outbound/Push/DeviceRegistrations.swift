import Chat
import ChatModel

/// Judges what clients name as their devices.
package struct DeviceRegistrations: Sendable {
    private let rules: CurrentAddressRules
    private let hasContact: Bool
    private let known: APNsApps

    /// - Parameters:
    ///   - contact: whom push services may write to; Apple's Web Push takes no pushes without it.
    ///   - apps: those whose devices take pushes.
    package init(rules: CurrentAddressRules, contact: VAPIDContact?, apps: APNsApps) {
        self.rules = rules
        hasContact = contact != nil
        known = apps
    }

    var apps: [PushApp] { known.entries.map { PushApp(topic: $0.app.topic, environment: $0.app.environment.rawValue) } }

    /// What is kept of a registration. Throws what ``DeviceService/register(_:of:account:)`` does.
    ///
    /// - Parameter channel: of the session.
    func settings(for registration: DeviceRegistration, channel: String) throws(ChatError) -> DeviceSettings {
        registration.kind == .apns ? .app(try app(registration, channel)) : .browser(try browser(registration))
    }

    private func app(_ registration: DeviceRegistration, _ channel: String) throws(ChatError) -> AppSettings {
        let apps = known.apps(in: channel)
        guard !apps.isEmpty else {
            throw ChatError(
                .pushNotConfigured, "No app is configured to whose devices the gateway could push.", pointer: "/kind")
        }
        guard let token = APNsDeviceToken(registration.token ?? "") else {
            throw .invalidToken
        }
        guard let topic = registration.topic else {
            guard apps.count == 1 else {
                throw ChatError(
                    .invalidSubscription, "The channel has several apps, so the topic must be named.", pointer: "/topic"
                )
            }
            return AppSettings(topic: apps[0].topic, token: token)
        }
        guard let app = apps.first(where: { $0.topic.utf8.elementsEqual(topic.utf8) }) else {
            throw ChatError(
                .pushNotConfigured, "The gateway has no app of this topic in the channel.", pointer: "/topic")
        }
        return AppSettings(topic: app.topic, token: token)
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
        do throws(AddressRefusal) {
            try rules.current.check(subscription.endpoint, by: .session)
        } catch {
            throw ChatError(.targetNotAllowed, error.detail, pointer: "/subscription/endpoint")
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
    static let invalidToken = ChatError(
        .invalidSubscription,
        "The token must be an even number of hexadecimal digits, at most \(APNsDeviceToken.maximumLength).",
        pointer: "/token")
}
