import Chat
import ChatModel
import CXoneWire
import Formats

/// Devices of apps: each visitor of an account has one. The platform pushes to them while the customer is not
/// connected, so presence is the customer's, by whatever client.
extension Sandbox {
    /// Keeps holders apart from sessions: the id of a session has no colon.
    static let holderPrefix = "cxone-sandbox:"

    /// The name under which a visitor's device is registered.
    static func holder(_ visitor: String) -> String { holderPrefix + visitor }

    /// Whether the holder of a device is here now.
    ///
    /// - Parameter account: the customer whose device it is.
    public func isPresent(_ holder: String, account: Int64) -> Bool {
        holder.hasPrefix(Self.holderPrefix) && isConnected(account)
    }

    /// A visitor told about its device over HTTP. It is registered for all accounts that the visitor acts for now
    /// or later.
    func take(_ news: DeviceNews, of visitor: String) async throws(ChatError) {
        guard let devices, Identifier.isValid(visitor) else { return }
        visitorDevices.put(news, of: visitor)
        var channels: [Int64: String?] = [:]
        for account in try await devices.accounts(of: Self.holder(visitor)) { channels[account] = .some(nil) }
        for (account, face) in accounts(of: visitor) { channels[account] = face.id }
        for (account, channel) in channels.sorted(by: { $0.key < $1.key }) {
            try await set(news, of: visitor, account: account, channel, devices)
        }
    }

    /// A message has told of the device that it comes from.
    func take(_ news: DeviceNews, of visitor: String, account: Int64, on face: SandboxChannel) async throws(ChatError) {
        guard let devices, Identifier.isValid(visitor) else { return }
        visitorDevices.put(news, of: visitor)
        try await set(news, of: visitor, account: account, face.id, devices)
    }

    /// A socket named its customer: a device that the visitor told before is registered for it.
    func takeDevice(of visitor: String, account: Int64, on face: SandboxChannel) async throws(ChatError) {
        guard let devices, let news = visitorDevices.news(of: visitor) else { return }
        try await set(news, of: visitor, account: account, face.id, devices)
    }

    private func set(
        _ news: DeviceNews, of visitor: String, account: Int64, _ channel: String?, _ devices: any AppDevices
    ) async throws(ChatError) {
        switch news {
        case .removed: try await devices.remove(of: Self.holder(visitor), account: account)
        case .token(let token):
            do throws(ChatError) {
                try await devices.register(token: token, channel: channel, of: Self.holder(visitor), account: account)
            } catch {
                // The platform says nothing of tokens that are none.
                guard error.code == .invalidSubscription else { throw error }
                note("device token refused", [:])
            }
        }
    }
}
