import ChatModel
import CXoneWire
import Formats
import HTTPRouting
import MicroHTTP

/// The sandbox's open sockets and its newest frames, for the gateway's token alone.
struct InspectionRoutes<Context: CallContext> {
    private static var frames: String { "/v1/sandbox/frames" }

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
                }),
            // Whoever looks at the frames does not want to see that among the requests.
            Route(
                .get, Self.frames, "listSandboxFrames", access: .scope(.sandboxWrite),
                query: .only(Call<Context>.recentQuery + FrameFilter.query),
                handler: .stream { call in
                    let filter = try FrameFilter(call.query)
                    return try call.recent(sandbox.frames, on: sandbox.clock, where: filter.wants) { page, json in
                        json.member("cursor", "\(page.incarnation)-\(page.last)")
                        json.member("missed", page.missed)
                        json.name("dropped")
                        json.beginObject()
                        json.member("frames", page.dropped.count)
                        json.member("bytes", page.dropped.byteCount)
                        json.endObject()
                    } write: { number, frame, json in
                        frame.encode(number: number, to: &json)
                    }
                }
            ).traced(.none),
            Route(
                .get, "\(Self.frames)/events", "streamSandboxFrames", access: .scope(.sandboxWrite),
                query: .only(RecentStart.query + FrameFilter.query, isResumable: true),
                handler: .stream { call in
                    let form = try call.form(among: FeedForm.streams)
                    let (start, filter) = (try RecentStart(call), try FrameFilter(call.query))
                    var answer = call.streamHead(form)
                    if call.request.method == "HEAD" { return .now(answer) }
                    answer.body = .events(
                        RecentFeed(
                            sandbox.frames, from: start, as: form.framing, named: "frame", snapshot: Self.frames,
                            retry: 1000 + Int(sandbox.store.environment.random() * 3000), where: filter.wants
                        ) { number, frame, json in
                            frame.encode(number: number, to: &json)
                        })
                    return .now(answer)
                }
            ).traced(.none),
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
