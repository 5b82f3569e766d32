import Chat
import ChatModel
import ChatStore
import Formats
import Synchronization

/// Knows which channels are open, and tells their customers and the desk when that changes.
///
/// It sleeps until the next time at which any hours begin or end, and does not run where no channel has hours. Hours are times
/// of day: as somebody may set the system's clock, it looks at that once an hour.
///
/// Any task may call it.
final class Openings: Sendable {
    /// What is known of a channel.
    private struct Known {
        let hours: OpeningHours?
        /// Nil without hours, and for a time zone that this machine does not have: hours in it are not looked at.
        let zone: TimeZoneRules?
        /// False for a live chat that the desk has closed.
        let isOnline: Bool
        /// What the hours say, when they were asked and until when that holds.
        var byHours = Opening.open
        var asked: Timestamp?
        var change: Timestamp?
        /// What was told last.
        var told: Opening?
        /// Of the change that made the settings.
        let number: Int

        init(_ channel: Channel, _ zone: TimeZoneRules?, number: Int) {
            hours = channel.hours
            isOnline = channel.mode != .liveChat || channel.isOnline
            (self.zone, self.number) = (zone, number)
        }

        /// What holds at a time.
        mutating func opening(at now: Timestamp, hasStaff: () -> Bool) -> Opening {
            // Somebody may have set the clock back.
            let isOld = asked.map { now < $0 } ?? true || change.map { $0 <= now } ?? false
            if let hours, let zone, hours.mode.followsHours, isOld {
                let isOpen = hours.contains(now, in: zone)
                byHours = Opening(isOpen: isOpen, next: isOpen ? nil : hours.nextBegin(after: now, in: zone))
                change = hours.nextChange(after: now, in: zone)
                asked = now
            }
            guard isOnline else { return Opening(isOpen: false) }
            guard byHours.isOpen, hours?.mode.followsAgents == true else { return byHours }
            return Opening(isOpen: hasStaff())
        }
    }

    private struct State {
        var channels: [String: Known] = [:]
        var hasStaff: @Sendable (String) -> Bool = { _ in false }
        /// When the task wakes up; nil without one.
        var due: Timestamp?
        var task: Task<Void, Never>?
    }

    private let state = Mutex(State())
    private let numbers = Atomic<Int>(0)
    private let feed: EventFeed
    private let now: @Sendable () -> Timestamp
    private let clock: any Clock<Duration>
    /// By name; nil for one that this machine does not have.
    private let zone: @Sendable (String) -> TimeZoneRules?

    /// The longest sleep, in milliseconds.
    private static let longest: Int64 = 3_600_000

    init(store: ChatStore, clock: any Clock<Duration>) {
        feed = store.feed
        now = store.environment.now
        self.clock = clock
        zone = store.environment.timeZone
    }

    deinit { state.withLock { $0.task }?.cancel() }

    /// Throws `invalidParameter` for hours in a time zone that this machine does not have. It may block for a moment.
    func check(_ hours: OpeningHours?) throws(ChatError) {
        guard let name = hours?.timeZone, zone(name) == nil else { return }
        throw ChatError(
            .invalidParameter,
            "There is no time zone \(name.prefix(64)) here. A name is one such as Europe/Berlin; Debian's package tzdata has them.",
            pointer: "/hours/timeZone")
    }

    /// A number for a change of a channel's settings, greater than all before. Called inside the unit that makes the change,
    /// so that the numbers have the order of the changes.
    func number() -> Int { numbers.add(1, ordering: .relaxed).newValue }

    /// Takes the settings of a channel that was made or changed, unless later ones came first, and tells of it. Called after
    /// the commit. It may block for a moment.
    func channelChanged(_ channel: Channel, number: Int) {
        let zone = channel.hours.flatMap { self.zone($0.timeZone) }
        let now = now()
        let opening = state.withLock { state -> Opening? in
            if let known = state.channels[channel.id], known.number > number { return nil }
            state.channels[channel.id] = Known(channel, zone, number: number)
            return noteOpening(of: channel.id, at: now, &state)
        }
        if let opening { publishOpening(channel.id, opening) }
        reviewChannels()
    }

