import ChatModel
import ChatStore
import Formats
import HTTPClientPort
import Synchronization

/// An app to which the gateway may push, as the file of its push service configures it.
package protocol ConfiguredApp: Sendable {
    static var kind: AppKind { get }
    /// What its push service calls it: see ``AppKind/nameMember``.
    var name: String { get }
    /// Which of its service's environments it is in; nil where there is only one.
    var environmentName: String? { get }
    /// Ids of the channels whose devices are this app's; nil: of all.
    var channels: [String]? { get }
    /// Where requests go, without a slash at the end.
    var url: String { get }
    /// Names the app as it is configured: another configuration of what the service looks at has another one.
    var fingerprint: String { get }
}

extension ConfiguredApp {
    /// What the log calls it.
    var title: String { name + (environmentName.map { " (\($0))" } ?? "") }

    /// Of ``url``, without the scheme.
    var host: String { String(url.drop { $0 != "/" }.drop { $0 == "/" }) }

    package func serves(channel: String) -> Bool { channels?.contains { $0.utf8.elementsEqual(channel.utf8) } ?? true }

    /// Whether some channel has both apps, so that their names must differ.
    func sharesChannel(with other: Self) -> Bool {
        guard let channels else { return true }
        return channels.contains { other.serves(channel: $0) }
    }
}

/// A configured app with what it needs to call its push service.
package protocol PushableApp: Sendable {
    var configuration: any ConfiguredApp { get }

    /// One attempt, which ends within a time limit of its own. Throws when no answer came.
    ///
    /// - Parameter token: of the device, and of the app's kind.
    func send(_ push: Push, to device: TargetRecord, at token: DeviceToken) async throws -> AppAnswer
}

/// What the push service of an app answered.
package struct AppAnswer: Sendable {
    var outcome: AttemptOutcome
    var status: Int?
    /// The service's word for what went wrong: letters, digits and underscores.
    var reason: String?
    /// How long the service asked to wait.
    var retryAfter: Duration?
    /// Who answered, where it was not the host of the app's own address.
    var host: String?
    /// With ``AttemptOutcome/refused``: the token was made for another app, so the file of the apps may name a wrong one.
    var isOfAnotherApp = false
}

/// The apps to which the gateway pushes, of all kinds.
package struct PushApps: Sendable {
    private let all: [any PushableApp]

    package init(_ all: [any PushableApp] = []) { self.all = all }

    /// In the order of the files.
    var configurations: [any ConfiguredApp] { all.map(\.configuration) }

    /// - Parameter name: nil: the first app of this kind in the channel.
    func app(_ kind: AppKind, named name: String?, channel: String) -> (any PushableApp)? {
        all.first {
            let app = $0.configuration
            return app.kind == kind && (name == nil || app.name == name) && app.serves(channel: channel)
        }
    }

    /// The apps of this kind that a channel's customers may have.
    func configurations(_ kind: AppKind, in channel: String) -> [any ConfiguredApp] {
        configurations.filter { $0.kind == kind && $0.serves(channel: channel) }
    }
}

extension ConfiguredApp {
    var kind: AppKind { Self.kind }
}

/// How an app's device is reached: the push service of its system. What differs between these services, except for the
/// calls themselves (``PushableApp``), stands here.
package enum AppKind: String, Sendable, CaseIterable {
    /// Apple's push service.
    case apns
    /// Firebase Cloud Messaging, Google's.
    case fcm

    /// Nil for what is no app to which the gateway pushes.
    package init?(_ kind: TargetKind) {
        switch kind {
        case .apns: self = .apns
        case .fcm: self = .fcm
        case .webhook, .webPush, .platform, .callback: return nil
        }
    }

    package var target: TargetKind {
        switch self {
        case .apns: .apns
        case .fcm: .fcm
        }
    }

    /// The member by which a registration, and the file of the apps, names an app.
    var nameMember: String {
        switch self {
        case .apns: "topic"
        case .fcm: "project"
        }
    }

    /// The option that names the file of the apps.
    package var option: String {
        switch self {
        case .apns: "--apns"
        case .fcm: "--fcm"
        }
    }

    /// Bytes of a token. Neither service promises a length: APNs' tokens have 64 digits today, FCM's 200 characters.
    package var maximumTokenLength: Int {
        switch self {
        case .apns: 200
        case .fcm: 1024
        }
    }

    /// What a token must be, as a sentence.
    var tokenRule: String {
        switch self {
        case .apns: "The token must be an even number of hexadecimal digits, at most \(maximumTokenLength)."
        case .fcm: "The token must be 1 to \(maximumTokenLength) printable characters of ASCII, without spaces."
        }
    }

    /// The one spelling of a token; nil for a text that is none.
    func token(_ text: String) -> String? {
        guard (1...maximumTokenLength).contains(text.utf8.count) else { return nil }
        switch self {
        case .apns:
            let isToken = text.utf8.count.isMultiple(of: 2) && text.utf8.allSatisfy(\.isHexadecimalDigit)
            return isToken ? text.lowercased() : nil
        case .fcm: return text.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? text : nil
        }
    }
}

