import HTTPRouting
import Logging
import MicroHTTP

/// The access log: one line for each request, without probes. It never contains a token, a text or an id of a resource:
/// the path appears as its route's template.
enum AccessLog {
    /// Logs a finished request: 5xx as a warning, 4xx as info, all others as debug. `dur_ms` is in milliseconds.
    static func write(
        _ summary: RequestSummary, route: @autoclosure () -> Route?, requestID: @autoclosure () -> String,
        to logger: Logger
    ) {
        let level: Logger.Level = summary.status >= 500 ? .warning : summary.status >= 400 ? .info : .debug
        guard logger.logLevel <= level else { return }
        let route = route()
        if route?.isProbe == true { return }
        let milliseconds = Int(summary.duration / .milliseconds(1))
        logger.log(
            level: level, "request",
            metadata: [
                "request_id": "\(requestID())",
                "method": "\(summary.request.method)",
                "route": "\(route?.template ?? "none")",
                "status": "\(summary.status)",
                "dur_ms": "\(milliseconds)",
                "bytes": "\(summary.bytes)",
            ])
    }
}
