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
