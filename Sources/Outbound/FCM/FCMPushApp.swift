import ChatModel
import ChatStore
import Formats
import HTTPClientPort

/// An app that is reached by Firebase Cloud Messaging, by its interface "HTTP v1".
package struct FCMPushApp: PushableApp {
    private let app: FCMApp
    private let tokens: FCMAccessTokens
    private let port: any HTTPPort
    private let environment: ModelEnvironment

    /// The limit of one call.
    static let timeout = Duration.seconds(15)

    package var configuration: any ConfiguredApp { app }

    /// The apps, each with its access tokens. Apps of one account share them.
    ///
    /// - Parameter port: makes a port that trusts these certificates, and judges where it connects to.
    package static func all(
        _ accesses: [FCMAccess], environment: ModelEnvironment, port: (TrustRoots?) -> any HTTPPort
    ) -> [FCMPushApp] {
        var tokens: [[String]: FCMAccessTokens] = [:]
        return accesses.map { access in
            let port = port(access.trustRoots)
            let signer = [access.app.accountPath, access.app.caPath ?? ""]
            let known =
                tokens[signer] ?? FCMAccessTokens(account: access.account, port: port, environment: environment)
            tokens[signer] = known
            return FCMPushApp(app: access.app, tokens: known, port: port, environment: environment)
        }
    }

    /// Ends within twice the limits of a call and of an access token's exchange, because a token that is not accepted
    /// leads to a second one.
    package func send(_ push: Push, to device: TargetRecord, at token: DeviceToken) async throws -> AppAnswer {
        do {
            let accessToken = try await tokens.current()
            let first = try await call(push, token, accessToken)
            if first.outcome != nil { return first.answer }
            await tokens.discard(accessToken)
            return try await call(push, token, tokens.current()).answer
        } catch let failure as FCMTokenFailure {
            return failure.answer
        }
    }

    private func call(
        _ push: Push, _ token: DeviceToken, _ accessToken: String
    ) async throws -> (outcome: AttemptOutcome?, answer: AppAnswer) {
        let payload = FCMPayload(
            push.message, alert: PushAlert(push.message, for: .fcm), badge: push.badge, to: token,
            isDataOnly: app.isDataOnly)
        let answer = try await port.sendReadingStart(
            HTTPCall(
                "POST", "\(app.url)/v1/projects/\(app.project)/messages:send",
                headers: [
                    HTTPCall.Header("authorization", "Bearer \(accessToken)"),
                    HTTPCall.Header("content-type", "application/json"),
                ], body: payload.bytes, timeout: Self.timeout),
            limit: FCMAnswer.maximumLength, kept: FCMAnswer.maximumLength)
        let said = FCMAnswer(status: answer.status, body: answer.body)
        let wait = answer.headers["retry-after"].flatMap { RetryAfter.delay($0, now: environment.now()) }
        let found = AppAnswer(
            // An access token that was just made cannot be wrong by its age: the account is.
            outcome: said.outcome ?? .held, status: answer.status, reason: said.code,
            retryAfter: wait ?? said.usualWait, isOfAnotherApp: said.isOfAnotherApp)
        return (said.outcome, found)
    }
}

/// An answer of FCM to a push: its status, and what its body says of the failure.
///
///     {"error": {"code": 404, "status": "NOT_FOUND", "details": [{"errorCode": "UNREGISTERED"}]}}
struct FCMAnswer: Sendable, Hashable {
    /// Bytes of the body that are read: a refusal with its help texts has less than 4 KiB.
    static let maximumLength = 16 << 10
    /// Details that are looked at.
    private static let maximumDetails = 16

    let status: Int
    /// FCM's own word for what went wrong; where it has none, that of Google's interfaces in general.
    let code: String?
    /// Whether the device's token is what is not valid.
    let isTokenInvalid: Bool

    /// - Parameter body: as much of it as was read. A body that is no JSON has no code.
    init(status: Int, body: [UInt8]) {
        self.status = status
        let error = (try? JSONParser.parse(body))?["error"]
        let details = (error?["details"]?.array ?? []).prefix(Self.maximumDetails)
        code = details.lazy.compactMap { $0["errorCode"]?.googleWord }.first ?? error?["status"]?.googleWord
        let violations = details.flatMap { ($0["fieldViolations"]?.array ?? []).prefix(Self.maximumDetails) }
        isTokenInvalid =
            violations.contains { $0["field"]?.string == "message.token" }
            || error?["message"]?.string == "The registration token is not a valid FCM registration token"
    }

