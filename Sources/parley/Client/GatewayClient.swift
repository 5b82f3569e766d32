import Formats
import Foundation

/// Makes requests of the gateway's API, each on a connection of its own.
struct GatewayClient {
    var finder: GatewayFinder
    /// When all requests must have their answers; nil gives each its usual time.
    var deadline: ContinuousClock.Instant?

    /// The most bytes of an answer that is kept in memory.
    private static let limit = 256 << 20
    /// How long an answer may take. A request that connects a session of a remote service may take long.
    private static let patience = Duration.seconds(60)

    /// Sends a request and reads the head of the answer, whatever its status is. Throws ``CommandFailure``.
    ///
    /// - Parameters:
    ///   - path: begins with a slash; its segments and its query are encoded already.
    ///   - connected: called with the socket before anything is sent. Whoever shuts it down ends the request.
    func open(
        _ method: String, _ path: String, headers: [(String, String)] = [], body: [UInt8]? = nil,
        connected: (Int32) -> Void = { _ in }
    ) throws(CommandFailure) -> (connection: GatewayConnection, head: AnswerHead) {
        let found = try finder.find()
        var request = "\(method) \(path) HTTP/1.1\r\nHost: \(found.address.authority)\r\nConnection: close\r\n"
        request += "User-Agent: parley/\(Parley.version)\r\n"
        if let token = found.token { request += "Authorization: Bearer \(token)\r\n" }
        for (name, value) in headers { request += "\(name): \(value)\r\n" }
        if body != nil || method == "POST" || method == "PUT" || method == "PATCH" {
            request += "Content-Length: \(body?.count ?? 0)\r\n"
        }
        let deadline = deadline ?? ContinuousClock.now + Self.patience
        return try Self.explained(found) {
            let connection = try GatewayConnection(to: found.address, by: deadline)
            connected(connection.descriptor)
            try connection.send(Array((request + "\r\n").utf8) + (body ?? []), by: deadline)
            return (connection, try connection.head(method: method, by: deadline))
        }
    }

    /// The body of an answer 2xx. Throws ``CommandFailure`` for any other.
    func call(
        _ method: String, _ path: String, headers: [(String, String)] = [], body: [UInt8]? = nil
    ) throws(CommandFailure) -> [UInt8] {
        let (connection, head) = try open(method, path, headers: headers, body: body)
        let bytes = try rest(of: connection)
        guard 200..<300 ~= head.status else { throw CommandFailure(status: head.status, body: bytes) }
        return bytes
    }

    /// All of the body that is still to come. Throws ``CommandFailure``.
    func rest(of connection: GatewayConnection) throws(CommandFailure) -> [UInt8] {
        try Self.explained(try finder.find()) {
            try connection.wholeBody(limit: Self.limit, by: deadline ?? ContinuousClock.now + Self.patience)
        }
    }

    /// Hands on all of the body that is still to come, piece by piece: it is never in memory as a whole. Throws
    /// ``CommandFailure``, also for a body that breaks off.
    func pass(_ connection: GatewayConnection, to take: ([UInt8]) -> Void) throws(CommandFailure) {
        try Self.explained(try finder.find()) {
            while let piece = try connection.body() {
                if !piece.isEmpty {
                    take(piece)
                } else if !connection.wait(until: deadline ?? ContinuousClock.now + Self.patience) {
                    throw Unreachable("it does not answer")
                }
            }
        }
    }

    /// The answer to a GET, as JSON. Throws ``CommandFailure``.
    func get(_ path: String) throws(CommandFailure) -> JSONText { try Self.json(call("GET", path)) }

    /// The answer to a POST with this body, as JSON; an empty object when it has none. Throws ``CommandFailure``.
    func post(_ path: String, _ write: ((inout JSONWriter) -> Void)? = nil) throws(CommandFailure) -> JSONText {
        guard let write else { return try Self.json(call("POST", path)) }
        return try send("POST", path, write)
    }

    /// Sends the members of an object, and reads JSON. Throws ``CommandFailure``.
    func patch(_ path: String, _ write: (inout JSONWriter) -> Void) throws(CommandFailure) -> JSONText {
        try send("PATCH", path, write)
    }

