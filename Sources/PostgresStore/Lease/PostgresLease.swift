import ChatModel
import ChatStore
import Dispatch
import Foundation
import Synchronization

/// What a gateway hears of the lease.
public enum LeaseNews: Sendable {
    /// The database cannot be reached, or not be used yet; tried again.
    case away(String)
    /// Another gateway, with this name, holds the lease, and is reached there.
    case standby(behind: String, at: String)
    /// The gateway that holds the lease is about to give it back.
    case leaving
    /// This gateway may write, under this fence. Told once.
    case active(PostgresFence)
    /// The holder's connection was made anew: the server may be another one, which has lost commits. The next group finds
    /// that out.
    case reconnected
    /// It could not renew, and writes nothing until it hears ``resumed`` or ``lost``.
    case suspended
    /// It could renew before anybody else took over, and may write again.
    case resumed
    /// It may write no more. Told once, as the last.
    case lost(LeaseLoss)
    /// The database must not be used. Told once, as the last; the sentence is for the operator.
    case refused(String)
}

/// Tries to become the gateway that may write, and to remain it, on a thread and a connection of its own.
///
/// Rows of a gateway that has lost the lease are refused by the writer, which compares the fence under the lock of each
/// group. So the lease decides only who tries; two gateways never write.
public final class PostgresLease: Sendable {
    private struct State {
        var lease = LeaseState()
        var isClosed = false
        var isRunning = false
        /// The last news, so that the same is not told again and again.
        var told = ""
        /// The holder as a standby has seen it last is leaving.
        var isHolderLeaving = false
        /// Called with whether there is a standby, when that is asked.
        var leaving: (@Sendable (Bool) -> Void)?
    }

    private let options: PostgresOptions
    private let url: String
    private let environment: ModelEnvironment
    private let listener: @Sendable (LeaseNews) -> Void
    private let state = Mutex(State())
    private let wakeUp = TimedSignal()
    private let ended = TimedSignal()

    /// - Parameters:
    ///   - url: where the others reach this gateway.
    ///   - listener: called on the lease's threads; it must not block.
    public init(
        _ options: PostgresOptions, url: String, environment: ModelEnvironment,
        listener: @escaping @Sendable (LeaseNews) -> Void
    ) {
        self.options = options
        self.url = url
        self.environment = environment
        self.listener = listener
    }

    /// Begins to look. Call it once.
    public func start() {
        state.withLock { $0.isRunning = true }
        let thread = Thread { [self] in
            run()
            ended.raise()
        }
        thread.name = "postgres-lease"
        thread.start()
        // A thread of its own: the other one may wait for the network.
        let second = Thread { [self] in watch() }
        second.name = "postgres-watch"
        second.start()
    }

    /// Tells the standbys that this gateway is about to give the lease back. Returns false, and tells nothing, if there
    /// is none, or if this gateway does not hold the lease.
    public func leave() async -> Bool {
        await withCheckedContinuation { continuation in
            state.withLock { state in
                guard !state.isClosed, state.isRunning, state.leaving == nil else {
                    return continuation.resume(returning: false)
                }
                state.leaving = { continuation.resume(returning: $0) }
            }
            wakeUp.raise()
        }
    }

    /// The writer has found another name in its row.
    public func noteOtherHolder() { change { $0.superseded() } }

    /// Gives the lease back, and ends. To be called when nothing writes any more. It blocks for some seconds at most.
    public func release() {
        let isRunning = state.withLock { state in
            defer { state.isClosed = true }
            return state.isRunning && !state.isClosed
        }
        guard isRunning else { return }
        wakeUp.raise()
        _ = ended.wait(atMost: .seconds(3))
    }

    /// How long a holder may be unable to renew before it steps down.
    public static var longestSuspension: Duration { LeaseState.longestSuspension }

    /// Whether this gateway may write, as far as it knows.
    public var isHeld: Bool {
        state.withLock { state in
            if case .active = state.lease.phase { return true }
            return false
        }
    }

    private var isOver: Bool {
        state.withLock { state in
            if case .lost = state.lease.phase { return true }
            return state.isClosed
        }
    }

