import HTTPRouting
import Logging
import MicroHTTP

/// One line for each request. Never a token, never a text; probes are left out.
enum AccessLog {
    static func write(_ summary: RequestSummary, route: Route?, requestID: @autoclosure () -> String, to logger: Logger) {
        let level: Logger.Level = summary.status >= 500 ? .warning : summary.status >= 400 ? .info : .debug
        guard logger.logLevel <= level else { return }
        if route?.isProbe == true { return }
        let milliseconds = Int(summary.duration / .milliseconds(1))
        logger.log(level: level, "request", metadata: [
            "request_id": "\(requestID())",
            "method": "\(summary.request.method)",
            "route": "\(route?.template ?? "none")",
            "status": "\(summary.status)",
            "dur_ms": "\(milliseconds)",
            "bytes": "\(summary.bytes)",
        ])
    }
}
