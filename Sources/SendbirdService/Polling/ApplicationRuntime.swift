import Bounds
import Chat
import ChatModel
import ChatStore
import Formats
import SendbirdWire
import Synchronization

/// One application while accounts are connected to it: its client, its connections, and its polls. ``PollPlan``
/// decides; this performs what it says. May be used from any task.
final class ApplicationRuntime: Sendable {
    let application: SendbirdConfiguration.Application
    let client: SendbirdClient
    let clock: any Clock<Duration>
    let attempts: SendAttempts
    let progress: ReadProgress
    let marks = DeedMarks()
    let sizes = PlatformSizes()
    let store: ChatStore
    private let elapsed: @Sendable () -> Duration
    let list: ApplicationList
    private let refreshes = Refreshes()

    struct State {
        var plan: PollPlan
        var connections: [ObjectIdentifier: SendbirdConnection] = [:]
        var timer: (due: Duration, task: Task<Void, Never>)?
        /// What the application's list told of each channel when it was looked at last.
        var fingerprints = RecentlyUsed<String, ChannelFingerprint>(limit: 5000)
        var named = NamedMessages()
        var news = AccountNews()
        /// So many pages of the list are read next time also if nothing is new: the last one could not be read.
        var owedPages = 0
        /// How often that was so, one time after the other.
        var owedTries = 0
        /// The channels whose refresh has failed since they had news last.
        var owed = RecentlyUsed<String, Bool>(limit: 5000)
    }
    let state: Mutex<State>

    /// How long a look waits that is repeated for the messages that were named.
    private static let repetition = Duration.seconds(5)

    init(_ application: SendbirdConfiguration.Application, client: SendbirdClient, store: ChatStore) {
        (self.application, self.client, self.store) = (application, client, store)
        state = Mutex(State(plan: PollPlan(gets: application.getLimit)))
        list = ApplicationList(application, client: client)
        clock = client.clock
        attempts = SendAttempts(clock: clock)
        progress = ReadProgress(now: store.environment.now)
        elapsed = clock.stopwatch()
    }

    // MARK: Connections

    func add(_ connection: SendbirdConnection) {
        let now = elapsed()
        state.withLock { state in
            state.connections[ObjectIdentifier(connection)] = connection
            state.plan.add(account: connection.account.number, at: now)
            for thread in state.named.threadIDs { state.plan.lookSoon(at: thread, at: now, after: Self.repetition) }
            setTimer(&state)
        }
    }

    /// Throws `serverError` while the platform refuses the application's list: whoever connects would hear no news.
    func admit() async throws(ChatError) { if list.isRefused { _ = try await list.page(nil) { loseAll() } } }

    func loseAll() { for connection in all { connection.lose() } }

    /// The platform has deactivated an account's user.
    func lose(_ account: Int64) {
        for connection in all where connection.account.number == account { connection.lose() }
    }

    func remove(_ connection: SendbirdConnection) {
        state.withLock { state in
            state.connections[ObjectIdentifier(connection)] = nil
            let account = connection.account.number
            if !state.connections.values.contains(where: { $0.account.number == account }) {
                state.plan.remove(account: account)
            }
            if state.connections.isEmpty { state.fingerprints = RecentlyUsed(limit: 5000) }
            setTimer(&state)
        }
    }

    private var all: [SendbirdConnection] { state.withLock { Array($0.connections.values) } }

    /// One connection of each account.
    var connections: [SendbirdConnection] {
        Dictionary(all.map { ($0.account.number, $0) }) { first, _ in first }.values.sorted {
            $0.account.number < $1.account.number
        }
    }

    /// A customer does something in a thread.
    func acted(in thread: String, of account: Int64) {
        let now = elapsed()
        state.withLock { state in
            state.plan.viewed(thread, by: account, at: now)
            setTimer(&state)
        }
    }

    /// Somebody follows one of the sessions.
    func followed() {
        let now = elapsed()
        state.withLock { state in if state.plan.followed(at: now) { setTimer(&state) } }
    }

    /// A message may have changed: it is looked at soon.
    func name(_ message: Int64, in thread: String) {
        let now = elapsed()
        state.withLock { state in
            guard state.plan.isPolling else { return }
            state.named.add(message, in: thread, at: now)
            state.plan.lookSoon(at: thread, at: now)
            setTimer(&state)
        }
    }

    /// A webhook has come. It is not believed: it only says where to look.
    func hear(_ webhook: ReceivedWebhook) {
        guard webhook.category.isOfChannel else { return }
        // Channels of other types are no threads of anybody here.
        if let type = webhook.customType, !application.channels.contains(where: { $0.customType == type }) { return }
        let now = elapsed()
        state.withLock { state in
            guard state.plan.isPolling else { return }
            if let message = webhook.messageID, [.messageUpdate, .messageDelete].contains(webhook.category) {
                state.named.add(message, in: webhook.channelURL, at: now)
            }
            // Where too many looks are planned, one at what is named is planned later.
            if state.plan.heard(of: webhook.channelURL, at: now) { setTimer(&state) }
        }
    }

    // MARK: Polls

