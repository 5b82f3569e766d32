import Bounds
import ChatModel
import ChatStore
import Formats
import HTTPRouting
import MicroHTTP

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
