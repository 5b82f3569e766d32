import Glibc
import HTTPClientPort

/// An address where connections neither succeed nor fail: its queue is full, and nobody accepts.
struct SilentListener {
    struct Failed: Error {}

    private let listener: Int32
    private let waiting: [Int32]

    init(host: String, port: Int) throws {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        inet_pton(AF_INET, host, &address.sin_addr)
        func with(_ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
            withUnsafePointer(to: address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    call($0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        }
        let type = Int32(SOCK_STREAM.rawValue)
        let listener = socket(AF_INET, type, 0)
        self.listener = listener
        guard with({ bind(listener, $0, $1) }) == 0, listen(listener, 0) == 0 else { throw Failed() }
        // A queue of 0 takes one or two.
        waiting = (0..<4).map { _ in
            let client = socket(AF_INET, type | Int32(SOCK_NONBLOCK.rawValue), 0)
            _ = with { connect(client, $0, $1) }
            return client
        }
    }

    func close() { for descriptor in waiting + [listener] { Glibc.close(descriptor) } }
}
