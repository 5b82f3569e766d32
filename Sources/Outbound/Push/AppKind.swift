import ChatStore

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
