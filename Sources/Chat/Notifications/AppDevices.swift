import ChatModel

/// The push devices of apps that do not use this gateway's API, but the API of a platform that the gateway stands in
/// for (the CXone sandbox). The gateway sends the pushes that the platform would send. Every call may come from any
/// task.
public protocol AppDevices: Sendable {
    /// Registers a device. It replaces the one that the holder has with this account. The app is the one that is
    /// configured for the account's channel. Where none is configured, nothing is sent: the event `push.simulated`
    /// tells what would have been pushed.
    ///
    /// A push token belongs to one device. If another holder or account of the channel has the same token, it is
    /// removed there. Throws `invalidSubscription` for a token that is not one of APNs.
    ///
    /// - Parameters:
    ///   - holder: whose device it is, by an id of the stand-in's own; no session has this id.
    ///   - channel: the channel's id as the app knows it; nil keeps the one that is stored with the device, if there is
    ///     one.
    func register(token: String, channel: String?, of holder: String, account: Int64) async throws(ChatError)
    /// Removes the holder's device with this account. Does nothing where there is none.
    func remove(of holder: String, account: Int64) async throws(ChatError)
    /// Removes the devices of all holders whose ids begin with this text, whatever the account.
    func removeAll(ofHoldersBeginningWith prefix: String) async throws(ChatError)
    /// The numbers of the accounts with which the holder has a device.
    func accounts(of holder: String) async throws(ChatError) -> [Int64]
    /// The channel's push settings, as the platform's API would tell them to an app.
    func offer(in channel: String) async throws(ChatError) -> PushOffer
}

/// The push settings of a channel, as its customers' apps read them.
public struct PushOffer: Sendable, Hashable {
    /// Whether an app is configured for the channel, so that pushes can be sent at all.
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
