import ChatModel
import ChatStore
import Formats
import HTTPRouting
import MicroHTTP

/// The right to GET one address for a short time, as a text in that address: pictures and links of a page are requested
/// without headers. Nothing is stored.
///
/// The text is `<end>.<holder>.<seal>`. It has the rights of whoever got it, and ends when their own credential ends.
struct Ticket: Sendable, Equatable {
    /// The query parameter that has it.
    static let parameter = "ticket"

    /// In milliseconds. All tickets of ten minutes have the same end, so that an address stays the same for a while and
    /// browsers keep what it leads to.
    private static let step: Int64 = 10 * 60 * 1000

    /// Who got it, by which credential.
    enum Owner: Sendable, Equatable {
        case gateway
        case login(String)
        /// By the text of the key that has this mark (``AccessKey/mark(of:)``).
        case key(String, mark: String)
        case session(String, generation: Int)

        fileprivate var text: String {
            switch self {
            case .gateway: "g"
            case .login(let id): "l~\(id.percentEncoded)"
            case .key(let id, let mark): "k~\(mark)~\(id.percentEncoded)"
            case .session(let id, let generation): "s~\(generation)~\(id.percentEncoded)"
            }
        }

        fileprivate init?(_ text: Substring) {
            let parts = text.split(separator: "~", maxSplits: 2, omittingEmptySubsequences: false)
            func id(_ part: Substring) -> String { percentDecoded(Array(part.utf8)) }
            switch (parts[0], parts.count) {
            case ("g", 1): self = .gateway
            case ("l", 2): self = .login(id(parts[1]))
            case ("k", 3): self = .key(id(parts[2]), mark: String(parts[1]))
            case ("s", 3):
                guard let generation = Int(parts[1]) else { return nil }
                self = .session(id(parts[2]), generation: generation)
            default: return nil
            }
        }
    }

    let end: Timestamp
    let owner: Owner
    /// The rest of the text, which nobody else can make.
    private let seal: String

    /// A ticket that is good for 10 to 20 minutes.
    ///
    /// - Parameter target: the path, and the query if there is one.
    init(for target: String, owner: Owner, at now: Timestamp, _ tokens: TokenAuthority) {
        end = Timestamp(milliseconds: (now.milliseconds / Self.step + 2) * Self.step)
        self.owner = owner
        seal = Self.seal(target, end, owner, tokens)
    }

    /// Reads what a request has brought. Nil when the text has another form; whether it is good says ``opens(_:_:)``.
    init?(_ text: String) {
        guard let first = text.firstIndex(of: "."), let last = text.lastIndex(of: "."), first < last,
            let seconds = Int64(text[..<first]), (0...Int64.max / 1000).contains(seconds),
            let owner = Owner(text[text.index(after: first)..<last])
        else { return nil }
        end = Timestamp(milliseconds: seconds * 1000)
        self.owner = owner
        seal = String(text[text.index(after: last)...])
    }

    var text: String { "\(end.milliseconds / 1000).\(owner.text).\(seal)" }

    /// Whether it was made for this target. Its end is not looked at.
    func opens(_ target: String, _ tokens: TokenAuthority) -> Bool {
        areSameSecret(seal.utf8, Self.seal(target, end, owner, tokens).utf8)
    }

    private static func seal(_ target: String, _ end: Timestamp, _ owner: Owner, _ tokens: TokenAuthority) -> String {
        tokens.seal("GET\u{0}\(target)\u{0}\(end.milliseconds)\u{0}\(owner.text)", for: "ticket")
    }
}

extension Route {
    /// Whether a ticket may stand for a credential.
    var takesTicket: Bool {
        guard method == .get, case .only(let names, _, _) = query else { return false }
        return names.contains(Ticket.parameter)
    }
}

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
