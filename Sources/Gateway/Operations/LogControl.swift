import Logging
import Synchronization

/// How much each line of the log contains; named after the SDK's `LogManager.Verbosity`.
public enum LogVerbosity: String, Sendable, CaseIterable {
    /// From the shortest lines to the longest.
    case simple, medium, full
}

/// The level and verbosity of the process's log, which `/v1/log` can change at run time (the SDK's
/// `configureLogger(level:verbosity:)`). Any thread may use it.
public protocol LogControl: Sendable {
    /// Lines below this level are dropped.
    var level: Logger.Level { get }
    var verbosity: LogVerbosity { get }
    /// Changes both at once; nil leaves a value as it is. It lasts until the process ends.
    func set(level: Logger.Level?, verbosity: LogVerbosity?)
}

/// A log control that only remembers its values and changes no log: for tests, and where nothing else is given.
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