    /// Changes the state, and tells what follows from it. All news is told under the lock, so that the listener hears it
    /// in the order in which it happened.
    private func change(_ body: (inout LeaseState) -> Void) {
        state.withLock { state in
            let before = state.lease.phase
            body(&state.lease)
            guard !state.isClosed, before != state.lease.phase else { return }
            switch (before, state.lease.phase) {
            case (_, .lost(let loss)): listener(.lost(loss))
            case (_, .suspended): listener(.suspended)
            case (.suspended, .active): listener(.resumed)
            case (_, .active(let fence)): listener(.active(fence))
            case (_, .standby): break
            }
        }
    }

    /// Tells what the state does not show, and was not told just before. After a loss it tells nothing.
    private func notifyListener(_ news: LeaseNews) {
        state.withLock { state in
            if case .lost = state.lease.phase { return }
            guard !state.isClosed, state.told != "\(news)" else { return }
            state.told = "\(news)"
            listener(news)
        }
    }

    /// Tells a holder that its connection was made anew.
    private func tellReconnected() {
        state.withLock { state in
            guard !state.isClosed, case .active = state.lease.phase else { return }
            state.told = ""
            listener(.reconnected)
        }
    }

    /// Sees in time that renewals are missing, also when the process was paused.
    private func watch() {
        while !isOver {
            change { $0.check(at: .now) }
            PostgresPause.wait(.milliseconds(200))
        }
    }

    private func run() {
        var backoff = PostgresBackoff()
        var table: LeaseTable?
        var isLocked = false
        var wasConnected = false
        var sight = LeaseState.Sight()
        var since = ContinuousClock.now
        while !isOver {
            do {
                let open = try table ?? connect()
                if table == nil {
                    isLocked = false
                    sight.hasSeenLock = false
                    since = .now
                    tellReconnected()
                }
                table = open
                wasConnected = true
                if !isLocked { isLocked = try open.lock() }
                sight.isLong = since.duration(to: .now) >= LeaseState.courtesy
                try step(open, isLocked: isLocked, &sight)
                backoff.reset()
                _ = wakeUp.wait(atMost: interval)
            } catch {
                // Later a refusal may pass: a server that only reads is about to be promoted.
                if let refusal = error as? PostgresRefusal, !wasConnected {
                    return notifyListener(.refused(refusal.description))
                }
                table?.connection.close()
                table = nil
                let cause = (error as? PostgresRefusal)?.description ?? (error as? PostgresError)?.cause
                notifyListener(.away(cause ?? ChatError(storage: error).detail))
                _ = wakeUp.wait(atMost: backoff.next(environment.random()))
            }
        }
        finish(table)
        takeLeaving()?(false)
    }

    private var interval: Duration {
        state.withLock { $0.lease.phase == .standby && $0.isHolderLeaving ? LeaseState.closeLook : $0.lease.interval }
    }

    private func takeLeaving() -> (@Sendable (Bool) -> Void)? {
        state.withLock { state in
            defer { state.leaving = nil }
            return state.leaving
        }
    }

    private func connect() throws -> LeaseTable {
        let connection = try options.connect(.lease)
        // A standby may be the first that comes to an empty database.
        _ = try PostgresOpening.open(PostgresSession(connection), options, environment)
        return try LeaseTable(connection, name: options.gateway, url: url)
    }

    /// Renews, or looks and takes over.
    private func step(_ table: LeaseTable, isLocked: Bool, _ sight: inout LeaseState.Sight) throws {
        let asked = ContinuousClock.now
        if let fence = state.withLock({ $0.lease.fence }) {
            let isHeld = try table.renew(fence)
            change { isHeld ? $0.renewed(askedAt: asked) : $0.superseded() }
            guard let answer = takeLeaving() else { return }
            do {
                answer(try isHeld && table.leave(fence))
            } catch {
                answer(false)
                throw error
            }
            return
        }
        let holder = try table.holder()
        if holder.isLocked { sight.hasSeenLock = true }
        sight.isOwn = holder.name == options.gateway
        guard isLocked, LeaseState.mayTake(from: holder, sight), let fence = try table.acquire(sight) else {
            try table.stay()
            state.withLock { $0.isHolderLeaving = holder.isLeaving }
            return notifyListener(holder.isLeaving ? .leaving : .standby(behind: holder.name, at: holder.url))
        }
        change { $0.took(fence, askedAt: asked) }
    }

    /// Gives the lease back if it was not lost.
    private func finish(_ table: LeaseTable?) {
        guard let table else { return }
        let (phase, fence) = state.withLock { ($0.lease.phase, $0.lease.fence) }
        if let fence { try? table.release(fence) } else if phase == .standby { try? table.release(nil) }
        table.connection.close()
    }
}
