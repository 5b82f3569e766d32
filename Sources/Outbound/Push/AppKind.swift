import ChatStore
import ChatModel
import Formats
import Synchronization

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
        case .webhook, .webPush, .platform: return nil
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
