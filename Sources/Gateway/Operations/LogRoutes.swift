import ChatModel
import HTTPRouting
import Logging
import MicroHTTP

/// `/v1/log`: reads and changes the process's log at run time, with the gateway's token only.
struct LogRoutes: RouteGroup {
    var routes: [Route] {
        [
            Route(.get, "/v1/log", "getLog", access: .gateway, handler: .now { call in Self.state(call) }),
            Route(
                .put, "/v1/log", "setLog", access: .gateway, body: .json,
                handler: .aside { call in
                    let body: LogBody = try call.body()
                    call.core.logControl.set(level: body.level, verbosity: body.verbosity)
                    return Self.state(call)
                }),
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
