import Foundation

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