    /// Takes the channels that there are, and tells nobody. It may block for a moment.
    func start(_ channels: [Channel]) {
        let now = now()
        for channel in channels {
            let zone = channel.hours.flatMap { self.zone($0.timeZone) }
            state.withLock { state in
                state.channels[channel.id] = Known(channel, zone, number: 0)
                _ = noteOpening(of: channel.id, at: now, &state)
            }
        }
        reviewChannels()
    }

    /// Some agent has come or gone.
    ///
    /// - Parameter hasStaff: whether an agent is there for a channel.
    func staffChanged(_ hasStaff: @escaping @Sendable (String) -> Bool) {
        state.withLock { $0.hasStaff = hasStaff }
        reviewChannels()
    }

    /// Whether a channel is open now.
    func opening(of channel: Channel) -> Opening {
        let now = now()
        let known = state.withLock { state in
            let hasStaff = state.hasStaff
            return state.channels[channel.id]?.opening(at: now) { hasStaff(channel.id) }
        }
        return known ?? Opening(isOpen: isOpen(channel, at: now))
    }

    /// Whether a channel with these settings is open now, inside a unit that may just have changed them.
    func isOpen(_ channel: Channel, at time: Timestamp) -> Bool {
        guard channel.mode != .liveChat || channel.isOnline, let hours = channel.hours else {
            return channel.mode != .liveChat || channel.isOnline
        }
        let (known, hasStaff) = state.withLock { ($0.channels[channel.id], $0.hasStaff) }
        let zone = known?.hours?.timeZone == hours.timeZone ? known?.zone : zone(hours.timeZone)
        if hours.mode.followsHours, let zone, !hours.contains(time, in: zone) { return false }
        return !hours.mode.followsAgents || hasStaff(channel.id)
    }

    /// Whether a channel with these settings takes new chats: a live chat may be offline, or closed.
    func takesChats(_ channel: Channel, at time: Timestamp) -> Bool {
        guard channel.mode == .liveChat else { return true }
        return channel.isOnline && (channel.outside?.chats == .queue || isOpen(channel, at: time))
    }

    /// What a channel is now, noted as told.
    private func noteOpening(of channel: String, at now: Timestamp, _ state: inout State) -> Opening? {
        let hasStaff = state.hasStaff
        let opening = state.channels[channel]?.opening(at: now) { hasStaff(channel) }
        state.channels[channel]?.told = opening
        return opening
    }

    /// Looks at all channels, tells what has changed, and sleeps until the next change.
    private func reviewChannels() {
        let now = now()
        let news = state.withLock { state in
            var news: [(channel: String, opening: Opening)] = []
            for (id, known) in state.channels where known.hours != nil {
                let told = known.told
                if let opening = noteOpening(of: id, at: now, &state), opening != told { news.append((id, opening)) }
            }
            sleep(from: now, &state)
            return news
        }
        for (channel, opening) in news.sorted(by: { $0.channel < $1.channel }) { publishOpening(channel, opening) }
    }

    private func sleep(from now: Timestamp, _ state: inout State) {
        let changes = state.channels.values.compactMap(\.change)
        let next = changes.min().map { min($0, now.advanced(byMilliseconds: Self.longest)) }
        guard next != state.due || state.task == nil else { return }
        state.task?.cancel()
        (state.due, state.task) = (next, nil)
        guard let next else { return }
        let delay = Duration.milliseconds(max(0, next.milliseconds - now.milliseconds))
        state.task = Task { [weak self, clock] in
            guard (try? await clock.sleep(for: delay)) != nil else { return }
            self?.wake(next)
        }
    }

    private func wake(_ time: Timestamp) {
        state.withLock { if $0.due == time { ($0.due, $0.task) = (nil, nil) } }
        reviewChannels()
    }

    private func publishOpening(_ channel: String, _ opening: Opening) {
        feed.publish(
            ChannelUpdatedEvent(id: channel, opening: opening),
            to: [.desk, .channel(service: LocalService.serviceID, id: channel)])
    }
}
