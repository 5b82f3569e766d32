import ChatModel
import ChatStore

/// What an attempt to connect asks the service. Each answer becomes an input of the machine, unless a later attempt has
/// begun.
extension SessionConnection {
    private var channel: Channel { status.channel }

    /// Answers the machine's effect of this name, with `prepared` or `prepareFailed`.
    func fetchConfiguration() {
        preparation += 1
        let current = preparation
        let service = service, store = store, account = account, id = channel.id
        let known = knownChannel
        knownChannel = nil
        Task {
            do throws(ChatError) {
                let channel: Channel
                if let known { channel = known } else { channel = try await service.channel(id) }
                let record = try await store.read { try $0.account(account) }
                try await service.prepare(record, channel: channel)
                await prepared(channel, current)
            } catch {
                // Another number says that the session was disconnected meanwhile: then this answer is too late.
                if current == preparation { await take(.prepareFailed(error)) }
            }
        }
    }

    func prepared(_ channel: Channel, _ current: Int) async {
        guard current == preparation, machine.state == .preparing else { return }
        note(channel)
        await take(.prepared(channel.mode))
    }

    func ask() {
        question += 1
        let current = question
        let service = service, store = store, account = account
        Task {
            let input: ConnectionMachine.Input
            do throws(ChatError) {
                let record = try await store.read { try $0.account(account) }
                input = try await service.isOnline(record) ? .online : .offline
            } catch {
                input = .availabilityFailed(error)
            }
            if current == question { await take(input) }
        }
    }

    func openConnection() {
        attempt += 1
        let current = attempt
        let service = service, store = store, account = account, channel = channel
        Task {
            do throws(ChatError) {
                let record = try await store.read { try $0.account(account) }
                try await cache?.willConnect()
                let opened = try await service.connect(record, channel: channel) { [weak self] in
                    Task { await self?.lost(attempt: current) }
                }
                await self.opened(opened, attempt: current)
            } catch {
                if current == attempt { await take(.openFailed(error)) }
            }
        }
    }

    func opened(_ opened: any ServiceConnection, attempt current: Int) async {
        // The session was disconnected meanwhile, so nobody uses this connection.
        guard current == attempt, machine.state == .connecting else { return await opened.close() }
        guard lostAttempt != current else {
            return await take(.openFailed(ChatError(.notConnected, "The connection to the service was lost at once.")))
        }
        open = opened
        await take(.opened)
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
        await take(.lost)
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
            if current == attempt { await take(input) }
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
