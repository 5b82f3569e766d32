import Dispatch
import Formats
import Foundation
import Synchronization

/// The events of a desk, read once for all runs of the process and sorted by conversation.
final class DeskEvents: ScenarioDesk {
    /// Which conversation a mailbox takes.
    enum Conversation: Sendable {
        case thread(String)
        /// The first one whose customer has written since the stream opened, and that no other mailbox has.
        ///
        /// Channel and customer are nil for any.
        case first(channel: String?, customer: String?)
    }

    private struct State {
        var mailboxes: [String: DeskMailbox] = [:]
        /// Those that have no conversation yet, oldest first.
        var waiting: [(channel: String?, customer: String?, mailbox: DeskMailbox)] = []
        /// Conversations that no mailbox has, oldest first, with their events from a message of the customer on.
        var unclaimed: [(thread: String, channel: String?, customer: String?, events: [ScenarioEvent])] = []
        var fault: ScenarioFailure?
        var isLive = false

        /// Gives the mailbox the oldest conversation that fits. False if there is none.
        mutating func claim(_ mailbox: DeskMailbox, _ channel: String?, _ customer: String?) -> Bool {
            let index = unclaimed.firstIndex {
                (channel == nil || channel == $0.channel) && (customer == nil || customer == $0.customer)
            }
            guard let index else { return false }
            let found = unclaimed.remove(at: index)
            mailboxes[found.thread] = mailbox
            mailbox.begin(found.thread)
            for event in found.events { mailbox.put(.event(event)) }
            return true
        }
    }

    private let state = Mutex(State())
    private let keepsUnclaimed: Bool
    /// The most conversations, and events of each, that wait for a mailbox; the oldest conversation gives way.
    private static let maximumUnclaimed = (conversations: 1000, events: 1000)

    /// Follows the desk from now on until the process ends. Throws ``ScenarioFailure`` if the stream does not open in
    /// 10 seconds.
    ///
    /// - Parameter keepsUnclaimed: whether there will be mailboxes for a first conversation.
    init(_ client: any ScenarioGateway, keepsUnclaimed: Bool) throws(ScenarioFailure) {
        self.keepsUnclaimed = keepsUnclaimed
        let opened = DispatchSemaphore(value: 0)
        Thread { self.follow(client, opened) }.start()
        _ = opened.wait(timeout: .now() + 10)
        let (fault, isLive) = state.withLock { ($0.fault, $0.isLive) }
        if let fault { throw fault }
        guard isLive else { throw ScenarioFailure(ScenarioFeed.noFeed) }
    }

    private func follow(_ client: any ScenarioGateway, _ opened: DispatchSemaphore) {
        do throws(ScenarioFailure) {
            let events = try client.deskEvents()
            while true {
                guard let event = try events.next(until: .now + .seconds(3600)) else { continue }
                if event.type == "reset" { throw ScenarioFailure(ScenarioFeed.reset) }
                if event.type == "ready" {
                    state.withLock { $0.isLive = true }
                    opened.signal()
                } else if !event.isMark {
                    sort(event)
                }
            }
        } catch {
            let all = state.withLock { state in
                state.fault = error
                return Array(state.mailboxes.values) + state.waiting.map(\.mailbox)
            }
            for mailbox in all { mailbox.put(.fault(error)) }
            opened.signal()
        }
    }

    private func sort(_ event: ScenarioEvent) {
        guard let data = (try? JSONText(event.data))?.root,
            let thread = data["threadId"]?.string ?? data["thread"]?["id"]?.string
        else { return }
        state.withLock { state in
            if let mailbox = state.mailboxes[thread] { return mailbox.put(.event(event)) }
            guard keepsUnclaimed else { return }
            if let index = state.unclaimed.firstIndex(where: { $0.thread == thread }) {
                if state.unclaimed[index].events.count < Self.maximumUnclaimed.events {
                    state.unclaimed[index].events.append(event)
                }
                return
            }
            guard data["message"]?["author"]?["kind"]?.string == "customer" else { return }
            state.unclaimed.append((thread, data["channel"]?.string, data["customer"]?["id"]?.string, [event]))
            if state.unclaimed.count > Self.maximumUnclaimed.conversations { state.unclaimed.removeFirst() }
            if let index = state.waiting.firstIndex(where: { state.claim($0.mailbox, $0.channel, $0.customer) }) {
                state.waiting.remove(at: index)
            }
        }
    }

    /// A mailbox that takes the events of a conversation from now on.
    func events(of conversation: Conversation) -> any ScenarioEvents {
        let mailbox = DeskMailbox()
        let fault = state.withLock { state in
            switch conversation {
            case .thread(let id):
                state.mailboxes[id] = mailbox
                mailbox.begin(id)
            case .first(let channel, let customer):
                if !state.claim(mailbox, channel, customer) { state.waiting.append((channel, customer, mailbox)) }
            }
            return state.fault
        }
        if let fault { mailbox.put(.fault(fault)) }
        return mailbox
    }

    func remove(_ events: any ScenarioEvents) {
        guard let mailbox = events as? DeskMailbox else { return }
        state.withLock { state in
            state.waiting.removeAll { $0.mailbox === mailbox }
            if let thread = mailbox.thread, state.mailboxes[thread] === mailbox { state.mailboxes[thread] = nil }
        }
    }
}

/// The events of one conversation at a desk, which wait until a run takes them.
final class DeskMailbox: ScenarioEvents, Sendable {
    enum Item: Sendable {
        case event(ScenarioEvent)
        /// There will be no more events.
        case fault(ScenarioFailure)
    }

    private let content = Mutex((items: [Item](), thread: String?.none))
    /// Signalled once for each item, so that a reader can wait for one.
    private let count = DispatchSemaphore(value: 0)

    /// The conversation; nil as long as it has not begun.
    var thread: String? { content.withLock { $0.thread } }

    fileprivate func begin(_ thread: String) { content.withLock { $0.thread = thread } }

    fileprivate func put(_ item: Item) {
        content.withLock { $0.items.append(item) }
        count.signal()
    }

    /// The desk's stream was live before there was a mailbox.
    func prepare() {}

    /// Takes the next event; nil when the deadline has passed. Throws ``ScenarioFailure``.
    func next(until deadline: ContinuousClock.Instant) throws(ScenarioFailure) -> ScenarioEvent? {
        let left = max(.zero, ContinuousClock.now.duration(to: deadline)) / .nanoseconds(1)
        guard count.wait(timeout: .now() + .nanoseconds(Int(min(left, 1e18)))) == .success else { return nil }
        switch content.withLock({ $0.items.removeFirst() }) {
        case .event(let event): return event
        case .fault(let failure):
            put(.fault(failure))
            throw failure
        }
    }
}
