import Formats
import Foundation

/// Where a feed begins.
enum FeedStart {
    /// With what happens from now on.
    case now
    /// After this cursor.
    case after(String)
    /// With so many of the newest events, as the types count them.
    case last(Int)
    /// With the events of this time.
    case since(Timestamp)

    /// The parameter of the query; nil for none.
    fileprivate var parameter: (String, String?) {
        switch self {
        case .now: ("after", nil)
        case .after(let cursor): ("after", cursor)
        case .last(let count): ("last", String(count))
        case .since(let time): ("since", time.rfc3339)
        }
    }
}

/// Which feed is read, and what of it.
struct FeedScope {
    private let segments: [String]
    private let query: [(String, String?)]

    /// - Parameters:
    ///   - segments: of the feed's path.
    ///   - query: what chooses among its events.
    init(_ segments: [String], _ query: [(String, String?)]) { (self.segments, self.query) = (segments, query) }

    /// The events of the log. One session has a path of its own, which a session's token opens.
    ///
    /// - Parameters:
    ///   - sessions: ids.
    ///   - isDesk: whether the desk's events are carried, too.
    ///   - isAll: whether all events of the gateway are carried, whomever they concern.
    ///   - types: as `?types=` takes them; nil for all.
    init(sessions: [String], isDesk: Bool, isAll: Bool = false, types: String? = nil) {
        let types = ("types", types)
        if isAll {
            self.init(["events"], [("all", "true"), types])
        } else if sessions.count == 1, !isDesk {
            self.init(["sessions", sessions[0], "events"], [types])
        } else if sessions.isEmpty {
            self.init(["desk", "events"], [types])
        } else {
            self.init(["events"], sessions.map { ("session", $0) } + [("desk", isDesk ? "true" : nil), types])
        }
    }

    /// The path of the feed.
    func path(from start: FeedStart) -> String { GatewayClient.path(segments, query + [start.parameter]) }
}

/// An event of a feed.
struct FeedEvent: Equatable {
    /// The place after the event; nil for what is live only.
    var id: String?
    var type: String
    /// JSON.
    var data: [UInt8]

    /// `{"id"?,"type","data"}`
    var line: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("id", id)
        writer.member("type", type)
        writer.name("data")
        writer.raw(data)
        writer.endObject()
        return writer.bytes
    }

    /// Whether the event tells only how far the feed is.
    var isMark: Bool { type == "ready" || type == "ping" }
}

/// Takes events out of the bytes of a stream (`text/event-stream`), which come in pieces of any length.
struct FeedParser {
    /// How long the gateway asks to wait before the next connection, in milliseconds.
    private(set) var retry = 2000
    private var events: [FeedEvent] = []
    private var line: [UInt8] = []
    private var id: String?
    private var type: String?
    private var data: [UInt8]?

    /// The most bytes of an event. The gateway's own are far smaller.
    static let limit = 16 << 20

    /// Takes the next bytes in. Throws ``BrokenAnswer`` for an event that is too large.
    mutating func add(_ bytes: [UInt8]) throws(BrokenAnswer) {
        var rest = bytes[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            line += rest[..<end]
            rest = rest[(end + 1)...]
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
            parse(line)
            line.removeAll(keepingCapacity: true)
        }
        line += rest
        if line.count + (data?.count ?? 0) > Self.limit { throw BrokenAnswer("an event is too large") }
    }

    /// Removes the next complete event.
    mutating func next() -> FeedEvent? { events.isEmpty ? nil : events.removeFirst() }

    private mutating func parse(_ line: [UInt8]) {
        guard !line.isEmpty else {
            if let data { events.append(FeedEvent(id: id, type: type ?? "message", data: data)) }
            (id, type, data) = (nil, nil, nil)
            return
        }
        let name = line.prefix { $0 != UInt8(ascii: ":") }
        var value = line.dropFirst(name.count + 1)
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        switch String(decoding: name, as: UTF8.self) {
        case "id": id = String(decoding: value, as: UTF8.self)
        case "event": type = String(decoding: value, as: UTF8.self)
        case "data": data = data.map { $0 + [UInt8(ascii: "\n")] + value } ?? Array(value)
        case "retry": retry = Int(digits: String(decoding: value, as: UTF8.self)).map { min($0, 60_000) } ?? retry
        default: break
        }
    }
}

