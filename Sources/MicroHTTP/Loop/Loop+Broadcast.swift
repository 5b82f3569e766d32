/// Writes many streams in one turn: the loop's thread fills them one after the other, several threads send.
extension Loop {
    /// With fewer woken streams the loop sends alone, because handing out work costs a system call.
    static let smallestBroadcast = 32

    /// Fills these streams of the round once each, and sends in batches together with the crew. Returns when the kernel
    /// has the bytes, or the loop keeps them until the socket is writable. A failed connection ends its stream. The
    /// crew's threads are started at the first call.
    func writeTogether(_ places: Range<Int>) {
        let crew = self.crew ?? SendCrew(helpers: configuration.senders - 1, usesRings: configuration.usesRings)
        self.crew = crew
        for place in places {
            let stream = round[place]
            stream.isWoken = false
            guard let progress = fill(stream) else { continue }
            batch.append(stream, progress, scratch.framed(chunked: stream.isChunked))
            if batch.isFull { sendBatch(crew) }
        }
        sendBatch(crew)
    }

    private func sendBatch(_ crew: SendCrew) {
        for entry in batch.carryOut(crew) {
            guard let sent = entry.sent else {
                finish(entry.stream, .peerGone)
                continue
            }
            count(sent, of: entry.stream)
            if sent < entry.range.count {
                let failure = batch.bytes.withUnsafeBytes {
                    keep(UnsafeRawBufferPointer(rebasing: $0[entry.range]), from: sent, of: entry.stream)
                }
                if let failure {
                    finish(entry.stream, failure)
                    continue
                }
            }
            written(entry.stream, entry.progress, any: !entry.range.isEmpty)
        }
        batch.removeAll()
    }
}

/// Bytes of several streams that are sent together.
struct SendBatch {
    /// One stream's part of the batch: the range of its bytes, and what became of them.
    struct Entry {
        let stream: EventStream
        let progress: EventProgress
        let range: Range<Int>
        /// Bytes that the kernel took; nil when the connection has failed.
        var sent: Int?
    }

    private static let byteLimit = 1 << 20

    private(set) var bytes: [UInt8] = []
    private var entries: [Entry] = []
    private var orders: [SendOrder] = []

    /// At the limit of bytes. The batch is then sent, although more streams of the turn are to be filled.
    var isFull: Bool { bytes.count >= Self.byteLimit }

    /// Copies the framed bytes: the scratch buffer is used for the next stream. An empty range is allowed.
    mutating func append(_ stream: EventStream, _ progress: EventProgress, _ filled: UnsafeRawBufferPointer) {
        entries.append(
            Entry(stream: stream, progress: progress, range: bytes.count..<bytes.count + filled.count, sent: 0))
        bytes.append(contentsOf: filled)
    }

    /// Sends everything once. Each entry says how many of its bytes the kernel took.
    mutating func carryOut(_ crew: SendCrew) -> [Entry] {
        bytes.withUnsafeBytes { bytes in
            orders.removeAll(keepingCapacity: true)
            for entry in entries {
                orders.append(
                    SendOrder(
                        descriptor: entry.stream.descriptor, bytes: .init(rebasing: bytes[entry.range])))
            }
            orders.withUnsafeMutableBufferPointer { crew.carryOut($0) }
        }
        for index in entries.indices { entries[index].sent = orders[index].sent }
        return entries
    }

    /// Empties the batch and keeps its memory for the next one.
    mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
        orders.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: true)
    }
}
