import HTTPRouting
import Logging
import MicroHTTP

/// The access log: one line for each request, without probes. It never contains a token, a text or an id of a resource:
/// the path appears as its route's template.
enum AccessLog {
    /// Logs a finished request at its ``level(of:)``. `dur_ms` is in milliseconds.
    static func write(
        _ summary: RequestSummary, route: @autoclosure () -> Route?, requestID: @autoclosure () -> String,
        to logger: Logger
    ) {
        let level = level(of: summary.status)
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

    /// 5xx is a warning, 4xx info, all others debug. So is 429: a client gets it as fast as it asks, and would fill the log.
    static func level(of status: Int) -> Logger.Level {
        switch status {
        case 500...: .warning
        case 429: .debug
        case 400...: .info
        default: .debug
        }
    }
}
