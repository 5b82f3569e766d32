import ChatModel
import Formats
import HTTPRouting
import MicroHTTP

/// Short addresses for the pictures and links of a page: see ``Ticket``.
struct TicketRoutes: RouteGroup {
    /// The only addresses for which there are tickets.
    private static let ofSession = TicketPlaces([
        "/v1/sessions/{session}/attachments/{attachment}", "/v1/sessions/{session}/threads/{thread}/transcript",
    ])
    private static let ofDesk = TicketPlaces([
        "/v1/desk/attachments/{attachment}", "/v1/desk/threads/{thread}/transcript",
    ])

    var routes: [Route] {
        [
            Route(
                .post, "/v1/sessions/{session}/tickets", "createTickets", access: .session(.sessionsRead), body: .json,
                handler: .aside { call in
                    _ = try call.client()
                    return try call.tickets(for: Self.ofSession)
                }),
            Route(
                .post, "/v1/desk/tickets", "createDeskTickets", access: .scope(.deskRead), body: .json,
                handler: .aside { call in try call.tickets(for: Self.ofDesk) }),
        ].map { $0.traced(.secret) }
    }
}

/// Which paths may be asked for.
private struct TicketPlaces: Sendable {
    let names: String
    private let tree: PathTree

    init(_ templates: [String]) {
        names = templates.joined(separator: ", ")
        tree = PathTree(templates)
    }

    /// Whether the address is one of them; where they have a session, that of this one.
    func contain(_ address: String, session: String) -> Bool {
        tree.find(String(address.prefix { $0 != "?" }))?.parameters["session"] == session
    }
}

/// `{"paths"}`: the addresses that somebody wants to show, each as its path and, if it has one, its query.
struct TicketedPaths: RequestBody {
    private static let count = 1...50
    private static let byteCount = 2048
    let paths: [String]

    init(reading object: inout ObjectReader) {
        guard let value = object.required("paths") else {
            paths = []
            return
        }
        paths = value.array?.compactMap(\.string) ?? []
        guard paths.count == value.array?.count, Self.count.contains(paths.count), paths.allSatisfy(Self.isAddress)
        else {
            object.reject(
                "paths",
                "\(Self.count.lowerBound) to \(Self.count.upperBound) paths were expected, in an array, each with at most \(Self.byteCount) bytes and as it would be requested"
            )
            return
        }
    }

    /// Whether a request could have it as its target.
    private static func isAddress(_ text: String) -> Bool {
        text.utf8.first == UInt8(ascii: "/") && text.utf8.count <= byteCount
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }
    }
}

extension Call {
    /// Answers with a ticket for each path of the body.
    fileprivate func tickets(for places: TicketPlaces) throws -> HTTPResponse {
        let body: TicketedPaths = try body()
        let faults = body.paths.enumerated().filter { !places.contain($1, session: parameters["session"]) }.map {
            Problem.Item(.invalidValue, pointer: "/paths/\($0.offset)", "one of these was expected: \(places.names)")
        }
        if !faults.isEmpty { throw Problem(items: faults) }
        let owner = ticketOwner
        let now = core.environment.now()
        return json { json in
            json.beginObject()
            json.name("items")
            json.beginArray()
            for path in body.paths {
                let ticket = Ticket(for: path, owner: owner, at: now, core.tokens)
                json.beginObject()
                json.member("path", path)
                json.member("url", "\(path)\(path.contains("?") ? "&" : "?")\(Ticket.parameter)=\(ticket.text)")
                json.member("expiresAt", ticket.end)
                json.endObject()
            }
            json.endArray()
            json.endObject()
        }
    }

    /// As whose ticket one of the caller counts.
    private var ticketOwner: Ticket.Owner {
        switch identity {
        case .gateway, .nobody: .gateway
        case .operator(let login), .person(_, let login): .login(login)
        case .key(let id): .key(id, mark: Credentials.keyMark(of: request))
        case .session(let id): .session(id, generation: core.tokens.generation(of: id) ?? 0)
        }
    }
}
