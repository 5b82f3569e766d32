import Bounds
import Chat
import ChatModel
import ChatStore
import Formats
import HTTPRouting
import MicroHTTP

/// One page of the log, as a client gets it.
package struct EventPage: Sendable {
    /// The events as JSON objects, with commas between them.
    package var items: [UInt8] = []
    package var count = 0
    /// Where the client goes on: everything up to here that it wants was on this page or an earlier one.
    package var position: Int64
    /// Whether the page ends before the log does.
    var hasMore = false
    /// Whether the next event is of a time that the client does not want any more: there is nothing to wait for.
    var isOver = false
    /// Set when the client's position could not be used: the client has to load the state anew.
    package var reset: ResetEvent?

    init(at position: Int64, reset: ResetEvent? = nil) {
        self.position = position
        self.reset = reset
    }

    /// Whether the client learns nothing from it, so that a client that is ready to wait need not have it yet.
    package var isEmpty: Bool { count == 0 && !hasMore && !isOver && reset == nil }

    /// `{"items":[..],"cursor":"..","hasMore":false,"reset":{..}}`
    func json(cursor: String) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(items.count + 256)
        bytes.append(contentsOf: "{\"items\":[".utf8)
        bytes.append(contentsOf: items)
        bytes.append(contentsOf: "],\"cursor\":\"\(cursor)\",\"hasMore\":\(hasMore)".utf8)
        if let reset {
            bytes.append(contentsOf: ",\"reset\":".utf8)
            bytes.append(contentsOf: reset.data)
        }
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }
}

extension Call {
    /// Answers with a page of the log, which waits for events if the client wants that.
    ///
    /// Throws `invalidParameter`, also for parameters that only streams have. A position that cannot be used is no
    /// error: the page says `reset`.
    func page(_ scope: StreamScope, _ filter: EventFilter, _ start: FeedStart) throws(Problem) -> StreamAnswer {
        for name in CollectionChoice.query + CollectionChoice.repeatable where !query.all(name).isEmpty {
            throw Problem.parameter(name, "a page has no events of collections; a stream has them")
        }
        var limit = 100
        if case .last(let count) = start { limit = count }
        limit = try query.number("limit", in: 1...500) ?? limit
        let asked = try query.number("wait", in: 0...Self.longestWait)
        // A wish is cut to what is possible. A parameter is not, because it is not optional for the gateway.
        let wish = asked == nil ? PreferHeader(request.headers.all("Prefer")).wait : nil
        let preferred = wish.map { min($0, Self.longestWait) }
        let wait = request.method == "HEAD" ? 0 : asked ?? preferred ?? 0
        let end = try query.times().until
        return .later { [limit] in
            let page = try await core.page(
                of: scope, filter, limit: limit, until: end, from: start, wait: .seconds(wait), as: identity.holder)
            return answer(page, preferred: preferred)
        }
    }

    /// The longest time that a page waits, in seconds.
    private static var longestWait: Int { 50 }

    private func answer(_ page: EventPage, preferred: Int?) -> HTTPResponse {
        let cursor = cursor(page.position).description
        var headers = [("Cache-Control", "no-store"), ("Parley-Cursor", cursor)]
        if page.hasMore {
            let next = query.replacing("after", without: FeedStart.query + [KnownParameters.resumeName], cursor: cursor)
            headers.append(("Link", "<\(request.path)?\(next)>; rel=\"next\""))
        }
        if let preferred { headers.append(("Preference-Applied", "wait=\(preferred)")) }
        return json(page.json(cursor: cursor), headers: headers)
    }
}

extension GatewayCore {
    /// A page of the log's events. If there is none for it, it waits for one that is wanted, at most for a time, as
    /// ``StreamHub/page(_:from:wait:on:in:as:)`` says. Any thread may call it.
    ///
    /// - Parameters:
    ///   - limit: the most events.
    ///   - end: events of this time and later ones are not wanted.
    ///   - holder: in whose share of the pages that wait it stands.
    ///   - isWanted: what else an event must be like.
    package func page(
        of scope: StreamScope, _ filter: EventFilter, limit: Int, until end: Timestamp? = nil, from start: FeedStart,
        wait: Duration, as holder: Holder, where isWanted: @escaping @Sendable (LogEvent) -> Bool = { _ in true }
    ) async throws -> EventPage {
        let reader = EventPageReader(
            log: hub.log, scope: scope, filter: filter, limit: limit, end: end, isWanted: isWanted)
        return try await hub.page(reader, from: start, wait: wait, on: clock, in: waitingPages, as: holder)
    }
}

