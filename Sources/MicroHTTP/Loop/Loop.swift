import Bounds
import CMicroHTTPD
import Glibc
import Synchronization

/// The server's one thread: polls, accepts, drives the daemons, writes the streams.
///
/// A turn is: wait for events, accept connections, run the posted jobs, run the daemons that have something to do,
/// write streams that were woken, look at the timers. So when several jobs of a turn wake the same stream, it is written
/// once. When very many are woken, requests have their turns in between, see ``writeWokenStreams()``.
///
/// `@unchecked Sendable`: everything but `mailbox`, `executor`, `handler`, `configuration` and `thread` is confined to
/// the loop's thread, from `run()` to its end; before that, to the thread that makes it. For `@exclusivity(unchecked)`
/// see ``Connection``.
final class Loop: @unchecked Sendable {
    let configuration: ServerConfiguration
    let handler: any HTTPHandler
    let mailbox: Mailbox
    let poller: Poller
    /// Runs the tasks of requests that are answered promptly.
    let executor: LoopExecutor
    let maxConnections: Int
    /// Set by the loop's thread itself before anything else runs on it; 0 before.
    private let thread = Atomic<pthread_t>(0)

    @exclusivity(unchecked) var daemons: [Daemon] = []
    var nextDaemon = 0
    /// The daemon that is running now. The library's log messages do not name the daemon that they come from.
    var current: Daemon?

    var listeners: [ListeningSocket] = []
    var isAccepting = true
    /// When to try accepting again after running out of connections or descriptors; `.max` when no such try is due.
    var acceptAgain = Nanoseconds.max
    @exclusivity(unchecked) var connections: [Connection] = []
    /// The connection that is being given to the library; nil outside ``add(_:peer:_:_:)``.
    var arriving: Connection?

    /// Streams by slot; nil slots are in `freeSlots`.
    var streams: [EventStream?] = []
    var generations: [UInt32] = []
    var freeSlots: [Int32] = []
    /// What the library gets for the sockets of streams.
    let spent: SpentSocket
    /// Connections whose streams are opened after the daemons have run.
    var opening: [Connection] = []
    /// The streams of the next round.
    @exclusivity(unchecked) var woken: [EventStream] = []
    /// The streams that are being written, a portion in each turn, and how many of them are.
    @exclusivity(unchecked) var round: [EventStream] = []
    @exclusivity(unchecked) var roundPlace = 0
    var scratch: EventBuffer
    /// Made at the first broadcast.
    var crew: SendCrew?
    @exclusivity(unchecked) var batch = SendBatch()
    var heartbeats: TimerWheel
    var stalls: TimerWheel

    /// Upgraded connections that the library may close, see ``closeUpgraded()``.
    var upgradesToClose: [OpaquePointer] = []
    var lingering = LingeringSockets()
    /// Bytes of bodies and answers that are in memory, and what streams have unsent.
    let memory: ByteCounter
    /// Of these, what each holder has. Answers of up to ``smallAnswer`` bytes have no part in it.
    let memoryShares: ByteShares
    /// Of these, what the streams of each holder have unsent.
    let unsentShares: ByteShares
    var unsentFrames = UnsentFrames()
    /// When to look again for connections that take too long.
    var nextLook = Nanoseconds(0)
    /// Whether the last look came so late that it was put off.
    var hasStoodStill = false
    /// When the configuration's pulse is called next; `.max` without one.
    private var nextPulse = Nanoseconds.max
    /// Connections whose bodies sinks take, by descriptor.
    var sinking: [Int32: Connection] = [:]
    /// The places of requests that tasks answer, of bodies that come, of bodies that sinks take, and of streams.
    @exclusivity(unchecked) var requestPlaces: SharedPlaces
    @exclusivity(unchecked) var bodyPlaces: SharedPlaces
    @exclusivity(unchecked) var sinkPlaces: SharedPlaces
    @exclusivity(unchecked) var streamPlaces: SharedPlaces
    @exclusivity(unchecked) var statistics = ServerStatistics()
    @exclusivity(unchecked) var requestNumber: UInt64 = 0
    @exclusivity(unchecked) var phase = Phase.running

    /// The time of this turn, read once after the wait.
    @exclusivity(unchecked) var now = monotonicNow()

    enum Phase {
        case running
        /// Until this time requests in flight may finish.
        case draining(until: Nanoseconds)
        case ended
    }

    /// While draining: since when all connections that are left have been ended.
    var allShutSince: Nanoseconds?

    var isStopping: Bool { if case .running = phase { false } else { true } }

