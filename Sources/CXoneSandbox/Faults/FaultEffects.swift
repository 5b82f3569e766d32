import ChatModel
import CXoneWire
import Formats

/// How faults come to happen.
extension Sandbox {
    /// The faults that have not happened yet, in the order in which they were added.
    public var pendingFaults: [Fault] { faults.all }

    /// Adds a fault. One that waits for nothing happens at once, and any other at the next fitting request or push.
    /// False when too many faults wait.
    public func add(_ fault: Fault) -> Bool {
        if fault.isImmediate { return happen(fault, of: nil) }
        guard faults.add(fault) else { return false }
        limit(fault)
        return true
    }

    /// Removes the faults that wait, and the scripts. What has happened stays.
    public func removeFaults() {
        scripts.removeAll()
        faults.removeAll()
    }

    /// Adds a script, and begins with its first step. False if too many are there.
    func add(_ script: FaultScript) -> Bool {
        guard scripts.add(script) else { return false }
        advance(script.id)
        return true
    }

    /// Removes a script with the fault that is due for it. False if it is not there.
    func removeScript(_ id: String) -> Bool {
        let wasThere = scripts.remove(id)
        faults.remove(of: id)
        return wasThere
    }

    /// The fault that happens to a request, an answer or a push. It is kept as a frame of its own.
    ///
    /// - Parameters:
    ///   - lost: what the app does not get, or gets late.
    ///   - onlyNamed: passes over faults without an event.
    func meet(
        _ kinds: Set<Fault.Kind>, _ occasion: FaultOccasion, _ direction: SandboxFrame.Direction,
        _ lost: () -> [UInt8] = { [] }, onlyNamed: Bool = false
    ) -> Fault? {
        guard let hit = faults.takeFault(kinds, occasion, onlyNamed: onlyNamed) else { return nil }
        record(hit.fault, occasion, direction, lost(), of: hit.step)
        if hit.isLast, let step = hit.step { end(step) }
        return hit.fault
    }

    /// Lets a request or a push be the trigger of scripts, after it was dealt with.
    func observe(_ occasion: FaultOccasion, frame: Int) {
        for (step, delay) in scripts.observe(occasion, frame: frame, at: store.environment.now()) {
            run(step, after: delay)
        }
    }

    private func record(
        _ fault: Fault, _ occasion: FaultOccasion?, _ direction: SandboxFrame.Direction, _ lost: [UInt8],
        of step: FaultScript.StepName?
    ) {
        let now = store.environment.now()
        var frame = SandboxFrame(
            .fault, lost, direction, type: occasion?.event ?? fault.event, socket: occasion?.socket ?? fault.socket,
            customer: occasion?.customer ?? fault.customer, at: now)
        frame.fault = (fault.id, fault.kind)
        let number = record(frame)
        if let step { scripts.happened(step, FaultScript.Firing(at: now, frame: number)) }
    }

    /// Does a fault that waits for nothing. False if it cannot be noted.
    private func happen(_ fault: Fault, of step: FaultScript.StepName?) -> Bool {
        record(fault, nil, .toClient, [], of: step)
        switch fault.kind {
        case .dropSocket:
            for session in openSessions {
                Task { if await session.isConcerned(by: fault) { await session.drop() } }
            }
            return true
        default: return faults.expireTokens(of: fault.customer, at: store.environment.now())
        }
    }

    /// Removes a fault when its time is over.
    private func limit(_ fault: Fault) {
        guard let lasts = fault.lasts else { return }
        Task { [clock, weak self] in
            try? await clock.sleep(for: .milliseconds(lasts))
            guard let self, let step = faults.remove(fault.id).step else { return }
            end(step)
        }
    }

    private func end(_ step: FaultScript.StepName) {
        scripts.end(step)
        advance(step.script)
    }

    private func advance(_ script: String) {
        if let (step, delay) = scripts.advance(script) { run(step, after: delay) }
    }

    private func run(_ step: FaultScript.StepName, after delay: Int) {
        guard delay > 0 else { return arm(step) }
        Task { [clock, weak self] in
            try? await clock.sleep(for: .milliseconds(delay))
            self?.arm(step)
        }
    }

