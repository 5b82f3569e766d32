import Formats

/// The link that an app opens when its notification is tapped, with `{channelId}` and `{threadId}` in the places of the
/// ids: `com.example.app://{channelId}/threads?idOnExternalPlatform={threadId}`.
public struct DeepLinkTemplate: Sendable, Hashable {
    /// Bytes of a template.
    public static let maximumLength = 512
    /// Bytes of a link, so that a payload can hold it.
    public static let maximumLinkLength = 1024

    public let text: String

    /// Nil unless it begins with a scheme and a colon, and has only characters of URLs and the two placeholders.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.maximumLength else { return nil }
        let scheme = text.utf8.prefix { $0 != UInt8(ascii: ":") }
        guard scheme.count < text.utf8.count, let first = scheme.first, Self.isLetter(first),
            scheme.allSatisfy({ Self.isLetter($0) || "0123456789+-.".utf8.contains($0) })
        else { return nil }
        let rest = text.replacing("{channelId}", with: "").replacing("{threadId}", with: "")
        guard rest.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !"\"<>\\^`{|}".utf8.contains($0) })
        else { return nil }
        self.text = text
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    /// The link to a thread, the ids percent-encoded. Nil when it would be longer than ``maximumLinkLength``.
    public func link(channel: String, thread: String) -> String? {
        // An encoded id has no braces, so it is never taken for a placeholder.
        let link = text.replacing("{channelId}", with: channel.percentEncoded)
            .replacing("{threadId}", with: thread.percentEncoded)
        return link.utf8.count <= Self.maximumLinkLength ? link : nil
    }
}