    init(configuration: ServerConfiguration, handler: any HTTPHandler) throws(ServerError) {
        self.configuration = configuration
        self.handler = handler
        memory = ByteCounter(limit: configuration.maxMemory, within: configuration.memory)
        memoryShares = ByteShares(of: memory)
        unsentShares = ByteShares(of: ByteCounter(limit: configuration.maxUnsent, within: memory))
        mailbox = try Mailbox()
        poller = try Poller()
        spent = try SpentSocket()
        executor = LoopExecutor(mailbox: mailbox)
        let (connections, streams) = Self.limits(configuration, descriptors: descriptorLimit())
        maxConnections = connections
        streamPlaces = SharedPlaces(limit: streams)
        requestPlaces = SharedPlaces(limit: configuration.maxRequests)
        bodyPlaces = SharedPlaces(limit: configuration.maxIncomplete)
        sinkPlaces = SharedPlaces(limit: configuration.maxSinks)
        scratch = EventBuffer(limit: max(configuration.streamBuffer, 1024))
        heartbeats = TimerWheel(span: configuration.heartbeat.nanoseconds, now: now)
        stalls = TimerWheel(span: configuration.stallLimit.nanoseconds, now: now)
        poller.add(mailbox.descriptor, .mailbox, .read)
        if configuration.pulse != nil { nextPulse = now }
    }

    /// The limits of connections and streams. They are at most what is configured. 256 descriptors (half of them when
    /// there are few) stay free for files and other sockets, and a quarter of the connections for requests.
    static func limits(_ configuration: ServerConfiguration, descriptors: Int) -> (connections: Int, streams: Int) {
        let connections = min(configuration.maxConnections, max(descriptors - 256, descriptors / 2))
        return (connections, min(configuration.maxStreams, max(1, connections / 4 * 3)))
    }

    /// Binds all listeners and starts the daemons; on an error nothing stays open.
    func open() throws(ServerError) {
        do {
            for listener in configuration.listeners {
                let socket = try ListeningSocket(listener, configuration: configuration)
                poller.add(socket.descriptor, .listener(listeners.count), .read)
                listeners.append(socket)
            }
            for index in 0..<min(max(configuration.daemons, 1), 64) {
                let daemon = try Daemon(
                    configuration: configuration, context: Unmanaged.passUnretained(self).toOpaque())
                poller.add(daemon.descriptor, .daemon(index), .read)
                daemons.append(daemon)
            }
        } catch {
            listeners.forEach { $0.close() }
            daemons.forEach { $0.stop() }
            throw error
        }
    }

    /// Runs turns until the loop has ended. This is everything that its thread does.
    func run() {
        thread.store(pthread_self(), ordering: .relaxed)
        pthread_setname_np(pthread_self(), "http-loop")
        while true {
            turn()
            if case .ended = phase { break }
        }
        crew?.stop()
    }

    var isLoopThread: Bool { thread.load(ordering: .relaxed) == pthread_self() }

    /// Whether this thread may use what is confined: before ``run()`` it is whichever made the loop (``LayoutCheck``).
    var isConfinedHere: Bool { thread.load(ordering: .relaxed) == 0 || isLoopThread }

    @inline(__always)
    func checkThread() {
        assert(isLoopThread, "event streams belong to the loop's thread: use HTTPServer.execute")
    }

    private func turn() {
        let timeout = timeToSleep()
        let sleeps = mailbox.prepareToSleep(wanted: timeout > 0, publishing: statistics)
        let count = poller.wait(milliseconds: sleeps ? timeout : 0)
        now = monotonicNow()
        statistics.turns += 1
        let jobs = mailbox.wake()
        for index in 0..<count {
            let (token, event) = poller.event(at: index)
            switch token {
            case .mailbox: mailbox.silence()
            case .listener(let index): accept(index)
            case .daemon(let index): daemons[index].mustRun = true
            case .stream(let name): streamReady(name, event)
            case .lingering(let descriptor): lingering.drain(descriptor, poller)
            case .body(let descriptor): senderGone(descriptor)
            }
        }
        for job in jobs { job() }
        runDaemons()
        openStreams()
        writeWokenStreams()
        checkTimers()
        if isStopping { checkStop() }
    }

    private func runDaemons() {
        for daemon in daemons where daemon.mustRun || daemon.deadline <= now {
            current = daemon
            daemon.run(now: now)
        }
        current = nil
        closeUpgraded()
    }

    private func checkTimers() {
        if now >= heartbeats.due { sendHeartbeats() }
        if now >= stalls.due { closeStalledStreams() }
        if now >= lingering.due { lingering.expire(now: now, poller) }
        if now >= acceptAgain { resumeAccepting() }
        if now >= nextLook { endSlowConnections() }
        if now >= nextPulse, let pulse = configuration.pulse {
            nextPulse = now + max(1_000_000, pulse.interval.nanoseconds)
            pulse.action()
        }
    }

    /// In milliseconds, at most a second, so that an old `lastTurn` means that the loop is blocked.
    private func timeToSleep() -> Int32 {
        if !woken.isEmpty || !round.isEmpty || !opening.isEmpty { return 0 }
        var next = min(heartbeats.due, stalls.due, lingering.due, acceptAgain, nextPulse)
        if !connections.isEmpty { next = min(next, nextLook) }
        if case .draining(let until) = phase { next = min(next, until, now &+ 50_000_000) }
        for daemon in daemons {
            if daemon.mustRun { return 0 }
            next = min(next, daemon.deadline)
        }
        let wait = next &- monotonicNow()
        // Rounded up: after waking a moment too early the loop would only have to wait again.
        return next == .max || wait > 1_000_000_000 ? 1000 : Int32(max(0, (wait + 999_999) / 1_000_000))
    }
}
