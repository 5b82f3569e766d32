import CMicroHTTPD
import Glibc
import Synchronization

/// new, then running, then stopped: what the server and its thread share.
///
/// `@unchecked Sendable`: all is constant or under `state`'s lock; `ended` is a semaphore.
final class ServerLife: @unchecked Sendable {
    private struct State {
        var phase = Phase.new
        var loop: Loop?
        var addresses: [BoundAddress] = []
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private enum Phase { case new, running, stopped }

    private let handler: any HTTPHandler
    private let state = Mutex(State())
    /// Posted once at the thread's end; whoever waited posts it again for the next.
    private let ended = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init(handler: any HTTPHandler) {
        self.handler = handler
        sem_init(ended, 0, 0)
    }

    deinit {
        sem_destroy(ended)
        ended.deallocate()
    }

    var loop: Loop? { state.withLock { $0.loop } }
    var addresses: [BoundAddress] { state.withLock { $0.addresses } }

    func start(_ configuration: ServerConfiguration) throws(ServerError) {
        guard !configuration.listeners.isEmpty else { throw .noListeners }
        let isNew = state.withLock { state in
            defer { if state.phase == .new { state.phase = .running } }
            return state.phase == .new
        }
        guard isNew else { throw .alreadyStarted }
        do throws(ServerError) {
            guard try LayoutCheck.passes() else {
                throw ServerError.unknownLayout(version: String(cString: MHD_get_version()))
            }
            let loop = try Loop(configuration: configuration, handler: handler)
            try loop.open()
            state.withLock { state in
                state.loop = loop
                state.addresses = loop.listeners.map(\.address)
            }
            try run(loop)
        } catch {
            state.withLock { state in
                state.phase = .new
                state.loop = nil
                state.addresses = []
            }
            throw error
        }
    }

    private func run(_ loop: Loop) throws(ServerError) {
        var thread = pthread_t()
        let life = Unmanaged.passRetained(self)
        let code = pthread_create(
            &thread, nil,
            { context in
                Unmanaged<ServerLife>.fromOpaque(context!).takeRetainedValue().threadMain()
                return nil
            }, life.toOpaque())
        guard code == 0 else {
            life.release()
            loop.stopNow()
            loop.checkStop()
            throw .system(call: "pthread_create", errno: code)
        }
        pthread_detach(thread)
    }

    private func threadMain() {
        guard let loop else { return }
        loop.run()
        // Jobs that came too late still run: one may be an answer whose source wants to hear that it is over.
        for job in loop.mailbox.close(publishing: loop.statistics) { job() }
        let waiting = state.withLock { state in
            state.phase = .stopped
            defer { state.waiting = [] }
            return state.waiting
        }
        sem_post(ended)
        for continuation in waiting { continuation.resume() }
    }

    func stop(grace: Duration, then continuation: CheckedContinuation<Void, Never>) {
        let loop: Loop? = state.withLock { state in
            guard state.phase == .running, let loop = state.loop else { return nil }
            state.waiting.append(continuation)
            return loop
        }
        guard let loop else { return continuation.resume() }
        loop.mailbox.post { loop.beginDraining(grace: grace) }
    }

    /// Asks for the end without waiting.
    func requestStop() {
        guard let loop else { return }
        loop.mailbox.post { loop.stopNow() }
    }

    func stopNow() {
        guard let loop else { return }
        if loop.isLoopThread { return loop.stopNow() }
        loop.mailbox.post { loop.stopNow() }
        while sem_wait(ended) != 0 {}
        sem_post(ended)
    }
}
