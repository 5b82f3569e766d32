import ChatStore

/// Where the row of a group stands among all commits.
struct CommitPosition: Equatable {
    /// Counts the groups without a gap.
    var number: Int64
    /// The log's head after the group.
    var place: Int64
}

/// What the table `committed` says of one group; see ``PostgresTables``.
struct CommitRow {
    var position: CommitPosition
    /// The log's head before the group.
    var first: Int64
    var touched: [Int64]
    var scrubbed: [Int64]

    /// The columns that ``init(row:)`` reads.
    static let columns = "number, place, touched, scrubbed, first"

    init(row: any RemoteRow) {
        position = CommitPosition(number: row.integer(0), place: row.integer(1))
        touched = row.withBlob(2) { [Int64](packedNumbers: $0) }
        scrubbed = row.withBlob(3) { [Int64](packedNumbers: $0) }
        first = row.integer(4)
    }

    /// Whether nothing is missing between a commit and this one: it is the next one, or it leaps from there over offsets
    /// that may have been lost, and were not. See ``PostgresWriter/leapOverLostCommits(_:number:place:)``.
    func joins(_ last: CommitPosition) -> Bool {
        position.number == last.number + 1
            || first == last.place && position.number - last.number >= PostgresWriter.leap
    }
}

extension [Int64] {
    /// 8 bytes each, the highest first.
    init(packedNumbers bytes: UnsafeRawBufferPointer) {
        self = stride(from: 0, to: bytes.count - 7, by: 8).map {
            Int64(bigEndian: bytes.loadUnaligned(fromByteOffset: $0, as: Int64.self))
        }
    }

    var packedNumbers: [UInt8] {
        flatMap { number in (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) } }
    }
}
