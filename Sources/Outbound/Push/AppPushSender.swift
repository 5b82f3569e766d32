import ChatModel
import ChatStore
import HTTPClientPort
import Crypto
import CryptoExtras
import Formats

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
    func hasApp(_ settings: AppSettings, channel: String) -> Bool { app(of: settings, channel: channel) != nil }

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
            note(answer, of: app.configuration)
            return AttemptReport(
                answer.outcome, status: answer.status, error: answer.reason, retryAfter: answer.retryAfter, app: name)
        } catch {
            return AttemptReport(.targetFailed, error: AttemptError.word(for: error), app: name)
        }
    }

    /// Makes the app wait, or lets its pushes go on, by the answer. An answer that says nothing about the app changes
    /// nothing.
    private func note(_ answer: AppAnswer, of app: any ConfiguredApp) {
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
