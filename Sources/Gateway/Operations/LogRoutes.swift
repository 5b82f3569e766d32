import ChatModel
import HTTPRouting
import Logging
import MicroHTTP
import Synchronization

/// `/v1/log`: reads and changes the process's log at run time, with the gateway's token only.
struct LogRoutes: RouteGroup {
    var routes: [Route] {
        [
            Route(.get, "/v1/log", "getLog", access: .scope(.inspectRead), handler: .now { call in Self.state(call) }),
            Route(
                .put, "/v1/log", "setLog", access: .scope(.inspectWrite), body: .json,
                handler: .aside { call in
                    let body: LogBody = try call.body()
                    call.core.logControl.set(level: body.level, verbosity: body.verbosity)
                    return Self.state(call)
                }
            ).audited(as: "log.changed"),
        ]
    }

    /// The present values, which are also the answer to a change.
    private static func state(_ call: Call) -> HTTPResponse {
        let control = call.core.logControl
        return call.json { json in
            json.beginObject()
            json.member("level", control.level.rawValue)
            json.member("verbosity", control.verbosity.rawValue)
            json.endObject()
        }
    }
}

/// `{"level"?,"verbosity"?}`: what is left out stays as it is.
struct LogBody: RequestBody {
    let level: Logger.Level?
    let verbosity: LogVerbosity?

    init(reading object: inout ObjectReader) {
        level = object.optionalChoice("level", of: Logger.Level.allCases)
        verbosity = object.optionalChoice("verbosity", of: LogVerbosity.allCases)
    }
}

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
