import Bounds
import Synchronization

/// Asks for less where an answer is too large to be read; by subject, such as a channel. May be used from any task.
final class AnswerSizes: Sendable {
    private let most: Int
    private let dropsMembers: Bool
    /// Of the subjects that had an answer that was too large.
    private let sizes = Mutex(RecentlyUsed<String, AnswerSize>(limit: 1000))

    /// - Parameters:
    ///   - most: the items of an answer.
    ///   - dropsMembers: whether the items are channels, whose members may be left out.
    init(most: Int, dropsMembers: Bool) { (self.most, self.dropsMembers) = (most, dropsMembers) }

    /// Makes a call, with less and less until its answer can be read.
    ///
    /// - Parameter atMost: items, if not all.
    func ask<Answer>(
        of subject: String = "", atMost limit: Int = .max,
        _ call: (AnswerSize.Asked) async throws(SendbirdFailure) -> Answer
    ) async throws(SendbirdFailure) -> Answer {
        while true {
            var asked = sizes.withLock { $0[subject]?.asked } ?? AnswerSize.Asked(items: most)
            asked.items = min(asked.items, limit)
            do throws(SendbirdFailure) {
                let answer = try await call(asked)
                change(subject) { $0.couldBeRead(asked) }
                return answer
            } catch {
                guard error.asksForFewer, change(subject, { $0.wasTooLarge(asked) }) else { throw error }
            }
        }
    }

    @discardableResult
    private func change<Result>(_ subject: String, _ body: (inout AnswerSize) -> Result) -> Result {
        sizes.withLock { sizes in
            let full = AnswerSize(most: most, dropsMembers: dropsMembers)
            var size = sizes[subject] ?? full
            defer { if size != full { sizes[subject] = size } }
            return body(&size)
        }
    }
}

/// What was found out about the answers of an application.
struct PlatformSizes: Sendable {
    /// By thread.
    let messages = AnswerSizes(most: HistoryPages.limit, dropsMembers: false)
    /// Of single channels, whose members may be left out.
    let channels = AnswerSizes(most: 1, dropsMembers: true)
    let future = FutureTimes()
}
