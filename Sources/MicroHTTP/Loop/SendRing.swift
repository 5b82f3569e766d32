import CUring
import Glibc

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
