import Chat
import ChatModel
import Synchronization

/// The registered devices of apps, in memory.
final class ListedDevices: AppDevices {
    private struct Place: Hashable {
        var holder: String
        var account: Int64
    }
    private let state = Mutex((devices: [Place: (token: String, channel: String?)](), calls: 0, offer: PushOffer()))

    /// The tokens, in order.
    var tokens: [String] { state.withLock { $0.devices.values.map(\.token).sorted() } }
    /// How the apps know their channels.
    var channels: [String?] { state.withLock { $0.devices.values.map(\.channel) } }
    /// How often something was registered or removed.
    var calls: Int { state.withLock { $0.calls } }
    func set(_ offer: PushOffer) { state.withLock { $0.offer = offer } }

    func register(token: String, channel: String?, of holder: String, account: Int64) async throws(ChatError) {
        if token == "none" { throw ChatError(.invalidSubscription, "This is no token.") }
        state.withLock { state in
            state.calls += 1
            let place = Place(holder: holder, account: account)
            state.devices[place] = (token, channel ?? state.devices[place]?.channel)
        }
    }

    func remove(of holder: String, account: Int64) async throws(ChatError) {
        state.withLock { state in
            state.calls += 1
            state.devices[Place(holder: holder, account: account)] = nil
        }
    }

    func removeAll(ofHoldersBeginningWith prefix: String) async throws(ChatError) {
        state.withLock { state in state.devices = state.devices.filter { !$0.key.holder.hasPrefix(prefix) } }
    }

    func accounts(of holder: String) async throws(ChatError) -> [Int64] {
        state.withLock { state in state.devices.keys.filter { $0.holder == holder }.map(\.account).sorted() }
    }

    func offer(in channel: String) async throws(ChatError) -> PushOffer { state.withLock { $0.offer } }
}
