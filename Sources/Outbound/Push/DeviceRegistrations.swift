import Chat
import ChatModel
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
