/// Whom a push service may write to about this gateway: the claim `sub` of its tokens (RFC 8292, section 2.1).
package struct VAPIDContact: Sendable, Hashable {
    /// `mailto:` or `https:`
    package let uri: String

    /// Nil for anything but `mailto:` with an address and an `https` URL, of at most 256 bytes.
    package init?(_ text: String) {
        guard text.utf8.count <= 256 else { return nil }
        if text.hasPrefix("mailto:") {
            let parts = text.dropFirst("mailto:".count).split(separator: "@", omittingEmptySubsequences: false)
            let isPrintable = text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"\"<>\\,;".utf8.contains($0) }
            guard isPrintable, parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else { return nil }
        } else {
            guard (try? TargetAddress(text, schemes: [.https], maximumLength: 256)) != nil else { return nil }
        }
        uri = text
    }

    /// Whether a push service refuses tokens without a contact. Apple's answers `BadJwtToken`.
    package static func isNeeded(for endpoint: TargetAddress) -> Bool { endpoint.host.hasSuffix(".push.apple.com") }
}
