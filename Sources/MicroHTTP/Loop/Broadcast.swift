import CMicroHTTPD
import CUring
import Glibc
import Synchronization

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
                    keepUnsent(UnsafeRawBufferPointer(rebasing: $0[entry.range]), from: sent, of: entry.stream)
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

/// Bytes for one socket, and how many of them the kernel took. The bytes must stay valid until the batch is done.
struct SendOrder {
    let descriptor: Int32
    let bytes: UnsafeRawBufferPointer
    /// Bytes taken, 0 when the socket is full; nil when the connection has failed.
    var sent: Int? = 0

    mutating func carryOut() {
        if bytes.isEmpty { return }
        let count = Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        finish(count, errno: errno)
    }

    /// Takes the result of a send; `errno` counts when it is negative.
    mutating func finish(_ count: Int, errno: Int32) {
        switch errno {
        case _ where count >= 0: sent = count
        case EINTR: carryOut()
        case EAGAIN, ENOBUFS, ENOMEM: sent = 0
        default: sent = nil
        }
    }
}

/// Threads that help the loop's thread to send, because a broadcast spends nearly all its time in the kernel.
///
/// The loop hands out a batch, works on it too, and goes on when the whole batch is done. So only the batch is shared.
/// When a helper gets no processor, the loop takes its orders instead of waiting for it.
///
/// `@unchecked Sendable`: `orders` is written before `place` publishes it, and not changed again before `done` has
/// counted the whole batch.
final class SendCrew: @unchecked Sendable {
    /// How many orders a thread takes at a time.
    private static let portion = SendRing.capacity

    private let helpers: Int
    private let usesRings: Bool
    /// The caller's own.
    private var ring: SendRing?
    private let wanted = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
    private var orders = UnsafeMutableBufferPointer<SendOrder>(start: nil, count: 0)
    /// The size of the batch in the upper 32 bits, the next order to be taken in the lower ones. Both are in one word,
    /// so that a late helper cannot combine the size of one batch with the position in another.
    private let place = Atomic<UInt64>(0)
    private let done = Atomic<Int>(0)
    private let isStopping = Atomic<Bool>(false)

    /// - Parameters:
    ///   - helpers: threads besides the caller's; fewer when the system gives no more.
    ///   - usesRings: whether each thread sends by io_uring if the kernel permits it.
    init(helpers: Int, usesRings: Bool) {
        sem_init(wanted, 0, 0)
        self.helpers = helpers
        self.usesRings = usesRings
        ring = usesRings ? SendRing() : nil
        for _ in 0..<helpers {
            var thread = pthread_t()
            let crew = Unmanaged.passRetained(self)
            let code = pthread_create(
                &thread, nil,
                { context in
                    pthread_setname_np(pthread_self(), "http-send")
                    Unmanaged<SendCrew>.fromOpaque(context!).takeRetainedValue().help()
                    return nil
                }, crew.toOpaque())
            if code == 0 { pthread_detach(thread) } else { crew.release() }
        }
    }

    deinit {
        sem_destroy(wanted)
        wanted.deallocate()
    }

    /// Carries out all orders, and returns when that is done. On the loop's thread only.
    func carryOut(_ orders: UnsafeMutableBufferPointer<SendOrder>) {
        self.orders = orders
        done.store(0, ordering: .relaxed)
        place.store(UInt64(orders.count) << 32, ordering: .releasing)
        for _ in 0..<min(helpers, orders.count / Self.portion) { sem_post(wanted) }
        work(&ring)
        while done.load(ordering: .acquiring) < orders.count { sched_yield() }
    }

    /// Ends the helpers' threads. They end on their own; this does not wait for them.
    func stop() {
        isStopping.store(true, ordering: .releasing)
        for _ in 0..<helpers { sem_post(wanted) }
    }

    private func help() {
        var ring = usesRings ? SendRing() : nil
        while true {
            while sem_wait(wanted) != 0 {}
            if isStopping.load(ordering: .acquiring) { return }
            work(&ring)
        }
    }

    private func work(_ ring: inout SendRing?) {
        while true {
            let taken = place.add(UInt64(Self.portion), ordering: .acquiringAndReleasing).oldValue
            let (count, start) = (Int(taken >> 32), Int(taken & 0xffff_ffff))
            if start >= count { return }
            let end = min(start + Self.portion, count)
            if ring == nil {
                for index in start..<end { orders[index].carryOut() }
            } else {
                ring!.carryOut(UnsafeMutableBufferPointer(rebasing: orders[start..<end]))
            }
            done.add(end - start, ordering: .releasing)
        }
    }
}

/// Sends to many sockets by one system call (io_uring). That takes about a fifth less of the processor than a call for
/// each. For one thread at a time.
struct SendRing: ~Copyable {
    /// Sends by one call.
    static let capacity = 32

    private var ring = curing()
    private var results = [Int32](repeating: 0, count: capacity)
    private(set) var isUsable = true

    /// Nil when the kernel has no io_uring, or does not permit it.
    init?() {
        guard curing_open(&ring, UInt32(Self.capacity)) else { return nil }
    }

    deinit {
        var ring = ring
        curing_close(&ring)
    }

    /// Carries out the orders in their sequence, each as ``SendOrder/carryOut()`` would.
    mutating func carryOut(_ orders: UnsafeMutableBufferPointer<SendOrder>) {
        var start = 0
        while start < orders.count {
            let end = min(start + Self.capacity, orders.count)
            if isUsable { submit(orders, start..<end) } else { for index in start..<end { orders[index].carryOut() } }
            start = end
        }
    }

    private mutating func submit(_ orders: UnsafeMutableBufferPointer<SendOrder>, _ range: Range<Int>) {
        for index in range {
            let order = orders[index]
            results[index - range.lowerBound] = .min
            curing_send(
                &ring, UInt32(index - range.lowerBound), order.descriptor, order.bytes.baseAddress,
                UInt32(clamping: order.bytes.count))
        }
        let done = results.withUnsafeMutableBufferPointer {
            curing_submit(&ring, UInt32(range.count), $0.baseAddress!)
        }
        isUsable = Int(done) == range.count
        for index in range {
            let result = results[index - range.lowerBound]
            if result == .min { orders[index].carryOut() } else { orders[index].finish(Int(result), errno: -result) }
        }
    }
}
