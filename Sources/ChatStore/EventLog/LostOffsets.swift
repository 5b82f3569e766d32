import ChatModel
import Formats

/// Offsets that were given out, and whose events the database has not: a backup was restored, or a PostgreSQL server was
/// promoted that lacks the last commits.
///
/// They are never used again: messages and events with them may be on screens, and webhooks may have had them. The head
/// goes on far beyond them. A cursor among them has expired; see ``ReadTransaction/isExpired(_:)``.
package struct LostOffsets: Equatable, Sendable {
    /// How far the head goes on beyond all offsets that may have been given out: further than a database can fall behind.
    package static let leap: Int64 = 1 << 32

    /// The offset of the last event that the database has.
    package let low: Int64
    /// The log's head from now on. What is above `low` and below it is void.
    package let high: Int64

    /// - Parameters:
    ///   - head: of the database.
    ///   - known: the last offset of which it is known that it was given out; at or below the head if there is none.
    ///   - time: given where the same backup may come back once more, and nothing tells how far the head went on since.
    ///     A head of a later time is beyond that of an earlier one: it has 2^20 offsets for each second since 1970.
    package init(after head: Int64, known: Int64, at time: Timestamp? = nil) {
        low = head
        high = max(max(head, known) + Self.leap, time.map { max(0, $0.milliseconds / 1000) << 20 } ?? 0)
    }

    /// The statements that note the range, in the transaction that moves the head.
    ///
    /// - Parameter tellsWebhooks: a webhook's position went back with the database, so the webhook may have got events
    ///   that are void. It is told of the range.
    package func statements(at time: Timestamp, tellsWebhooks: Bool) -> [(sql: String, values: [SQLValue])] {
        let range = [SQLValue.integer(low), .integer(high), .integer(time.milliseconds)]
        let noting = (sql: "INSERT INTO lost (low, high, at) VALUES (?, ?, ?)", values: range)
        let telling = (
            sql: """
            UPDATE target SET gapFrom = CASE WHEN gapFrom < ? THEN gapFrom ELSE ? END, gapTo = ? WHERE kind = 'webhook'
            """, values: [SQLValue.integer(low), .integer(low), .integer(high)]
        )
        return tellsWebhooks ? [noting, telling] : [noting]
    }
}

extension Session {
    /// All ranges that are void, in their order.
    func lostOffsets() throws -> [(low: Int64, high: Int64)] {
        try all("SELECT low, high FROM lost ORDER BY high") { (low: $0.integer(0), high: $0.integer(1)) }
    }
}
