import Formats
import MicroHTTP

/// Finds the routes of a path. It is immutable, so any thread may use it.
package struct RouteTable<Context: CallContext>: Sendable {
    /// The routes of one path.
    package struct Match: Sendable {
        /// The routes of this path, one for each method.
        package let routes: [Route<Context>]
        package let parameters: PathParameters
        /// Whether any route of the path is open to pages of other origins. The gate decides about origins by path,
        /// before it looks at the method.
        package let isShared: Bool

        @inlinable
        package init(routes: [Route<Context>], parameters: PathParameters, isShared: Bool) {
            self.routes = routes
            self.parameters = parameters
            self.isShared = isShared
        }

        /// The route of a method; nil means 405. HEAD has to be looked up as GET.
        @inlinable
        package func route(_ method: Method) -> Route<Context>? {
            for route in routes where route.method == method { return route }
            return nil
        }

        /// The value of `Allow`: the methods of the routes, and HEAD and OPTIONS.
        package var allow: String {
            var methods: [String] = []
            for method in Method.allCases where routes.contains(where: { $0.method == method }) {
                methods.append(method.rawValue)
                if method == .get { methods.append("HEAD") }
            }
            return (methods + ["OPTIONS"]).joined(separator: ", ")
        }
    }

    /// All routes in the order of registration; a route's `index` is its position here.
    package let routes: [Route<Context>]
    @usableFromInline let paths: PathTree
    /// The routes of each path, by the path's number in the tree.
    @usableFromInline let byPath: [[Route<Context>]]
    /// Of each path: ``Match/isShared``.
    @usableFromInline let isShared: [Bool]

    /// Numbers the routes. Two routes with one method and one path are not detected; the first one wins.
    package init(_ routes: [Route<Context>]) {
        var (numbered, byPath, paths) = ([Route<Context>](), [[Route<Context>]](), PathTree())
        for route in routes {
            let route = route.numbered(numbered.count)
            numbered.append(route)
            let path = paths.insert(route.template)
            if path == byPath.count { byPath.append([]) }
            byPath[path].append(route)
        }
        (self.routes, self.byPath, self.paths) = (numbered, byPath, paths)
        isShared = byPath.map { $0.contains { $0.isShared } }
    }

    /// The routes of the path; nil when no route has it (404). In each segment a literal wins over a parameter.
    @inlinable
    package func match(_ path: String) -> Match? {
        guard let found = paths.find(path) else { return nil }
        return Match(
            routes: byPath[found.number], parameters: found.parameters, isShared: isShared[found.number])
    }
}

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
