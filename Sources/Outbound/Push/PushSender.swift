import Bounds
import ChatStore
import ChatModel
import Formats
import HTTPClientPort

/// Brings pushes to devices, to each by its kind.
package struct PushSender: Sendable {
    private let browsers: WebPushSender
    let apps: AppPushSender
    private let simulated: SimulatedPushSender

    package init(browsers: WebPushSender, apps: AppPushSender, simulated: SimulatedPushSender) {
        self.browsers = browsers
        self.apps = apps
        self.simulated = simulated
    }

    /// One attempt, which ends within a time limit of its own.
    func send(_ push: Push, to device: TargetRecord, _ settings: DeviceSettings) async -> AttemptReport {
        switch settings {
        case .browser(let settings): await browsers.send(push, to: settings, of: device.holder)
        case .app(let settings) where settings.app == nil && !apps.hasApp(settings, channel: push.message.channelID):
            await simulated.send(push, to: device, settings)
        case .app(let settings): await apps.send(push, to: device, settings)
        }
    }
}

extension TargetRecord {
    /// Who chose the target's address.
    fileprivate var holder: Holder {
        switch audience {
        case .account(let account): .named("account:\(account)")
        default: .root
        }
    }
}

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

/// Sends pushes to push services.
package struct WebPushSender: Sendable {
    private let port: any HTTPPort
    private let tokens: VAPIDTokens
    private let environment: ModelEnvironment

    static let timeout = Duration.seconds(15)
    /// Bytes of an answer that are read.
    static let answerLimit = 64 << 10

    /// - Parameter port: judges the addresses that sessions may name.
    package init(port: any HTTPPort, tokens: VAPIDTokens, environment: ModelEnvironment) {
        self.port = port
        self.tokens = tokens
        self.environment = environment
    }

    /// One attempt, which ends within ``timeout``.
    ///
    /// - Parameter holder: who chose the address.
    func send(_ push: Push, to settings: BrowserSettings, of holder: Holder) async -> AttemptReport {
        let began = environment.now()
        guard let subscription = settings.subscription else { return AttemptReport(.gone, error: "closed") }
        if let end = subscription.expirationTime, end <= began { return AttemptReport(.gone, error: "expired") }
        let request: WebPushRequest
        do {
            request = try WebPushRequest(
                push.message, alert: PushAlert(push.message, for: .webPush), page: settings.page, to: subscription,
                tokens: tokens,
                now: began)
        } catch {
            return AttemptReport(.eventRefused, error: "notEncrypted")
        }
        var call = HTTPCall(
            "POST", request.url, headers: request.headers.map { HTTPCall.Header($0.name, $0.value) },
            body: request.body,
            timeout: Self.timeout)
        call.holder = holder
        do {
            let answer = try await port.sendReadingStart(call, limit: Self.answerLimit, kept: AttemptRecord.maximumHead)
            return AttemptReport(AttemptOutcome(webPushStatus: answer.status), answer, at: environment.now())
        } catch {
            return AttemptReport(.targetFailed, error: AttemptError.word(for: error))
        }
    }
}
