import Chat
import ChatModel
import ChatStore
import Formats

/// How customers say whether they were served well.
extension LocalConnection {
    /// Days after the end of a contact in which it can be rated, and hours in which a rating can be changed.
    private static let (ratingDays, changeHours): (Int64, Int64) = (7, 24)

    /// Rates the contact that has ended, or withdraws the rating.
    func rate(_ thread: String, _ score: Int?, comment: String?) async throws(ChatError) -> Outcome {
        try await joinedUnit(thread) { transaction, record in
            guard let form = try currentChannel(transaction).rating else {
                throw ChatError(.unsupportedChannelConfig, "The channel asks for no rating.")
            }
            if let score, !form.takes(score) {
                throw ChatError(.invalidParameter, "The channel takes the scores 1 and 5.", pointer: "/score")
            }
            let (now, known) = (transaction.now, record.thread.rating)
            guard record.thread.state == .closed, let end = record.thread.contactClosedAt,
                now < end.advanced(byMilliseconds: Self.ratingDays * 86_400_000)
            else {
                throw ChatError(
                    .illegalThreadState,
                    "A conversation is rated when it has ended, for \(Self.ratingDays) days.")
            }
            if let known, now >= known.at.advanced(byMilliseconds: Self.changeHours * 3_600_000) {
                throw ChatError(
                    .illegalThreadState, "A rating can be changed for \(Self.changeHours) hours.")
            }
            let rating = score.map { Rating(score: $0, comment: comment, at: known?.at ?? now) }
            if rating != known {
                record.thread.rating = rating
                try transaction.noteRating(rating, of: record)
                try save(&record, in: transaction)
            }
            return Outcome(.ok, id: thread, body: record.json(for: account), version: record.version)
        }
    }
}
