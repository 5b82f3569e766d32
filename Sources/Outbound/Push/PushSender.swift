import Bounds
import ChatModel
import ChatStore
import Crypto
import CryptoExtras
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

/// Sends pushes to apps, each through its push service.
package struct AppPushSender: Sendable {
    private let apps: PushApps
    private let holds = AppHolds()
    private let environment: ModelEnvironment
    private let notice: @Sendable (String) -> Void

    /// - Parameter notice: gets one line when the pushes of an app begin to wait, one when they go on, and one for what
    ///   else only the operator can mend.
    package init(apps: PushApps, environment: ModelEnvironment, notice: @escaping @Sendable (String) -> Void) {
        self.apps = apps
        self.environment = environment
        self.notice = notice
    }

    private func app(of settings: AppSettings, channel: String) -> (any PushableApp)? {
        apps.app(settings.kind, named: settings.app, channel: channel)
    }

    /// Whether an app is configured for this device.
    fileprivate func hasApp(_ settings: AppSettings, channel: String) -> Bool {
        app(of: settings, channel: channel) != nil
    }

    /// How long pushes wait because the device's app is held, and which app it is; nil: they may go out.
    ///
    /// After the wait nil is returned once, for a try: whoever asks has to send.
    func hold(_ settings: DeviceSettings, channel: String) -> (wait: Duration, app: String)? {
        guard case .app(let settings) = settings, let app = app(of: settings, channel: channel)?.configuration,
            let wait = holds.wait(for: app.fingerprint, now: environment.now())
        else { return nil }
        return (wait, app.fingerprint)
    }

    /// Whether a device that was refused may be tried again: its app is configured in another way now than the one
    /// that was refused.
    func isReopened(_ settings: DeviceSettings, channel: String) -> Bool {
        guard case .app(let settings) = settings, settings.token != nil,
            let app = app(of: settings, channel: channel)?.configuration
        else { return false }
        return app.fingerprint != settings.refusedBy
    }

    /// Makes one attempt, which ends within the limits of the app's service. It never throws: the report has the
    /// outcome.
    func send(_ push: Push, to device: TargetRecord, _ settings: AppSettings) async -> AttemptReport {
        guard let token = settings.token else { return AttemptReport(.gone, error: "closed") }
        guard let app = app(of: settings, channel: push.message.channelID) else {
            return AttemptReport(.refused, error: "appNotConfigured")
        }
        let name = app.configuration.fingerprint
        do {
            let answer = try await app.send(push.known(in: settings.channel), to: device, at: token)
            applyHold(answer, of: app.configuration)
            return AttemptReport(
                answer.outcome, status: answer.status, error: answer.reason, retryAfter: answer.retryAfter, app: name)
        } catch {
            return AttemptReport(.targetFailed, error: AttemptError.word(for: error), app: name)
        }
    }

    /// Makes the app wait, or lets its pushes go on, by the answer. An answer that says nothing about the app changes
    /// nothing.
    private func applyHold(_ answer: AppAnswer, of app: any ConfiguredApp) {
        let reason = answer.reason ?? "no reason given"
        switch answer.outcome {
        case .held where holds.hold(app.fingerprint, now: environment.now()):
            notice(
                "Pushes for \(app.title) wait, and are tried every 15 minutes: \(answer.host ?? app.host) does not "
                    + "accept the app's entry in the file of \(app.kind.option) (\(reason)).")
        case .deviceHeld where holds.isNews(reason, of: app.fingerprint):
            notice(
                "Pushes to some devices of \(app.title) wait, and are tried every 15 minutes: \(app.host) cannot reach "
                    + "their system's push service (\(reason)). See the project's settings there.")
        case .delivered, .gone, .refused:
            if holds.release(app.fingerprint) { notice("Pushes for \(app.title) go out again.") }
            if answer.isOfAnotherApp, holds.isNews(reason, of: app.fingerprint) {
                notice(
                    "A device was registered for \(app.title) whose token belongs to another app (\(reason)). Name in "
                        + "the file of \(app.kind.option) the app that the devices have.")
            }
        default: break
        }
    }
}

/// A signed JSON Web Token (RFC 7515): `<header>.<claims>.<signature>`, each base64url.
enum JSONWebToken {
    /// Signs with ECDSA on P-256 and SHA-256 (RFC 7518, section 3.4). The signature is r and s, 64 bytes, not DER.
    ///
    /// - Parameters:
    ///   - header: a JSON object that names `"alg":"ES256"`.
    ///   - claims: a JSON object.
    static func es256(header: [UInt8], claims: [UInt8], key: P256.Signing.PrivateKey) throws -> String {
        try sign(header, claims) { try key.signature(for: $0).rawRepresentation }
    }

    /// Signs with RSASSA-PKCS1-v1_5 and SHA-256 (RFC 7518, section 3.3).
    ///
    /// - Parameters:
    ///   - header: a JSON object that names `"alg":"RS256"`.
    ///   - claims: a JSON object.
    static func rs256(header: [UInt8], claims: [UInt8], key: _RSA.Signing.PrivateKey) throws -> String {
        try sign(header, claims) { try key.signature(for: $0, padding: .insecurePKCS1v1_5).rawRepresentation }
    }

    private static func sign(
        _ header: [UInt8], _ claims: [UInt8], _ sign: ([UInt8]) throws -> some Sequence<UInt8>
    ) rethrows -> String {
        let input = Base64URL.encode(header) + "." + Base64URL.encode(claims)
        return input + "." + Base64URL.encode(try sign(Array(input.utf8)))
    }
}

extension Hexadecimal {
    /// The first 32 digits of the text's SHA-256: a short name for a text of any length.
    static func digest(_ text: String) -> String { encode(SHA256.hash(data: Array(text.utf8)).prefix(16)) }
}