    private func setTimer(_ state: inout State) {
        let next = state.plan.next
        if let timer = state.timer, let next, timer.due == next { return }
        state.timer?.task.cancel()
        state.timer = nil
        guard let next else { return }
        let alarm = clock.alarm(in: max(.zero, next - elapsed()))
        let task = Task { [weak self] in
            guard (try? await alarm()) != nil else { return }
            self?.begin()
        }
        state.timer = (next, task)
    }

    private func begin() {
        let now = elapsed()
        let due = state.withLock { state in
            state.timer = nil
            let due = state.plan.due(at: now)
            setTimer(&state)
            return due
        }
        for poll in due { Task { await run(poll) } }
    }

    private func run(_ poll: PollPlan.Poll) async {
        // What has failed is looked for again. Only the application's list tells whether the platform can be reached.
        let foundNews = await look(poll)
        let (now, gets, random) = (elapsed(), client.gate.getLimit, store.environment.random())
        state.withLock { state in
            state.plan.ended(
                poll, foundNews: foundNews ?? false, isSomebodys: foundNews != nil, at: now, gets: gets, random: random)
            if case .single = poll { state.plan.lookSoon(at: state.named.threadIDs, at: now) }
            setTimer(&state)
        }
    }

    /// Returns whether there were any news; nil: nobody here has the thread.
    private func look(_ poll: PollPlan.Poll) async -> Bool? {
        switch poll {
        case .application: return await lookAtApplication()
        case .focus(let thread): return await look(at: thread, ThreadLook(isFocus: true)) ?? false
        case .single(let thread):
            let now = elapsed()
            let named = state.withLock { state in
                let named = state.named.take(thread)
                state.plan.asks(named.count, at: now)
                return named
            }
            return await look(at: thread, ThreadLook(isFocus: true, named: named, isHeard: true))
        case .account(let number):
            guard let connection = connections.first(where: { $0.account.number == number }) else { return false }
            return (try? await lookAtList(of: connection)) ?? false
        }
    }

    /// Reads the list of one account's threads, and refreshes those with new messages.
    private func lookAtList(of connection: SendbirdConnection) async throws(ChatError) -> Bool {
        let number = connection.account.number
        let before = try await store.read { try $0.threadActivity(of: number, limit: 5000) }
        let changed = try await connection.refresh.readList()
        let after = try await store.read { try $0.threadActivity(of: number, limit: 5000) }
        // All else that changes, such as a member's name, the list has told.
        for thread in changed where before[thread] != after[thread] {
            do throws(ChatError) {
                _ = try await refresh(thread, of: connection, ThreadLook(isFocus: false))
            } catch {
                // The list will not tell of it again. The others must not wait for it.
                if error.mayPass { lookLater(at: thread) }
            }
        }
        return !changed.isEmpty
    }

    /// Compares a thread for all who have it; nil: nobody has. Nobody's look waits for another one's, or fails with it.
    private func look(at thread: String, _ look: ThreadLook) async -> Bool? {
        guard let holders = try? await store.read({ try $0.accounts(withThread: thread) }) else { return false }
        return await withTaskGroup(of: Bool.self) { group in
            for connection in connections where holders.contains(connection.account.number) {
                group.addTask { (try? await self.refresh(thread, of: connection, look)) ?? false }
            }
            return await group.reduce(nil) { $1 || $0 ?? false }
        }
    }

    /// Refreshes a thread of one account. Where too much was missed, its connections are lost, and nothing is new.
    func refresh(
        _ thread: String, of connection: SendbirdConnection, _ look: ThreadLook
    ) async throws(ChatError) -> Bool {
        do throws(ChatError) {
            return try await refresh(thread, look, by: connection.refresh)
        } catch {
            guard error.code == .notConnected else { throw error }
            return false
        }
    }

    /// Compares a thread for who waits for it. Others may wait for this look, too: it goes on where the caller does not.
    func look(at thread: String, _ look: ThreadLook, by refresh: ThreadRefresh) async throws(ChatError) {
        let work = Task { () -> Result<Bool, ChatError> in
            do throws(ChatError) {
                return .success(try await self.refresh(thread, look, by: refresh))
            } catch {
                return .failure(error)
            }
        }
        do throws(ChatError) {
            _ = try await work.value.get()
        } catch {
            // The thread is read in any case.
            guard error == ThreadRefresh.isUnderWay else { throw error }
            lookLater(at: thread)
        }
    }

    private func refresh(
        _ thread: String, _ look: ThreadLook, by refresh: ThreadRefresh
    ) async throws(ChatError) -> Bool {
        let account = refresh.account.number
        return try await refreshes.run(look, at: thread, of: account) { look throws(ChatError) in
            do throws(ChatError) {
                return try await refresh.run(thread, look)
            } catch {
                if error.mayPass, !look.named.isEmpty { lookAgain(look.named, at: thread) }
                // Over another connection of the account, the hole would not be seen.
                if error.code == .notConnected { lose(account) }
                throw error
            }
        }
    }

    /// A look has failed: the messages that were named for it are looked at again.
    private func lookAgain(_ named: [Int64: Duration], at thread: String) {
        let now = elapsed()
        if state.withLock({ $0.named.keep(named, in: thread, at: now) }) { lookLater(at: thread) }
    }

    private func lookLater(at thread: String) {
        let now = elapsed()
        state.withLock { state in
            state.plan.lookSoon(at: thread, at: now, after: Self.repetition)
            setTimer(&state)
        }
    }
}
