import TestSupport

/// One step of a random history. Its numbers choose among what is there when it comes, so that any part of a history is
/// one.
struct HistoryOperation: Sendable, CustomStringConvertible {
    enum Kind: String, CaseIterable, Sendable {
        case send, answer, reply, replyAside, edit, remove, markRead, deskRead, rename, archive, createThread
        case hide, resetHistory, strangerWrites, deskClose
        case fetch, fetchBoth, fetchWhileSending, viewpoint, renew, settle, clear
    }

    var kind: Kind
    var first: Int
    var second: Int
    var milliseconds: Int64

    var description: String { "\(kind) \(first) \(second) +\(milliseconds)" }

    static func history(seed: UInt64, length: Int) -> [HistoryOperation] {
        var generator = SeededGenerator(seed: seed)
        let weights: [(Kind, Int)] = [
            (.send, 14), (.answer, 12), (.reply, 6), (.replyAside, 5), (.edit, 7), (.remove, 9), (.markRead, 3),
            (.deskRead, 2),
            (.rename, 4), (.archive, 1), (.strangerWrites, 6), (.deskClose, 1), (.hide, 2), (.resetHistory, 1),
            (.createThread, 4), (.fetch, 16), (.fetchBoth, 5), (.fetchWhileSending, 6), (.viewpoint, 3),
            (.renew, 2), (.settle, 2), (.clear, 1),
        ]
        let bag = weights.flatMap { Array(repeating: $0.0, count: $0.1) }
        return (0..<length).map { _ in
            HistoryOperation(
                kind: bag.randomElement(using: &generator) ?? .send, first: Int.random(in: 0..<1000, using: &generator),
                second: Int.random(in: 0..<1000, using: &generator),
                // The clock stands still at times, and is set back at times.
                milliseconds: [0, 0, 1, 5, 1000, -500].randomElement(using: &generator) ?? 0)
        }
    }
}
