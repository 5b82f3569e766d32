import ChatModel
import ChatStore
import Synchronization

/// What an attempt to connect asks the service. Each answer becomes an input of the machine, unless a later attempt has
/// begun.
extension SessionConnection {
    private var channel: Channel { status.channel }

    /// Answers the machine's effect of this name, with `prepared` or `prepareFailed`.
    ///
    /// A session that is to be connected is prepared while its connection is opened: ``openConnection()`` waits for
    /// both.
    func fetchConfiguration() {
        preparation += 1
        let current = preparation
        let service = service, id = channel.id
        let known = knownChannel
        knownChannel = nil
        Task {
            do throws(ChatError) {
                let channel: Channel
                if let known { channel = known } else { channel = try await service.channel(id) }
                guard current == preparation else { return }
                if machine.connects {
                    preparing = prepare(for: channel)
                } else if let error = await prepare(for: channel).value {
                    throw error
                }
                await prepared(channel, current)
            } catch {
                // Another number says that the session was disconnected meanwhile: then this answer is too late.
                if current == preparation { await handle(.prepareFailed(error)) }
            }
        }
    }

    /// The service's part of the preparation. Returns why it has failed.
    private func prepare(for channel: Channel) -> Task<ChatError?, Never> {
        Task {
            do throws(ChatError) {
                try await service.prepare(try await record, channel: channel)
                return nil
            } catch {
                return error
            }
        }
    }

    /// The account as it is now.
    private var record: AccountRecord {
        get async throws(ChatError) {
            if let knownAccount { return knownAccount }
            let account = account
            return try await store.read { try $0.account(account) }
        }
    }

    func prepared(_ channel: Channel, _ current: Int) async {
        guard current == preparation, machine.state == .preparing else { return }
        replaceChannel(channel)
        await handle(.prepared(channel.mode))
    }

    func ask() {
        question += 1
        let current = question
        let service = service
        Task {
            let input: ConnectionMachine.Input
            do throws(ChatError) {
                let isOnline = try await service.isOnline(try await record)
                input = isOnline ? .online : .offline
                if current == question { setChannelOnline(isOnline) }
            } catch {
                input = .availabilityFailed(error)
            }
            if current == question { await handle(input) }
        }
    }

    /// The channel's configuration is as old as the preparation, and a connection is opened with it. So a session that
    /// was prepared outside the channel's hours must learn that they have begun.
    private func setChannelOnline(_ isOnline: Bool) {
        var now = channel
        guard now.mode == .liveChat, now.isOnline != isOnline else { return }
        now.isOnline = isOnline
        replaceChannel(now)
    }

    func openConnection() {
        attempt += 1
        let current = attempt
        let service = service, channel = channel
        let begun = preparing
        preparing = nil
        Task {
            let result: Result<any ServiceConnection, ChatError>
            do throws(ChatError) {
                let record = try await record
                try await cache?.willConnect()
                if isSuspended { throw .suspended }
                result = .success(
                    try await service.connect(record, channel: channel) { [weak self] in
                        Task { await self?.lost(attempt: current) }
                    })
            } catch {
                result = .failure(error)
            }
            if let error = await begun?.value {
                if case .success(let opened) = result { await opened.close() }
                guard current == attempt else { return }
                // The next attempt waits for it.
                if !error.isFinal { preparing = prepare(for: channel) }
                return await handle(.openFailed(error))
            }
            switch result {
            case .success(let opened): await self.opened(opened, attempt: current)
            case .failure(let error): if current == attempt { await handle(.openFailed(error)) }
            }
        }
    }

    func opened(_ opened: any ServiceConnection, attempt current: Int) async {
        // The session was disconnected meanwhile, so nobody uses this connection.
        guard current == attempt, machine.state == .connecting else { return await opened.close() }
        guard !isSuspended else {
            await opened.close()
            if current == attempt { await handle(.openFailed(.suspended)) }
            return
        }
        guard lostAttempt != current else {
            return await handle(
                .openFailed(ChatError(.notConnected, "The connection to the service was lost at once.")))
        }
        open = opened
        await handle(.opened)
    }

