/// The services of the browsers that many people have. Whoever nobody knows may name no other address for the gateway
/// to send requests to.
enum KnownPushServices {
    private static let hosts: Set<String> = [
        // Chrome and what is made of it, Firefox, Safari.
        "fcm.googleapis.com", "updates.push.services.mozilla.com", "web.push.apple.com",
    ]
    /// Services that give a browser a host of its own below theirs: Edge, Firefox, Safari.
    private static let domains = [".notify.windows.com", ".push.services.mozilla.com", ".push.apple.com"]

    static func contain(_ address: TargetAddress) -> Bool {
        address.scheme == .https && address.port == 443 && address.literal == nil
            && (hosts.contains(address.host) || domains.contains(where: address.host.hasSuffix))
    }
}
