import Chat
import ChatModel
import CXoneWire
import DequeModule
import Formats
import Synchronization

/// What each visitor last told about its device. A visitor tells it over HTTP before its socket names the
/// customer, so it is kept here until then. May be used from any task.
///
/// The visitor that was named first gives way when there are too many. Then only news that came
/// before the visitor's socket was opened is lost. A registered device is in the store.
final class VisitorDevices: Sendable {
    private let state = Mutex((news: [String: DeviceNews](), order: Deque<String>()))

    /// The most visitors that are remembered.
    static let limit = 10_000

    /// Replaces what the visitor told before. A new visitor may displace the oldest one.
    func put(_ news: DeviceNews, of visitor: String) {
        state.withLock { state in
            if state.news.updateValue(news, forKey: visitor) == nil { state.order.append(visitor) }
            while state.order.count > Self.limit, let first = state.order.popFirst() { state.news[first] = nil }
        }
    }

    func removeAll() { state.withLock { $0 = ([:], []) } }

    /// Nil if the visitor told nothing, or was displaced.
    func news(of visitor: String) -> DeviceNews? { state.withLock { $0.news[visitor] } }
}

/// What a fingerprint says of the app's device, where it says anything.
enum DeviceNews: Sendable, Hashable {
    /// The app on one of Apple's systems can be reached under this token.
    case token(String)
    /// Nothing is to be pushed to it any more.
    case removed

    /// Bytes of a token. The platform's own are shorter.
    static let maximumTokenLength = 512

    /// Nil where the fingerprint does not mention a token, where the token is too long to be one, or where it is none
    /// of Apple's systems: the device stays as it is known.
    init?(_ fingerprint: DeviceFingerprint?) {
        switch fingerprint?.deviceToken {
        case .token(let token):
            guard token.utf8.count <= Self.maximumTokenLength,
                ["ios", "ipados"].contains(fingerprint?.os?.lowercased())
            else { return nil }
            self = .token(token)
        case .removed: self = .removed
        case nil: return nil
        }
    }
}

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
    func apply(_ news: DeviceNews, of visitor: String) async throws(ChatError) {
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
    func apply(_ news: DeviceNews, of visitor: String, account: Int64, on face: SandboxChannel) async throws(ChatError)
    {
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
                log("device token refused", [:])
            }
        }
    }
}