    /// The connection of an attempt is gone. If the loss is reported before ``opened(_:attempt:)``, it is remembered
    /// until then.
    func lost(attempt lost: Int) async {
        guard lost == attempt else { return }
        guard open != nil else {
            lostAttempt = lost
            return
        }
        attempt += 1
        open = nil
        await handle(.lost)
    }

    /// Runs what follows an opened connection, as the reading of its threads, and gives the result to the machine. The
    /// work returns how many threads there are.
    func load(
        then success: ConnectionMachine.Input = .loaded,
        _ work: @escaping @Sendable (any ServiceConnection) async throws(ChatError) -> Int
    ) {
        guard let connection = open else { return }
        let current = attempt
        Task {
            let input: ConnectionMachine.Input
            do throws(ChatError) {
                let count = try await work(connection)
                if current == attempt { publishThreadsLoaded(count) }
                input = success
            } catch {
                input =
                    error.code == .recoveringThreadFailed ? .nothingToRecover(hasSurvey: hasSurvey) : .loadFailed(error)
            }
            if current == attempt { await handle(input) }
        }
    }

    /// Whether a new thread waits for the answers of a pre-chat survey.
    private var hasSurvey: Bool { channel.preChatSurvey != nil }
}

/// Live events about the session itself. They go to the session's own streams and are not stored in the log.
extension SessionConnection {
    func publishState() {
        let event = ChatUpdatedEvent(
            state: machine.state, mode: machine.mode, connectionError: machine.error.map { Failure($0) },
            nextAttemptAt: nextAttemptAt)
        store.feed.publish(event, to: [.session(id)])
    }

    func publishThreadsLoaded(_ count: Int) {
        store.feed.publish(ThreadsLoadedEvent(count: count), to: [.session(id)])
    }

    func publish(_ error: ChatError) {
        store.feed.publish(ErrorEvent(error), to: [.session(id)])
    }
}

/// A gateway that has lost touch with its database leaves the platforms to the one that may take over. Two connections of
/// one customer are two devices of one person, which does no harm for a moment.
extension Sessions {
    /// Closes the connections to remote services, and lets no session connect before ``resume()``. Sessions go on as after
    /// a loss. Any thread may call it.
    ///
    /// Returns what ends when all connections are closed.
    @discardableResult
    public func suspend() -> Task<Void, Never> {
        remote.isSuspended.store(true, ordering: .sequentiallyConsistent)
        return Task {
            await withTaskGroup(of: Void.self) { group in
                for client in all where client.service.isRemote { group.addTask { await client.connection.suspend() } }
            }
        }
    }

    /// Lets sessions connect again, and connects those that ``suspend()`` has disconnected. At most 64 connect at a time,
    /// as after a start (``reconnect()``). Any thread may call it.
    ///
    /// Returns what ends when each has settled, or was waited for 10 s.
    @discardableResult
    public func resume() -> Task<Void, Never> {
        remote.isSuspended.store(false, ordering: .sequentiallyConsistent)
        return Task { await attempt { await $0.resume() } }
    }
}

extension SessionConnection {
    /// Whether no connection may be open now.
    var isSuspended: Bool { service.isRemote && remote.isSuspended.load(ordering: .sequentiallyConsistent) }

    /// Closes what is open. The next attempt begins with ``resume()``.
    func suspend() async {
        guard isSuspended, let closing = open else { return }
        await lost(attempt: attempt)
        await closing.close()
    }

    /// Begins the attempt that the session waits for. Returns when that has settled, or after 10 s.
    func resume() async {
        guard !isSuspended, machine.isWaiting else { return }
        retry?.cancel()
        _ = await settled(after: { [self] in await handle(.retryDue) })
    }
}

extension ChatError {
    static let suspended = ChatError(.notConnected, "The gateway has lost touch with its database.")
}
