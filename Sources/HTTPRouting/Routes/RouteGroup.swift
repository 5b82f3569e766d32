import Formats
import MicroHTTP

/// A set of related routes, with what they add to `/`, `/v1/info` and `/metrics`. The defaults add nothing.
package protocol RouteGroup<Context>: Sendable {
    associatedtype Context: CallContext

    /// The group's routes. Read once, when the route table is built.
    var routes: [Route<Context>] { get }

    /// Answers a request to `/` that asks for another protocol (`Upgrade`); nil to let the page be served.
    func upgrade(_ request: HTTPRequest) -> HTTPResponse?

    /// Writes further members into the object of `/v1/info`, which is open. Called where a
    /// route that reads is answered (``Route/Handler/reading(_:)``).
    func describe(to request: HTTPRequest, in json: inout JSONWriter)

    /// Writes the group's metric families. Called in a task, not on the loop's thread.
    func measure(in metrics: inout OpenMetricsWriter) async

    /// Ends the waiting of requests, because the gateway is about to stop. Called on any thread.
    func drain()
}

extension RouteGroup {
    package func upgrade(_ request: HTTPRequest) -> HTTPResponse? { nil }
    package func describe(to request: HTTPRequest, in json: inout JSONWriter) {}
    package func measure(in metrics: inout OpenMetricsWriter) async {}
    package func drain() {}
}
