import Synchronization

/// What is read of an answer whose body only its beginning matters of.
final class AnswerStart: Sendable {
    /// As much was read as was to be.
    struct Enough: Error {}

    private let state = Mutex<(answer: HTTPAnswer?, count: Int)>((nil, 0))
    private let limit: Int
    private let kept: Int

    init(limit: Int, kept: Int) {
        self.limit = limit
        self.kept = kept
    }

    /// Nil before the answer has begun.
    var answer: HTTPAnswer? { state.withLock { $0.answer } }

    func begin(_ answer: HTTPAnswer) { state.withLock { $0.answer = answer } }

    /// Throws ``Enough`` with the piece that goes beyond the limit.
    func take(_ piece: [UInt8]) throws {
        let isEnough = state.withLock { state in
            let room = max(0, kept - (state.answer?.body.count ?? 0))
            state.answer?.body.append(contentsOf: piece.prefix(room))
            state.count += piece.count
            return state.count > limit
        }
        if isEnough { throw Enough() }
    }
}