    /// Sends the members of an object, and reads JSON. Throws ``CommandFailure``.
    func put(_ path: String, _ write: (inout JSONWriter) -> Void) throws(CommandFailure) -> JSONText {
        try send("PUT", path, write)
    }

    private func send(
        _ method: String, _ path: String, _ write: (inout JSONWriter) -> Void
    ) throws(CommandFailure) -> JSONText {
        var writer = JSONWriter()
        writer.beginObject()
        write(&writer)
        writer.endObject()
        return try Self.json(call(method, path, headers: [("Content-Type", "application/json")], body: writer.bytes))
    }

    /// Reads JSON. Throws ``CommandFailure``.
    static func json(_ bytes: [UInt8]) throws(CommandFailure) -> JSONText {
        if bytes.isEmpty { return .emptyObject }
        do throws(JSONSyntaxError) {
            return try JSONText(bytes)
        } catch {
            throw CommandFailure(.unreachable, code: "brokenAnswer", "The gateway's answer is not JSON.")
        }
    }

    /// Turns faults of the connection into failures that say where the gateway was looked for.
    static func explained<T>(_ found: GatewayFinder.Found, _ body: () throws -> T) throws(CommandFailure) -> T {
        do {
            return try body()
        } catch let fault as Unreachable {
            throw CommandFailure(
                .unreachable, code: "noGateway",
                "No gateway answers at \(found.address)\(found.place): \(fault.reason). Start one with parley, or name "
                    + "another with --gateway or --data.")
        } catch let fault as BrokenAnswer {
            throw CommandFailure(
                .unreachable, code: "brokenAnswer",
                "What answers at \(found.address)\(found.place) is no gateway: \(fault.reason).")
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure(.unreachable, code: "noGateway", "\(error)")
        }
    }

    /// A path of the API, `/v1/...`, of segments that are encoded here, with a query.
    static func path(_ segments: [String], _ query: [(String, String?)] = []) -> String {
        let pairs = query.compactMap { name, value in value.map { "\(name)=\($0.percentEncoded)" } }
        return "/v1/" + segments.map(\.percentEncoded).joined(separator: "/")
            + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&"))
    }
}

/// A list of the API, with as many of its pages as are wanted.
struct Pages {
    /// The items of all pages, in the order of the list.
    var items: [JSONElement] = []
    /// The list as JSON: the gateway's bytes if there was one page, otherwise one list with the items of all.
    var bytes: [UInt8] = []
    /// From where to follow what happens after the list.
    var cursor: String?

    /// Reads pages until there are no more, or until there are enough items. Throws ``CommandFailure``.
    ///
    /// - Parameters:
    ///   - path: without `limit` and `cursor`.
    ///   - count: the most items; nil for all.
    ///   - isPaged: false reads one page, as the path says.
    init(
        _ client: GatewayClient, _ path: String, count: Int? = nil, isPaged: Bool = true
    ) throws(CommandFailure) {
        var cursor: String?
        var first: JSONText?
        var isWhole = true
        repeat {
            let left = count.map { $0 - items.count } ?? 200
            let query = "limit=\(min(200, left))" + (cursor.map { "&cursor=\($0.percentEncoded)" } ?? "")
            let page = try client.get(isPaged ? path + (path.contains("?") ? "&" : "?") + query : path)
            guard let more = page.root["items"]?.elements else {
                throw CommandFailure(.refused, code: "noList", "\(path) is no list: it has no items.")
            }
            items += more
            isWhole = first == nil
            first = first ?? page
            cursor = page.root["next"]?.string
        } while isPaged && cursor != nil && items.count < count ?? .max
        guard let first else { return }
        self.cursor = first.root["cursor"]?.string
        if isWhole {
            bytes = Array(first.root.bytes)
            return
        }
        // What a client follows from is the place of the first page: nothing that happened since is missed.
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("items")
        writer.beginArray()
        for item in items { writer.raw(item.bytes) }
        writer.endArray()
        for member in ["next": cursor, "cursor": self.cursor].sorted(by: { $0.key > $1.key }) {
            if let text = member.value {
                writer.name(member.key)
                writer.value(text)
            }
        }
        writer.endObject()
        bytes = writer.bytes
    }
}
