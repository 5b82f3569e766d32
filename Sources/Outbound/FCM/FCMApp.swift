import Formats

/// An app that is reached by FCM, as the file of `--fcm` configures it.
package struct FCMApp: ConfiguredApp, Hashable {
    package static let kind = AppKind.fcm

    /// Where pushes go when the file names no other address.
    package static let defaultURL = "https://fcm.googleapis.com"

    /// The id of the app's Firebase project.
    package let project: String
    /// The path of the service account's key: a JSON file.
    package let accountPath: String
    package let channels: [String]?
    /// Whether the app shows its notifications itself: pushes then have data only. See ``FCMPayload``.
    package let isDataOnly: Bool
    package let url: String
    /// The path of a file of certificates (PEM) that are trusted in place of the system's.
    package let caPath: String?

    package init(
        project: String, accountPath: String, channels: [String]? = nil, isDataOnly: Bool = false,
        url: String = defaultURL, caPath: String? = nil
    ) {
        self.project = project
        self.accountPath = accountPath
        self.channels = channels
        self.isDataOnly = isDataOnly
        self.url = url
        self.caPath = caPath
    }

    package var name: String { project }
    package var environmentName: String? { nil }

    package var fingerprint: String {
        Hexadecimal.digest(
            ["fcm", project, accountPath, url, (channels ?? []).joined(separator: "\u{1}")]
                .joined(separator: "\u{0}"))
    }
}
