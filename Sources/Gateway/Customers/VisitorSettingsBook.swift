import ChatModel
import Synchronization

/// What the channels say of visitors, for whoever must not wait for the store. Most of all the origins whose pages may
/// show chats: those of `--allow-origin`, and those of all channels. Any thread may use it.
final class VisitorSettingsBook: Sendable {
    private let named: Mutex<Set<String>>
    private var allowed: Set<String> { named.withLock { $0 } }
    private let channels = Mutex<[String: VisitorSettings]>([:])

    init(allowed: Set<String>) { named = Mutex(allowed) }

    /// Replaces the origins of `--allow-origin`.
    func allow(_ origins: Set<String>) { named.withLock { $0 = origins } }

    /// Takes a channel's present settings.
    func takeSettings(of channel: Channel) {
        channels.withLock { $0[channel.id] = channel.visitors }
    }

    /// Whether pages of the origin may ask at all.
    func accepts(_ origin: String) -> Bool {
        if allowed.contains(origin) { return true }
        return channels.withLock { $0.values.contains { $0.isPublic && $0.accepts(origin: origin) } }
    }

    /// Whether customers of the channel may erase themselves.
    func letsErase(_ channel: String) -> Bool { channels.withLock { $0[channel]?.selfErase } ?? false }

    /// How much visitors of the channel may do.
    func limits(of channel: String) -> VisitorLimits {
        channels.withLock { $0[channel]?.limits } ?? VisitorLimits()
    }

    /// Whether pages of the origin may use a session of the channel.
    func accepts(_ origin: String, for channel: String) -> Bool {
        allowed.contains(origin) || channels.withLock { $0[channel]?.accepts(origin: origin) ?? false }
    }
}
