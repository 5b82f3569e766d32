import ChatModel
import CXoneWire
import Formats

/// What is kept of a client's socket for whoever looks.
extension SandboxSession {
    /// - Parameter customer: whom the frame names, if the session does not know it yet.
    @discardableResult
    func note(
        _ text: [UInt8], _ direction: SandboxFrame.Direction, type: String?, of customer: String?,
        answering asked: Asked? = nil
    ) -> Int {
        var frame = SandboxFrame(
            .frame, text, direction, type: type, socket: number, customer: identity?.key.customer ?? customer,
            at: sandbox.store.environment.now())
        (frame.answers, frame.asked) = (asked?.number, asked?.type)
        return sandbox.note(frame)
    }

    func noteEnd(_ reason: CloseReason) {
        var frame = SandboxFrame(
            .closed, [], ending == nil && reason == .client ? .toSandbox : .toClient, type: "close", socket: number,
            customer: identity?.key.customer, at: sandbox.store.environment.now())
        frame.reason =
            ending
            ?? {
                switch reason {
                case .client: "client"
                case .server: "server"
                case .refused(let code): "\(code)"
                }
            }()
        sandbox.note(frame)
    }

    /// What there is to know of the socket now.
    var status: SocketStatus {
        SocketStatus(
            number: number, face: face, platform: "\(family)", customer: identity?.key.customer, visitor: visitor,
            since: since, unsent: socket?.backlog ?? 0, received: counts.received, sent: counts.sent)
    }
}
