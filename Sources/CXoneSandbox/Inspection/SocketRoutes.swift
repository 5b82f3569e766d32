import ChatModel
import CXoneWire
import Formats
import HTTPRouting
import MicroHTTP

/// The sandbox's open sockets, for the gateway's token alone.
struct SocketRoutes<Context: CallContext> {
    let sandbox: Sandbox

    var routes: [Route<Context>] {
        let sandbox = sandbox
        return [
            Route(
                .get, "/v1/sandbox/sockets", "listSandboxSockets", access: .scope(.sandboxWrite),
                handler: .aside { call in
                    let sockets = await sandbox.sockets()
                    return call.json(headers: [("Cache-Control", "no-store")]) { json in
                        json.beginObject()
                        json.name("items")
                        json.beginArray()
                        for socket in sockets { socket.encode(to: &json) }
                        json.endArray()
                        json.endObject()
                    }
                })
        ]
    }
}

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

extension SandboxSession {
    /// What there is to know of the socket now.
    var status: SocketStatus {
        SocketStatus(
            number: number, face: face, platform: "\(family)", customer: identity?.key.customer, visitor: visitor,
            since: since, unsent: socket?.backlog ?? 0, received: counts.received, sent: counts.sent)
    }
}
