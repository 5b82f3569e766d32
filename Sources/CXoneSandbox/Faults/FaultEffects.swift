import CXoneWire
import SandboxKit

extension Sandbox {
    /// The faults that it can cause, in the order in which they are told.
    package static let faultKinds: [Fault.Kind] = [
        .dropSocket, .delayAnswer, .loseAnswer, .duplicatePush, .reorderPush, .refuse, .expireToken,
    ]

    /// Does a fault that waits for nothing. False if it cannot be noted.
    func happen(_ fault: Fault) -> Bool {
        switch fault.kind {
        case .dropSocket:
            for session in openSessions {
                Task { if await session.isConcerned(by: fault) { await session.drop() } }
            }
            return true
        default: return voidTokens.add(of: fault.customer, upTo: store.environment.now())
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
        guard let fault = sandbox.faults.meet(Fault.Kind.ofRequests, occasion, .toSandbox) else { return true }
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
        let fault = sandbox.faults.meet(Fault.Kind.ofAnswers, occasion, .toClient, frame.encoded)
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
        let fault = sandbox.faults.meet(Fault.Kind.ofPushes, occasion, .toClient, frame.encoded)
        switch fault?.kind {
        case .dropSocket:
            drop()
            return sandbox.faults.observe(occasion, frame: sandbox.faults.frames.recent.last)
        case .reorderPush where late == nil:
            late = Text(bytes: frame.encoded(), type: event.type)
            return sandbox.faults.observe(occasion, frame: sandbox.faults.frames.recent.last)
        case .expireToken: expireTokens()
        default: break
        }
        send(frame)
        if fault?.kind == .duplicatePush { send(frame) }
        if let late {
            self.late = nil
            send(late)
        }
        sandbox.faults.observe(occasion, frame: sandbox.faults.frames.recent.last)
    }

    /// Sends an answer that a fault delayed. It is dropped if the socket is full.
    private func send(late frame: ServerFrame, answering asked: Asked) {
        guard !isFull else { return }
        send(frame, answering: asked)
        socket?.flush()
    }

    /// The tokens of this customer have expired.
    private func expireTokens() {
        _ = sandbox.voidTokens.add(of: identity?.key.customer, upTo: sandbox.store.environment.now())
    }
}

/// The kinds that each can meet. They are made once: every frame asks for some.
extension Fault.Kind {
    fileprivate static let ofRequests: Set<Self> = [.refuse, .dropSocket, .expireToken]
    fileprivate static let ofAnswers: Set<Self> = [.delayAnswer, .loseAnswer]
    fileprivate static let ofPushes: Set<Self> = [.duplicatePush, .reorderPush, .dropSocket, .expireToken]
}
