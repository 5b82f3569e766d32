import ChatModel
import ChatStore
import Formats

/// Tells the desk what would have been pushed to an app, where no app is configured (`push.simulated`). Who tests an
/// app without a signing key sees here that a push is due, and what is in it.
package struct SimulatedPushSender: Sendable {
    private let store: ChatStore

    package init(store: ChatStore) { self.store = store }

    /// Publishes a live event of at most 6 KiB, and counts the push as delivered. The device's token is not in it.
    func send(_ push: Push, to device: TargetRecord, _ settings: AppSettings) async -> AttemptReport {
        let now = store.environment.now()
        let channel = push.message.channelID
        var customer: String?
        if case .account(let account) = device.audience {
            customer = try? await store.read { try $0.account(account).key.customer }
        }
        let message = push.known(in: settings.channel).message
        let payload = APNsPayload(
            message, alert: PushAlert(message, for: .apns), badge: push.badge, deepLink: message.deepLink)
        let headers = APNsRequest.headers(
            message.messageID, expiration: now.advanced(by: RetrySchedule.timeToLive),
            id: APNsRequest.id(target: device.id, push: push.id))
        let event = PushSimulatedEvent(
            deviceID: device.id, channel: channel, customer: customer, threadID: message.threadID,
            messageID: message.messageID, headers: headers.map { .init(name: $0.name, value: $0.value) },
            payload: payload.bytes)
        store.feed.publish(event, to: [.desk])
        return AttemptReport(.delivered)
    }
}
