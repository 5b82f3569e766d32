import ChatStore

/// The bytes that were last encoded for a stream. Other streams at the same place with the same wishes copy them, so a
/// broadcast is read and encoded once. One entry; for the loop's thread only.
struct SharedFrames {
    /// Everything on which the encoded bytes depend.
    struct Key: Equatable {
        let kind: StreamScope.Kind
        let framing: EventFraming
        let filter: TypeFilter
        let cursor: Int64
        /// The log's end. When it moves, the bytes may be incomplete, or contain what was removed since.
        let head: Int64
        let audiences: [Audience]
    }

    private var key: Key?
    private var bytes: [UInt8] = []
    private var through: Int64 = 0

    /// The bytes for exactly this key, and the position up to which they reach.
    func find(_ wanted: Key) -> (bytes: [UInt8], through: Int64)? { key == wanted ? (bytes, through) : nil }

    /// Replaces the entry.
    mutating func keep(_ bytes: [UInt8], through: Int64, for key: Key) {
        self.key = key
        self.bytes = bytes
        self.through = through
    }
}
