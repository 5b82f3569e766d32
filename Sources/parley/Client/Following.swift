import Foundation

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
            output.note("following from \(cursor ?? "now")")
        }
        return event
    }

    /// Waits as long as the gateway has asked for, so that all its readers do not come back at once.
    private func broken() {
        if let reader { retry = .milliseconds(reader.parser.retry) }
        if isTold { output.note("the stream broke, and goes on when the gateway is back") }
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