    /// The step's fault is due: it happens, or waits for a fitting request or push.
    private func arm(_ step: FaultScript.StepName) {
        guard let fault = scripts.arm(step, at: store.environment.now()) else { return }
        if fault.isImmediate {
            _ = happen(fault, of: step)
            end(step)
        } else {
            _ = faults.add(fault, of: step)
            limit(fault)
        }
    }
}

/// How faults meet a client's requests, their answers, and its pushes.
extension SandboxSession {
    /// A request or a push of this type, as faults look at it.
    func occasion(_ event: String, of customer: String? = nil) -> FaultOccasion {
        FaultOccasion(
            customer: identity?.key.customer ?? customer, channel: face.channel, socket: number, event: event)
    }

    /// Whether a fault that happens at once is about this socket.
    fileprivate func isConcerned(by fault: Fault) -> Bool { fault.fits(occasion(fault.event ?? "")) }

    /// Whether a request is to be done. If a fault refuses it, it is answered.
    func isAllowed(_ request: ClientRequest, _ asked: Asked) -> Bool {
        let occasion = occasion(request.event.type, of: request.customer?.id)
        guard let fault = sandbox.meet(Fault.Kind.ofRequests, occasion, .toSandbox) else { return true }
        switch fault.kind {
        case .dropSocket: drop()
        case .refuse:
            let code =
                fault.errorCode.map { ErrorCode(rawValue: $0) } ?? ErrorCode.failure(of: request.event, for: family)
            send(.error(error(request, code, "The sandbox was asked to refuse this.")), answering: asked)
        default:
            expireTokens()
            return true
        }
        return false
    }

    /// Sends the answer to a request, unless a fault takes it away. A delayed answer does not hold back the requests
    /// after it.
    func answer(_ request: ClientRequest, _ asked: Asked, by frame: ServerFrame) {
        let occasion = occasion(request.event.type, of: request.customer?.id)
        let fault = sandbox.meet(Fault.Kind.ofAnswers, occasion, .toClient, frame.encoded)
        switch fault?.kind {
        case .loseAnswer: break
        case .delayAnswer:
            let clock = sandbox.clock, delay = Duration.milliseconds(fault?.milliseconds ?? 0)
            Task { [weak self] in
                try? await clock.sleep(for: delay)
                await self?.send(late: frame, answering: asked)
            }
        default: send(frame, answering: asked)
        }
    }

    /// Sends a push, with a new event id. Faults may duplicate it, or hold it back until after the next one.
    func push(_ event: PushEvent) {
        let now = sandbox.store.environment.now()
        let frame = ServerFrame.push(
            ServerPush(eventID: sandbox.makeID(), createdAt: now, preciseCreatedAt: now, event: event))
        let occasion = occasion(event.type)
        let fault = sandbox.meet(Fault.Kind.ofPushes, occasion, .toClient, frame.encoded)
        switch fault?.kind {
        case .dropSocket:
            drop()
            return sandbox.observe(occasion, frame: sandbox.frames.last)
        case .reorderPush where late == nil:
            late = Text(bytes: frame.encoded(), type: event.type)
            return sandbox.observe(occasion, frame: sandbox.frames.last)
        case .expireToken: expireTokens()
        default: break
        }
        send(frame)
        if fault?.kind == .duplicatePush { send(frame) }
        if let late {
            self.late = nil
            send(late)
        }
        sandbox.observe(occasion, frame: sandbox.frames.last)
    }

    /// Sends an answer that a fault delayed. It is dropped if the socket is full.
    private func send(late frame: ServerFrame, answering asked: Asked) {
        guard !isFull else { return }
        send(frame, answering: asked)
        socket?.flush()
    }

    /// The tokens of this customer have expired.
    private func expireTokens() {
        _ = sandbox.faults.expireTokens(of: identity?.key.customer, at: sandbox.store.environment.now())
    }
}

/// The kinds that each can meet. They are made once: every frame asks for some.
extension Fault.Kind {
    fileprivate static let ofRequests: Set<Self> = [.refuse, .dropSocket, .expireToken]
    fileprivate static let ofAnswers: Set<Self> = [.delayAnswer, .loseAnswer]
    fileprivate static let ofPushes: Set<Self> = [.duplicatePush, .reorderPush, .dropSocket, .expireToken]
}
