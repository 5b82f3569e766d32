import Logging
import Synchronization

/// How much each line of the log tells (the SDK's `LogManager.Verbosity`).
public enum LogVerbosity: String, Sendable, CaseIterable {
    case simple, medium, full
}

/// The process's log, as `/v1/log` reads and changes it at run time (the SDK's `configureLogger(level:verbosity:)`).
public protocol LogControl: Sendable {
    var level: Logger.Level { get }
    var verbosity: LogVerbosity { get }
    /// Nil leaves it as it is.
    func set(level: Logger.Level?, verbosity: LogVerbosity?)
}

/// A log control that only remembers; for gateways whose log nobody changes.
public final class FixedLogControl: LogControl {
    private let state: Mutex<(level: Logger.Level, verbosity: LogVerbosity)>

    public init(level: Logger.Level = .info, verbosity: LogVerbosity = .simple) { state = Mutex((level, verbosity)) }

    public var level: Logger.Level { state.withLock { $0.level } }
    public var verbosity: LogVerbosity { state.withLock { $0.verbosity } }

    public func set(level: Logger.Level?, verbosity: LogVerbosity?) {
        state.withLock { state in
            state.level = level ?? state.level
            state.verbosity = verbosity ?? state.verbosity
        }
    }
}
