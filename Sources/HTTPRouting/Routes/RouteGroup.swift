import Formats
import MicroHTTP

/// Routes that belong together, and what they add to what the application says of itself. What a group does not add,
/// it leaves to the defaults.
package protocol RouteGroup<Context>: Sendable {
    associatedtype Context: CallContext

    var routes: [Route<Context>] { get }

    /// What answers a request to `/` that wants to leave HTTP; nil when it wants the page, and for groups that have
    /// nothing such.
    func upgrade(_ request: HTTPRequest) -> HTTPResponse?

    /// Writes members of the object that says what runs here. Called on the loop's thread.
    func describe(to request: HTTPRequest, in json: inout JSONWriter)

    /// Writes what the group measures. Called in a task, not on the loop's thread.
    func measure(in metrics: inout OpenMetricsWriter) async
}

extension RouteGroup {
    package func upgrade(_ request: HTTPRequest) -> HTTPResponse? { nil }
    package func describe(to request: HTTPRequest, in json: inout JSONWriter) {}
    package func measure(in metrics: inout OpenMetricsWriter) async {}
}