extension StreamHub {
    /// The page that the reader finds after a position. If there is nothing for it, it waits for an event that it
    /// wants, at most for a time. Any thread may call it.
    ///
    /// The waiting also ends when a session that the page follows is deleted, when the task is cancelled, and when the
    /// gateway stops.
    ///
    /// - Parameter places: those of pages that wait. A page that needs one and gets none throws `shareExceeded` or
    ///   `tooManyRequests`.
    func page(
        _ reader: EventPageReader, from start: FeedStart, wait time: Duration, on clock: any Clock<Duration>,
        in places: PlacePool, as holder: Holder
    ) async throws -> EventPage {
        guard time > .zero else { return try await page(reader, from: start) }
        try places.takePlace(holder, for: "pages that wait for events")
        defer { places.giveBack(holder) }
        let wait = waits.begin(for: reader.scope, filter: reader.filter)
        defer { waits.end(wait) }
        // A session that was deleted between the request and now: its pages were told before this one was among them.
        if let state, reader.scope.sessions.contains(where: { state($0.id) == nil }) { wait.end() }
        let alarm = clock.alarm(in: time)
        var page = try await page(reader, from: start)
        guard page.isEmpty else { return page }
        let timer = Task {
            guard (try? await alarm()) != nil else { return }
            wait.end()
        }
        defer { timer.cancel() }
        var isWaiting = true
        while page.isEmpty, isWaiting {
            isWaiting = await withTaskCancellationHandler {
                await wait.news()
            } onCancel: {
                wait.end()
            }
            page = try await self.page(reader, from: .after(page.position))
        }
        return page
    }

    private func page(_ reader: EventPageReader, from start: FeedStart) async throws -> EventPage {
        try await page(
            reader,
            from: start.position(in: reader.log, for: reader.scope.audiences, filter: reader.filter))
    }

    private func page(_ reader: EventPageReader, from start: StreamStart) async throws -> EventPage {
        let page = try await reader.page(from: start)
        if let reason = page.reset?.reason { loop?.execute { self.count(reason) } }
        return page
    }
}

/// Reads pages of the log: bounded steps, from the ring where it reaches back so far, otherwise from the database.
struct EventPageReader: Sendable {
    let log: any EventLog
    let scope: StreamScope
    let filter: EventFilter
    /// The most events of a page.
    let limit: Int
    /// Events of this time and later ones are not wanted, and the first of them ends the page.
    var end: Timestamp?
    /// What else an event must be like to be on a page.
    var isWanted: @Sendable (LogEvent) -> Bool = { _ in true }

    /// The most bytes of a page's events; a single event may be larger.
    static let byteLimit = ByteBound.eventPage.bytes
    /// The most bytes of events that one page passes over, wanted or not. A client of a narrow filter gets an empty
    /// page after that, and goes on from there.
    static let passLimit = ByteBound.eventPagePass.bytes
    /// The bytes of events that one read asks for.
    private static let step = 256 << 10

    /// The page after a position. Throws when the database fails.
    func page(from start: StreamStart) async throws -> EventPage {
        switch start {
        case .now: return EventPage(at: log.head)
        case .reset(let reason): return reset(reason)
        case .after(let offset): return try await page(after: offset)
        case .beyond(let offset):
            // The database shows a commit a moment before the ring does.
            let end = try await log.replay(scope.audiences, after: offset, limit: Self.step).through
            return end < offset ? reset(.ahead) : try await page(after: offset)
        }
    }

    private func reset(_ reason: ResetReason) -> EventPage {
        EventPage(at: log.head, reset: ResetEvent(reason: reason, snapshot: scope.snapshot))
    }

    private func page(after offset: Int64) async throws -> EventPage {
        var page = EventPage(at: offset)
        var out = EventBuffer(limit: Self.byteLimit)
        var passed = 0
        reading: while true {
            guard let (events, through) = try await step(after: page.position) else {
                // The log was cut. What the page has is whole up to its position; the next page says `reset`.
                if page.count == 0 { return reset(.expired) }
                page.hasMore = true
                break
            }
            for event in events {
                if let end, let at = event.at, at >= end {
                    page.isOver = true
                    break reading
                }
                if filter.contains(event), isWanted(event) {
                    guard page.count < limit, append(event, to: &out) else {
                        page.hasMore = true
                        break reading
                    }
                    page.count += 1
                }
                page.position = event.offset ?? page.position
                passed += event.byteCount
            }
            page.position = max(page.position, through)
            if events.isEmpty { break }
            if passed > Self.passLimit {
                page.hasMore = true
                break
            }
        }
        page.items = out.contents
        return page
    }

    /// The next events and the position up to which the log was read; no events at the log's end. Nil when the
    /// position has expired.
    private func step(after offset: Int64) async throws -> (events: [LogEvent], through: Int64)? {
        if offset < log.floor { return nil }
        if case .events(let events, let through) = log.read(scope.audiences, after: offset, limit: Self.step) {
            return (events, through)
        }
        do {
            let step = try await log.replay(scope.audiences, after: offset, limit: Self.step)
            // Without events for this reader, the ring is asked next: it says whether the log ends there.
            if step.events.isEmpty, step.through > offset { return try await self.step(after: step.through) }
            return step
        } catch is CursorExpired {
            return nil
        }
    }

    /// Writes an event as this reader may see it. False when it did not fit.
    private func append(_ event: LogEvent, to out: inout EventBuffer) -> Bool {
        let view = scope.view(of: event)
        return out.appendEvent(
            id: event.id, type: event.type.rawValue, data: view.data(of: event), concerns: view.concerns, as: .item)
    }
}
