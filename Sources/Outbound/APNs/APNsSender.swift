import ChatModel
import ChatStore
import HTTPClientPort

/// Sends pushes to apps through Apple's push service (APNs), over HTTP/2 with provider tokens.
package struct APNsSender: Sendable {
    private let apps: APNsApps
    private let holds = APNsHolds()
    private let environment: ModelEnvironment
    private let notice: @Sendable (String) -> Void

    /// The limit of one call.
    static let timeout = Duration.seconds(15)

    /// - Parameter notice: gets one line when the pushes of an app begin to wait, and one when they go on.
    package init(apps: APNsApps, environment: ModelEnvironment, notice: @escaping @Sendable (String) -> Void) {
        self.apps = apps
        self.environment = environment
        self.notice = notice
    }

    /// Whether the file of `--apns` has an app for this device.
    func hasApp(_ settings: AppSettings, channel: String) -> Bool {
        apps.entry(topic: settings.topic, channel: channel) != nil
    }

    /// See ``PushSender/hold(_:channel:)``.
    func hold(_ settings: AppSettings, channel: String) -> (wait: Duration, app: String)? {
        guard let app = apps.entry(topic: settings.topic, channel: channel)?.app,
            let wait = holds.wait(for: app.fingerprint, now: environment.now())
        else { return nil }
        return (wait, app.fingerprint)
    }

    /// Whether a device that was refused may be tried again: its app has another entry now than the one that was
    /// refused.
    func isReopened(_ settings: AppSettings, channel: String) -> Bool {
        guard settings.token != nil, let app = apps.entry(topic: settings.topic, channel: channel)?.app else {
            return false
        }
        return app.fingerprint != settings.refusedBy
    }

    /// Makes one attempt. It ends within twice ``timeout``, because an expired provider token leads to a second call.
    /// It never throws: the report has the outcome.
    func send(_ push: Push, to device: TargetRecord, _ settings: AppSettings) async -> PushReport {
        let began = environment.now()
        func report(
            _ outcome: PushOutcome, _ answer: HTTPAnswer? = nil, error: String?, app: APNsApp? = nil
        ) -> PushReport {
            let now = environment.now()
            return PushReport(
                outcome: outcome,
                attempt: AttemptRecord(
                    at: began, status: answer?.status, error: error,
                    milliseconds: max(0, now.milliseconds - began.milliseconds)),
                retryAfter: answer?.headers["retry-after"].flatMap { RetryAfter.delay($0, now: now) },
                app: app?.fingerprint)
        }
        guard let token = settings.token else { return report(.gone, error: "closed") }
        guard let entry = apps.entry(topic: settings.topic, channel: push.message.channelID) else {
            return report(.refused, error: "appNotConfigured")
        }
        let app = entry.app
        do {
            let (answer, said) = try await ask(push.known(in: settings.channel), device, token, entry)
            // APNs speaks HTTP/2 only, so a proxy or another service has answered.
            guard answer.version == .http2 else {
                note(.held, of: app, reason: "notHTTP2")
                return report(.held, answer, error: "notHTTP2", app: app)
            }
            let outcome = PushOutcome(APNsOutcome(said, registeredAt: device.createdAt))
            note(outcome, of: app, reason: said.reason)
            return report(outcome, answer, error: said.reason, app: app)
        } catch let error as NotSigned {
            return report(.dead, error: error.word, app: app)
        } catch {
            return report(.retry, error: AttemptError.word(for: error), app: app)
        }
    }

    private struct NotSigned: Error {
        let word = "notSigned"
    }

    /// Calls APNs, and once more with a new provider token when the answer is that the token has expired and a new
    /// one may be made.
    private func ask(
        _ push: Push, _ device: TargetRecord, _ token: APNsDeviceToken, _ entry: APNsApps.Entry
    ) async throws -> (answer: HTTPAnswer, said: APNsAnswer) {
        func call(_ providerToken: String) async throws -> (HTTPAnswer, APNsAnswer) {
            let request = APNsRequest(
                push.message, alert: PushAlert(push.message, for: .apns), badge: push.badge,
                deepLink: push.message.deepLink, to: token, of: entry.app, providerToken: providerToken,
                expiration: environment.now().advanced(by: RetrySchedule.timeToLive),
                id: APNsRequest.id(target: device.id, push: push.id))
            let answer = try await entry.connection.send(
                HTTPCall(
                    "POST", request.url, headers: request.headers.map { HTTPCall.Header($0.name, $0.value) },
                    body: request.body,
                    timeout: Self.timeout))
            return (answer, APNsAnswer(status: answer.status, body: answer.body))
        }
        let providerToken: String
        do {
            providerToken = try entry.tokens.current(now: environment.now())
        } catch {
            throw NotSigned()
        }
        let first = try await call(providerToken)
        guard APNsOutcome(first.1, registeredAt: device.createdAt) == .newTokenAndRetry,
            let renewed = try? entry.tokens.renewed(afterExpiryOf: providerToken, now: environment.now())
        else { return first }
        return try await call(renewed)
    }

    /// Makes the app wait, or lets its pushes go on, by the outcome. An outcome that says nothing about the app
    /// changes nothing.
    private func note(_ outcome: PushOutcome, of app: APNsApp, reason: String?) {
        switch outcome {
        case .held where holds.hold(app.fingerprint, now: environment.now()):
            notice(
                "Pushes for \(app.topic) (\(app.environment.rawValue)) wait, and are tried every 15 minutes: "
                    + "\(app.host) does not accept the app's entry in the file of --apns (\(reason ?? "no reason given"))."
            )
        case .delivered, .gone, .refused:
            if holds.release(app.fingerprint) {
                notice("Pushes for \(app.topic) (\(app.environment.rawValue)) go out again.")
            }
        default: break
        }
    }
}

extension PushOutcome {
    fileprivate init(_ outcome: APNsOutcome) {
        self =
            switch outcome {
            case .delivered: .delivered
            case .gone: .gone
            case .refused: .refused
            case .dead: .dead
            // A token that was just made cannot have expired: this machine's clock must be wrong, which affects all
            // pushes.
            case .holdApp, .newTokenAndRetry: .held
            case .retry: .retry
            }
    }
}
