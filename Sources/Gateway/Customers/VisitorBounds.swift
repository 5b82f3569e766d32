import Bounds
import Chat
import ChatModel
import HTTPRouting
import MicroHTTP
import Synchronization

/// Counts what visitors write, and which streams they have open, within the ``VisitorLimits`` of their channels. All of
/// it is in memory. Any thread may use it.
final class VisitorBounds: Sendable {
    private enum Key: Hashable {
        case messagesAMinute(session: String)
        case messagesAnHour(session: String)
        case messagesFrom(address: String)
        case uploads(session: String)
        case uploadedKibibytes(session: String)
    }

    private struct Try {
        let key: Key
        let rate: Rate
        var count = 1
        let detail: String
    }

    private struct State {
        var written = RateBook<Key>(capacity: 65_536)
        /// Open streams of each session, and from each address.
        var streams: [String: Int] = [:]
        var streamsFrom: [String: Int] = [:]
    }

    private let uptime: @Sendable () -> Int64
    private let state = Mutex(State())

    /// - Parameter uptime: microseconds on a clock that never goes back.
    init(uptime: @escaping @Sendable () -> Int64) { self.uptime = uptime }

    /// Counts a message. Throws `tooManyWrites`.
    ///
    /// - Parameter address: nil where it tells nothing of the customer.
    func takeMessage(of session: String, from address: String?, _ limits: VisitorLimits) throws(Problem) {
        let (minute, hour) = (limits[.messagesPerMinute], limits[.messagesPerHour])
        var tries = [
            Try(
                key: .messagesAMinute(session: session), rate: Rate(burst: minute, perHour: minute * 60),
                detail: "A visitor may write \(minute) messages a minute."),
            Try(
                key: .messagesAnHour(session: session), rate: Rate(burst: hour, perHour: hour),
                detail: "A visitor may write \(hour) messages an hour."),
        ]
        if let address {
            let most = limits[.addressMessagesPerMinute]
            tries.append(
                Try(
                    key: .messagesFrom(address: address), rate: Rate(burst: most, perHour: most * 60),
                    detail: "The visitors at one address may write \(most) messages a minute."))
        }
        try countAll(tries)
    }

    /// Counts an upload before it begins. Throws `tooManyWrites`.
    ///
    /// - Parameter bytes: what its head says; nil where that says nothing, which counts as the largest file.
    func takeUpload(of session: String, bytes: Int64?, largest: Int64, _ limits: VisitorLimits) throws(Problem) {
        let (uploads, day) = (limits[.uploadsPerHour], limits[.uploadBytesPerDay])
        let most = max(24, day >> 10)
        let size = min(max(0, bytes ?? largest), Int64(day) + 1024)
        try countAll([
            Try(
                key: .uploads(session: session), rate: Rate(burst: uploads, perHour: uploads),
                detail: "A visitor may upload \(uploads) files an hour."),
            Try(
                key: .uploadedKibibytes(session: session), rate: Rate(burst: most, perHour: most / 24),
                count: Int((size + 1023) >> 10), detail: "A visitor may upload \(day) bytes a day."),
        ])
    }

    /// Counts all, or none.
    private func countAll(_ tries: [Try]) throws(Problem) {
        let now = uptime()
        let refused = state.withLock { state -> (wait: Int64, detail: String)? in
            for one in tries {
                if let wait = state.written.wait(of: one.key, at: now, one.rate, count: one.count) {
                    return (wait, one.detail)
                }
            }
            for one in tries { _ = state.written.countTry(one.key, at: now, one.rate, count: one.count) }
            return nil
        }
        guard let refused else { return }
        throw Problem(.tooManyWrites, refused.detail, retryAfter: Int((refused.wait + 999_999) / 1_000_000))
    }

    /// Takes the place of a stream, which is free again when the place is gone. Throws `tooManyStreams`.
    func openStream(of session: String, from address: String?, _ limits: VisitorLimits) throws(Problem) -> StreamPlace {
        let detail = state.withLock { state -> String? in
            let (own, shared) = (state.streams[session] ?? 0, address.flatMap { state.streamsFrom[$0] } ?? 0)
            if own >= limits[.streams] { return "A visitor may have \(limits[.streams]) streams open." }
            if shared >= limits[.addressStreams] {
                return "The visitors at one address may have \(limits[.addressStreams]) streams open."
            }
            state.streams[session] = own + 1
            if let address { state.streamsFrom[address] = shared + 1 }
            return nil
        }
        if let detail { throw Problem(.tooManyStreams, detail, retryAfter: 5) }
        return StreamPlace { [weak self] in self?.closeStream(of: session, from: address) }
    }

    private func closeStream(of session: String, from address: String?) {
        func oneLess(_ counts: inout [String: Int], _ key: String) {
            let count = (counts[key] ?? 1) - 1
            counts[key] = count > 0 ? count : nil
        }
        state.withLock { state in
            oneLess(&state.streams, session)
            if let address { oneLess(&state.streamsFrom, address) }
        }
    }
}

/// The place of an open stream. It is given back when nobody holds it any more.
final class StreamPlace: Sendable {
    private let giveBack: @Sendable () -> Void

    init(_ giveBack: @escaping @Sendable () -> Void) { self.giveBack = giveBack }

    deinit { giveBack() }
}

/// A stream that holds a place as long as it is open.
///
/// `@unchecked Sendable`: the server uses a source on its loop's thread only.
final class PlacedStream: EventSource, @unchecked Sendable {
    private let source: any EventSource
    private var place: StreamPlace?

    init(_ source: any EventSource, at place: StreamPlace) { (self.source, self.place) = (source, place) }

    func opened(_ stream: EventStream) { source.opened(stream) }
    func fill(_ out: inout EventBuffer) -> EventProgress { source.fill(&out) }
    func blocked() { source.blocked() }
    func heartbeat(_ out: inout EventBuffer) { source.heartbeat(&out) }
    func draining(_ out: inout EventBuffer) { source.draining(&out) }

    func closed(_ reason: StreamEnd) {
        place = nil
        source.closed(reason)
    }
}
