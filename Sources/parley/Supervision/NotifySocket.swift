import Foundation
import MicroHTTP

/// The socket on which a service manager hears of its service (sd_notify(3)): datagrams of lines `NAME=value`.
struct NotifySocket: Sendable {
    /// Open as long as the process lives.
    private let descriptor: Int32
    /// A `sockaddr_un`, as long as its name.
    private let address: [UInt8]

    /// Sends to the socket of this path; one that begins with `@` is in the abstract namespace. Throws
    /// ``SettingsError`` for any other name.
    init(_ path: String) throws(SettingsError) {
        var name = Array(path.utf8)
        var room = sockaddr_un()
        room.sun_family = sa_family_t(AF_UNIX)
        guard name.count > 1, name.count < MemoryLayout.size(ofValue: room.sun_path),
            name[0] == UInt8(ascii: "/") || name[0] == UInt8(ascii: "@")
        else { throw SettingsError("NOTIFY_SOCKET must be an absolute path or begin with @, not \(path.shownSafely).") }
        if name[0] == UInt8(ascii: "@") { name[0] = 0 }
        withUnsafeMutableBytes(of: &room.sun_path) { $0.copyBytes(from: name) }
        let start = MemoryLayout<sockaddr_un>.offset(of: \.sun_path)!
        address = withUnsafeBytes(of: &room) { Array($0[..<(start + name.count)]) }
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw SettingsError("No socket can be made: \(String.system(errno)).") }
        // A manager that hangs must not hold up the gateway.
        var limit = timeval(tv_sec: 1, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    /// Sends these lines as one datagram. Waits for a manager that is busy, 1 s at most. Returns whether it was sent.
    @discardableResult
    func tell(_ lines: String...) -> Bool { send(lines.joined(separator: "\n"), flags: 0) }

    /// Says that the gateway lives. Does not wait, so that the loop may call it: the next time comes soon.
    func tellAlive() { send("WATCHDOG=1", flags: Int32(MSG_DONTWAIT)) }

    @discardableResult
    private func send(_ text: String, flags: Int32) -> Bool {
        let bytes = Array(text.utf8)
        return address.withUnsafeBytes { name in
            sendto(
                descriptor, bytes, bytes.count, flags | Int32(MSG_NOSIGNAL),
                name.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t(name.count)) == bytes.count
        }
    }
}
