import ChatModel

/// The devices of apps whose customers talk to the gateway by another face than its API: as clients of a platform that
/// it stands in for. The gateway pushes to them as that platform would.
public protocol AppDevices: Sendable {
    /// Registers a device, in place of the one that its holder has with the account. Its app is the one that is configured
    /// for the account's channel; where none is, an event tells what would have been pushed (`push.simulated`).
    ///
    /// The same token with another holder or account of the channel is removed there. Throws `invalidSubscription` for a
    /// token that is none of APNs.
    ///
    /// - Parameters:
    ///   - holder: whose device it is, by a name of its face; no session has this id.
    ///   - channel: how the app knows the account's channel; nil: as the device has it, if there is one.
    func register(token: String, channel: String?, of holder: String, account: Int64) async throws(ChatError)
    /// Nothing happens to a holder without a device.
    func remove(of holder: String, account: Int64) async throws(ChatError)
    /// With which accounts the holder has a device.
    func accounts(of holder: String) async throws(ChatError) -> [Int64]
    /// What apps are told of a channel's pushes.
    func offer(in channel: String) async throws(ChatError) -> PushOffer
}

/// What the customers' apps are told of a channel's pushes.
public struct PushOffer: Sendable, Hashable {
    /// An app is configured for the channel.
    public var isActive: Bool
    public var title: String
    public var body: String
    /// A template with `{channelId}` and `{threadId}`; empty: there is none.
    public var deepLink: String

    public init(isActive: Bool = false, title: String = "", body: String = "", deepLink: String = "") {
        self.isActive = isActive
        self.title = title
        self.body = body
        self.deepLink = deepLink
    }
}
