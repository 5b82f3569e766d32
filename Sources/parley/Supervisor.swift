import Foundation
import MicroHTTP

/// The service manager that has started this process, systemd for example: what it hands over, and what it wants to be
/// told (sd_notify(3), sd_listen_fds(3)). A process that somebody has started by hand has neither.
struct Supervisor: Sendable {
    /// Where the manager hears of the gateway; nil when it does not want to.
    var notices: NotifySocket?
    /// How often it must hear that the gateway lives: half of the time after which it gives it up. Nil for never.
    var watchdogInterval: Duration?
    /// Sockets that listen already.
    var sockets: [ActivatedSocket] = []

    /// The variables by which a manager speaks.
    private static let variables = [
        "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES",
    ]

    /// The manager of this process. The first access removes its variables, which are meant for this process alone, so
    /// it must come before there is a second thread.
    static let own: Result<Supervisor, SettingsError> = {
        let environment = ProcessInfo.processInfo.environment
        for name in variables { unsetenv(name) }
        do throws(SettingsError) {
            return .success(try Supervisor(environment, pid: getpid()))
        } catch {
            return .failure(error)
        }
    }()

    /// Nobody: what somebody has started by hand.
    init() {}

    /// Throws ``SettingsError`` for variables that cannot be understood. Variables that name another process are
    /// ignored: they were meant for a parent of this process, which did not remove them.
    init(_ environment: [String: String], pid: Int32) throws(SettingsError) {
        func isOurs(_ name: String, unlessMissing: Bool) -> Bool {
            environment[name].map { $0 == String(pid) } ?? !unlessMissing
        }
        if let path = environment["NOTIFY_SOCKET"], !path.isEmpty { notices = try NotifySocket(path) }
        if let text = environment["WATCHDOG_USEC"], isOurs("WATCHDOG_PID", unlessMissing: false) {
            guard let time = Int64(text), time > 0 else {
                throw SettingsError("WATCHDOG_USEC must be a number of microseconds, not \(text.shownSafely).")
            }
            watchdogInterval = .microseconds(time / 2)
        }
        if let count = environment["LISTEN_FDS"], isOurs("LISTEN_PID", unlessMissing: true) {
            sockets = try ActivatedSocket.all(count: count, names: environment["LISTEN_FDNAMES"])
        }
    }
}

/// A socket on which the service manager has listened before the gateway was there (sd_listen_fds(3)). It goes on
/// listening when the gateway has ended, so that no client is refused while the gateway is started anew.
struct ActivatedSocket: Sendable {
    var descriptor: Int32
    /// What the manager calls it: by default the name of the socket's unit.
    var name: String
    /// Where it listens.
    var address: BoundAddress

    /// The manager's sockets have these descriptors, from the first one on.
    private static let first: Int32 = 3

    /// The sockets that the manager's variables tell of. Throws ``SettingsError`` if one of them is no stream socket
    /// that listens.
    ///
    /// - Parameters:
    ///   - count: how many, in decimal.
    ///   - names: separated by colons; missing ones are empty.
    static func all(count: String, names: String?) throws(SettingsError) -> [ActivatedSocket] {
        guard let number = Int32(count), (0...1024).contains(number) else {
            throw SettingsError("LISTEN_FDS must be a number of sockets, not \(count.shownSafely).")
        }
        let names = names?.split(separator: ":", omittingEmptySubsequences: false).map(String.init) ?? []
        var sockets: [ActivatedSocket] = []
        for index in 0..<Int(number) {
            let (descriptor, name) = (first + Int32(index), index < names.count ? names[index] : "")
            guard let address = Listener(listening: descriptor) else {
                throw SettingsError(
                    "The descriptor \(descriptor) (\(name.shownSafely)) that the service manager gives is no stream "
                        + "socket that listens: in a socket unit, use ListenStream= and Accept=no.")
            }
            sockets.append(ActivatedSocket(descriptor: descriptor, name: name, address: address))
        }
        return sockets
    }
}

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
    func notify(_ lines: String...) -> Bool { send(lines.joined(separator: "\n"), flags: 0) }

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

/// Standard input, output and error of the process, which whoever starts it may have closed.
enum StandardStreams {
    /// Opens `/dev/null` in place of each that is closed. To be called before anything else is opened: the next file or
    /// socket would get its number, and what is meant for standard error would be written there.
    static func fill() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
            // The lowest free number is this one, because those below are open by now.
            _ = open("/dev/null", O_RDWR)
        }
    }

    /// Writes to standard error. What cannot be written, because nobody reads it or the disk is full, is lost.
    static func writeError(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}
