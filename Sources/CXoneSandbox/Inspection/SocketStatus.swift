import ChatModel
import CXoneWire
import Formats

/// What there is to know of one socket of the sandbox.
struct SocketStatus: Sendable {
    var number: Int
    var face: SandboxChannel
    var platform: String
    /// Nil before the client has said who it acts for.
    var customer: String?
    var visitor: String?
    var since: Timestamp
    /// Bytes that were sent and that the kernel has not taken yet.
    var unsent: Int
    /// Frames that came.
    var received: Int
    /// Frames that were sent.
    var sent: Int

    /// Writes it as the API shows it (the schema `SandboxSocket`).
    func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("number", number)
        json.member("channel", face.channel)
        json.member("authorization", face.authorization.rawValue)
        json.member("platform", platform)
        json.member("customer", customer)
        json.member("visitor", visitor)
        json.member("since", since)
        json.member("unsent", unsent)
        json.member("received", received)
        json.member("sent", sent)
        json.endObject()
    }
}

extension Sandbox {
    /// The open sockets, oldest first.
    func sockets() async -> [SocketStatus] {
        var found: [SocketStatus] = []
        for session in openSessions { found.append(await session.status) }
        return found
    }
}

/// What is kept of a client's socket for whoever looks.
extension SandboxSession {
    /// - Parameter customer: whom the frame names, if the session does not know it yet.
    @discardableResult
    func record(
        _ text: [UInt8], _ direction: SandboxFrame.Direction, type: String?, of customer: String?,
        answering asked: Asked? = nil
    ) -> Int {
        var frame = SandboxFrame(
            .frame, text, direction, type: type, socket: number, customer: identity?.key.customer ?? customer,
            at: sandbox.store.environment.now())
        (frame.answers, frame.asked) = (asked?.number, asked?.type)
        return sandbox.record(frame)
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
        sandbox.record(frame)
    }

    /// What there is to know of the socket now.
    var status: SocketStatus {
        SocketStatus(
            number: number, face: face, platform: "\(family)", customer: identity?.key.customer, visitor: visitor,
            since: since, unsent: socket?.backlog ?? 0, received: counts.received, sent: counts.sent)
    }
}
