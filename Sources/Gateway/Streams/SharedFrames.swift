import ChatStore

/// What was last framed for a stream, kept for the others that stand at the same place and want the same: a broadcast is
/// read and framed once, and copied to each.
struct SharedFrames {
    struct Key: Equatable {
        let kind: StreamScope.Kind
        let filter: TypeFilter
        let cursor: Int64
        /// The log's end: when it grows, what was framed may be too little, or may have been removed.
        let head: Int64
        let audiences: [Audience]
    }

    private var key: Key?
    private var bytes: [UInt8] = []
    private var through: Int64 = 0

    func find(_ wanted: Key) -> (bytes: [UInt8], through: Int64)? { key == wanted ? (bytes, through) : nil }

    mutating func keep(_ bytes: [UInt8], through: Int64, for key: Key) {
        self.key = key
        self.bytes = bytes
        self.through = through
    }
}