/// Reads one answer of a feed, until it ends or breaks.
private final class FeedReader {
    private let connection: GatewayConnection
    private let found: GatewayFinder.Found
    private(set) var parser = FeedParser()

    /// Opens the feed. Throws ``CommandFailure``.
    init(_ client: GatewayClient, _ scope: FeedScope, from start: FeedStart) throws(CommandFailure) {
        found = try client.finder.find()
        let (connection, head) = try client.open(
            "GET", scope.path(from: start), headers: [("Accept", "text/event-stream")])
        guard head.status == 200 else {
            throw CommandFailure(status: head.status, body: try client.rest(of: connection))
        }
        self.connection = connection
    }

    /// The socket, to wait for beside others.
    var descriptor: Int32 { connection.descriptor }

    /// The next event that is there, without waiting. Throws ``CommandFailure`` when the feed has ended.
    func next() throws(CommandFailure) -> FeedEvent? {
        if let event = parser.next() { return event }
        try GatewayClient.explained(found) {
            guard let bytes = try connection.body() else { throw Unreachable("the stream ended") }
            try parser.add(bytes)
        }
        return parser.next()
    }
}

/// Follows a feed as long as it takes: after a break it goes on at its cursor.
final class Following {
    /// What a call of ``next(until:beside:)`` came to.
    enum Step {
        case event(FeedEvent)
        /// The descriptor that was waited for beside the feed can be read, or is broken.
        case other
        /// The deadline has passed.
        case deadline
    }

    /// The place after the last event; nil before the first one.
    private(set) var cursor: String?
    private let client: GatewayClient
    private let scope: FeedScope
    private let start: FeedStart
    private let output: Output
    private var reader: FeedReader?
    /// When the next connection may be tried.
    private var nextTry = ContinuousClock.now
    private var retry = Duration.seconds(2)
    /// Whether a break is worth a word: it comes after the feed was live.
    private var isTold = true

    /// Opens the feed. Throws ``CommandFailure``: only what has worked once is tried again.
    ///
    /// - Parameter start: after a break it goes on at its cursor instead, once it has one.
    init(_ client: GatewayClient, _ scope: FeedScope, from start: FeedStart, output: Output) throws(CommandFailure) {
        (self.client, self.scope, self.start, self.output) = (client, scope, start, output)
        reader = try FeedReader(client, scope, from: start)
    }

    /// Waits for the next event. Throws ``CommandFailure`` if the gateway refuses to go on.
    ///
    /// - Parameters:
    ///   - deadline: nil for none.
    ///   - other: a descriptor that ends the wait, too, and what is waited for there.
    func next(
        until deadline: ContinuousClock.Instant? = nil, beside other: (descriptor: Int32, events: Int32)? = nil
    ) throws(CommandFailure) -> Step {
        while true {
            let others = other.map { [$0] } ?? []
            guard let reader else {
                let end = min(nextTry, deadline ?? nextTry)
                if Waiting.wait(for: others, until: end) != nil { return .other }
                if ContinuousClock.now < nextTry { return .deadline }
                try connect()
                continue
            }
            do throws(CommandFailure) {
                if let event = try reader.next() { return .event(noted(event)) }
            } catch {
                broken()
                continue
            }
            guard let index = Waiting.wait(for: others + [(reader.descriptor, POLLIN)], until: deadline) else {
                return .deadline
            }
            if index < others.count { return .other }
        }
    }

    /// Moves the cursor, and tells when the feed is live.
    private func noted(_ event: FeedEvent) -> FeedEvent {
        if let id = event.id { cursor = id }
        if event.type == "ready" {
            isTold = true
            output.inform("following from \(cursor ?? "now")")
        }
        return event
    }

    /// Waits as long as the gateway has asked for, so that all its readers do not come back at once.
    private func broken() {
        if let reader { retry = .milliseconds(reader.parser.retry) }
        if isTold { output.inform("the stream broke, and goes on when the gateway is back") }
        (reader, isTold) = (nil, false)
        nextTry = ContinuousClock.now + retry
    }

    /// Opens the feed once more. A gateway that is away, or that has no room now, is tried again later.
    private func connect() throws(CommandFailure) {
        do {
            reader = try FeedReader(client, scope, from: cursor.map(FeedStart.after) ?? start)
        } catch {
            guard error.status == .unreachable || error.status == .temporary else { throw error }
            broken()
        }
    }
}
