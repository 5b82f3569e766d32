import Formats
import MicroHTTP

/// A set of related routes, with what they add to `/`, `/v1/info` and `/metrics`. The defaults add nothing.
package protocol RouteGroup<Context>: Sendable {
    associatedtype Context: CallContext

    /// The group's routes. Read once, when the route table is built.
    var routes: [Route<Context>] { get }

    /// Answers a request to `/` that asks for another protocol (`Upgrade`); nil to let the page be served.
    func upgrade(_ request: HTTPRequest) async -> HTTPResponse?

    /// Writes further members into the object of `/v1/info`, which any token opens.
    func describe(to request: HTTPRequest, in json: inout JSONWriter) async

    /// Writes the group's metric families. Called in a task, not on the loop's thread.
    func measure(in metrics: inout OpenMetricsWriter) async

    /// Ends the waiting of requests, because the gateway is about to stop. Called on any thread.
    func drain()
}

extension RouteGroup {
    package func upgrade(_ request: HTTPRequest) async -> HTTPResponse? { nil }
    package func describe(to request: HTTPRequest, in json: inout JSONWriter) async {}
    package func measure(in metrics: inout OpenMetricsWriter) async {}
    package func drain() {}
}
