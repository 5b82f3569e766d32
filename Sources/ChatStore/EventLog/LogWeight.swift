import DequeModule

/// How many bytes the events of the log have, and which must go so that they have no more than they may.
///
/// It is learnt from the oldest event on, a piece at a time, so that no start waits for it. Until all is known, it is
/// less than the log has.
struct LogWeight {
    /// Events that follow one another.
    struct Piece: Equatable {
        var count: Int64
        /// The offset of the last one.
        var last: Int64
        var byteCount: Int64
    }

    /// The most events of a piece: as many go at once.
    static let pieceCount: Int64 = 1000

    /// Pieces that are complete.
    private var pieces: Deque<Piece> = []
    private var byteCount: Int64 = 0
    /// The newest events, which are no complete piece yet.
    private var rest: Piece?

    /// After which offset to measure next.
    var measured: Int64 { pieces.last?.last ?? 0 }

    /// Takes the piece after ``measured``. Returns whether another one may follow.
    mutating func add(_ piece: Piece) -> Bool {
        guard piece.count == Self.pieceCount else {
            rest = piece
            return false
        }
        rest = nil
        pieces.append(piece)
        byteCount += piece.byteCount
        return true
    }

    /// Events up to this offset are gone.
    mutating func forget(through offset: Int64) {
        while let first = pieces.first, first.last <= offset { byteCount -= pieces.removeFirst().byteCount }
    }

    /// The last of the oldest events that must go; nil when there is room for all. The newest ones stay in any case.
    func surplus(beyond limit: Int64) -> Int64? {
        var left = byteCount + (rest?.byteCount ?? 0)
        var last: Int64?
        for piece in pieces {
            guard left > limit else { break }
            left -= piece.byteCount
            last = piece.last
        }
        return last
    }
}

extension Session {
    /// The next piece of the log after an offset.
    func logPiece(after offset: Int64) throws -> LogWeight.Piece {
        let found = try first(
            """
            SELECT count(*), coalesce(max(place), 0), coalesce(sum(length(data)), 0)
            FROM (SELECT place, data FROM log WHERE place > ? ORDER BY place LIMIT ?) AS piece
            """, [.integer(offset), .integer(LogWeight.pieceCount)]
        ) { LogWeight.Piece(count: $0.integer(0), last: $0.integer(1), byteCount: $0.integer(2)) }
        return found ?? LogWeight.Piece(count: 0, last: offset, byteCount: 0)
    }
}