/// The address of an app on a device, as its push service gave it to the app. It is a secret.
package struct DeviceToken: Sendable, Hashable {
    package let kind: AppKind
    /// In the one spelling of its kind.
    package let text: String

    /// Nil for a text that is no token of this kind.
    package init?(_ text: String, of kind: AppKind) {
        guard let text = kind.token(text) else { return nil }
        self.kind = kind
        self.text = text
    }
}

extension DeviceToken: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String { "DeviceToken" }
    package var debugDescription: String { description }
}

/// The apps whose pushes wait, for what the gateway knows of them is wrong: the key, the account, the address. Their
/// devices stay. One push is tried every 15 minutes; the wait ends when the push service accepts one.
final class AppHolds: Sendable {
    static let pause = Duration.minutes(15)

    /// By the apps' fingerprints: until when nobody tries.
    private let waits = Mutex<[String: RetryWait]>([:])
    /// What was said of apps that are not held, so that it is said once. Bounded: an app is configured, and only two of
    /// its service's words are said.
    private let said = Mutex<Set<[String]>>([])

    /// How long pushes for the app still have to wait; nil: they may go out. After the wait nil is returned once, and
    /// the others wait for what comes of this one.
    func wait(for app: String, now: Timestamp) -> Duration? {
        waits.withLock { waits in
            guard let wait = waits[app] else { return nil }
            let remaining = wait.remaining(at: now)
            if remaining > .zero { return remaining }
            waits[app] = RetryWait(startedAt: now, delay: Self.pause)
            return nil
        }
    }

    /// Returns whether pushes for the app went out before.
    func hold(_ app: String, now: Timestamp) -> Bool {
        waits.withLock { $0.updateValue(RetryWait(startedAt: now, delay: Self.pause), forKey: app) == nil }
    }

    /// Lets the app's pushes go on. Returns whether they were held until now.
    func release(_ app: String) -> Bool { waits.withLock { $0.removeValue(forKey: app) != nil } }

    /// Returns whether this is said of the app for the first time.
    func isNews(_ sentence: String, of app: String) -> Bool { said.withLock { $0.insert([app, sentence]).inserted } }
}

/// What is kept of the registration of an app on a device.
struct AppSettings: Sendable, Hashable {
    let kind: AppKind
    /// What the app is called at its push service; nil: whichever app is configured for the channel at the time of a
    /// push. So it is with devices of other faces (``AppDeviceRegistry``), where pushes are simulated while none is.
    var app: String?
    /// How the app knows the channel; nil: by its id here.
    var channel: String?
    /// Nil for a device that is gone.
    var token: DeviceToken?
    /// Of a device that is refused: the configuration with which its app was refused (``ConfiguredApp/fingerprint``).
    var refusedBy: String?

    init(app: String?, channel: String? = nil, token: DeviceToken) {
        kind = token.kind
        self.app = app
        self.channel = channel
        self.token = token
    }

    func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("topic", kind == .apns ? app : nil)
        json.member("project", kind == .fcm ? app : nil)
        json.member("channel", channel)
        json.member("token", token?.text)
        json.member("refusedBy", refusedBy)
        json.endObject()
    }

    /// Reads what ``encode(to:)`` wrote of a device of this kind.
    init(_ kind: AppKind, json: JSONValue) {
        self.kind = kind
        app = json[kind.nameMember]?.string
        channel = json["channel"]?.string
        token = json["token"]?.string.flatMap { DeviceToken($0, of: kind) }
        refusedBy = json["refusedBy"]?.string
    }
}