    /// What it means; nil: the access token is not accepted, and another one is to be tried.
    var outcome: AttemptOutcome? {
        switch (status, code) {
        case (200..<300, _): .delivered
        case (_, "UNREGISTERED"): .gone
        case (_, "SENDER_ID_MISMATCH"): .refused
        case (_, "INVALID_ARGUMENT"): isTokenInvalid ? .refused : .eventRefused
        // The project's own entry at another push service is wrong (APNs, for an app on Apple's systems).
        case (_, "THIRD_PARTY_AUTH_ERROR"): .deviceHeld
        case (_, "QUOTA_EXCEEDED"), (_, "UNAVAILABLE"), (_, "INTERNAL"), (429, _), (500..., _): .targetFailed
        case (401, _): nil
        // The account may not send for the project, or there is no such project. A 404 that does not name the device
        // erases none.
        case (403, _), (404, _), (300..<400, _): .held
        default: .eventRefused
        }
    }

    /// Whether the token was made for another project.
    var isOfAnotherApp: Bool { code == "SENDER_ID_MISMATCH" }

    /// How long FCM wants everybody to wait where the answer does not say it; nil where there is nothing to wait for.
    var usualWait: Duration? {
        guard outcome == .targetFailed else { return nil }
        return status == 429 ? .seconds(60) : .seconds(10)
    }
}

extension JSONValue {
    /// A word of Google's for an error; nil for anything else, so that nothing else comes into lists and logs.
    var googleWord: String? {
        guard let string, (1...64).contains(string.utf8.count),
            string.utf8.allSatisfy({ $0.isAlphanumeric || $0 == UInt8(ascii: "_") })
        else { return nil }
        return string
    }
}

/// The body of a push by FCM.
///
/// A notification is shown by the system, without the app; beside it are the ids as data. An app that shows its
/// notifications itself gets data only, with the texts in it: also by the names that apps for NICE CXone read
/// (`pinpoint.notification.title` and so on). All values of data are strings, as FCM demands.
struct FCMPayload {
    /// Bytes that FCM takes, without the token.
    static let maximumLength = 4096
    /// Bytes of JSON of the event's cursor; a longer one is left out.
    private static let maximumEventLength = 64

    private let message: PushMessage
    private let alert: PushAlert
    private let badge: Int?
    private let token: DeviceToken
    private let isDataOnly: Bool

    /// - Parameter badge: how many messages are unread; nil: nobody has counted.
    init(_ message: PushMessage, alert: PushAlert, badge: Int?, to token: DeviceToken, isDataOnly: Bool) {
        self.message = message
        self.alert = alert
        self.badge = badge.map { max($0, 0) }
        self.token = token
        self.isDataOnly = isDataOnly
    }

    /// JSON of at most ``maximumLength`` bytes beside the token, whatever the message has.
    ///
    /// Ids and a link that no payload can hold are left out. They are bounded, so some of the body always has room; it
    /// is cut at a character's end.
    var bytes: [UInt8] {
        let room = Self.maximumLength - (encode(body: "").count - token.text.jsonLength)
        return encode(
            body: alert.body.cut(toBytes: PushAlert.maximumBodyLength, jsonBytes: isDataOnly ? room / 2 : room))
    }

    private func encode(body: String) -> [UInt8] {
        var json = JSONWriter(reservingCapacity: 1024)
        json.beginObject()
        json.name("message")
        json.beginObject()
        json.member("token", token.text)
        if !isDataOnly {
            json.name("notification")
            json.beginObject()
            json.member("title", alert.title)
            json.member("body", body)
            json.endObject()
        }
        encodeData(body, to: &json)
        encodeDelivery(to: &json)
        json.endObject()
        json.endObject()
        return json.bytes
    }

    private func encodeData(_ body: String, to json: inout JSONWriter) {
        let threadID = PushMessage.bounded(message.threadID)
        let channelID = PushMessage.bounded(message.channelID)
        json.name("data")
        json.beginObject()
        json.member("threadId", threadID)
        json.member("messageId", PushMessage.bounded(message.messageID))
        json.member("channelId", channelID)
        json.member("event", message.event.jsonLength <= Self.maximumEventLength ? message.event : nil)
        if isDataOnly {
            json.member("title", alert.title)
            json.member("body", body)
            json.member("badge", badge.map(String.init))
            json.member("pinpoint.notification.title", alert.title)
            json.member("pinpoint.notification.body", body)
        }
        if let threadID, let channelID, let link = message.deepLink?.link(channel: channelID, thread: threadID) {
            json.member("pinpoint.deeplink", link)
        }
        json.endObject()
    }

    /// How it is delivered. The next push of a thread takes the place of the one before, at FCM while the device is
    /// away and then on the device: FCM keeps pushes of four names for a device.
    private func encodeDelivery(to json: inout JSONWriter) {
        let topic = PushTopic.of(message)
        json.name("android")
        json.beginObject()
        json.member("priority", "HIGH")
        json.member("ttl", "\(RetrySchedule.timeToLive.wholeMilliseconds / 1000)s")
        json.member("collapse_key", topic)
        if !isDataOnly {
            json.name("notification")
            json.beginObject()
            json.member("tag", topic)
            if let badge { json.member("notification_count", badge) }
            json.endObject()
        }
        json.endObject()
    }
}
