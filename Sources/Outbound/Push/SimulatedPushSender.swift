import ChatModel
import ChatStore
import Formats

/// Tells the desk what would have been pushed to an app, where no app is configured (`push.simulated`). Who tests an app
/// without a signing key sees here that a push is due, and what is in it.
package struct SimulatedPushSender: Sendable {
    private let store: ChatStore

    package init(store: ChatStore) { self.store = store }

    /// Publishes a live event of at most 6 KiB, and counts the push as delivered. The device's token is not in it.
    func send(_ push: Push, to device: TargetRecord, _ settings: AppSettings) async -> PushReport {
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
        var json = JSONWriter(reservingCapacity: 1024)
        json.beginObject()
        json.member("deviceId", device.id)
        json.member("channel", channel)
        json.member("customer", customer)
        json.member("threadId", message.threadID)
        json.member("messageId", message.messageID)
        json.name("headers")
        json.beginObject()
        for header in headers {
            json.name(header.name)
            json.value(header.value)
        }
        json.endObject()
        json.name("payload")
        json.raw(payload.bytes)
        json.endObject()
        store.feed.publish(.pushSimulated, data: json.bytes, to: [.desk])
        return PushReport(outcome: .delivered, attempt: AttemptRecord(at: now, status: nil, error: nil, milliseconds: 0))
    }
}
