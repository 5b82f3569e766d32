/// A route in its place in a table. Requests share it, because a route has too many parts to be copied for each.
package final class PlacedRoute<Context: CallContext>: Sendable {
    package let route: Route<Context>
    @usableFromInline let method: Method

    package init(_ route: Route<Context>) {
        self.route = route
        method = route.method
    }
}

/// Finds the routes of a path. It is immutable, so any thread may use it.
package struct RouteTable<Context: CallContext>: Sendable {
    /// The routes of one path.
    package struct Match: Sendable {
        /// The routes of this path, one for each method.
        package let routes: [PlacedRoute<Context>]
        package let parameters: PathParameters
        /// Whether any route of the path is open to pages of other origins. The gate decides about origins by path,
        /// before it looks at the method.
        package let isShared: Bool

        @inlinable
        package init(routes: [PlacedRoute<Context>], parameters: PathParameters, isShared: Bool) {
            self.routes = routes
            self.parameters = parameters
            self.isShared = isShared
        }

        /// The route of a method; nil means 405. HEAD has to be looked up as GET.
        @inlinable
        package func placed(_ method: Method) -> PlacedRoute<Context>? {
            for placed in routes where placed.method == method { return placed }
            return nil
        }

        @inlinable
        package func route(_ method: Method) -> Route<Context>? { placed(method)?.route }

        /// The value of `Allow`: the methods of the routes, and HEAD and OPTIONS.
        package var allow: String {
            var methods: [String] = []
            for method in Method.allCases where routes.contains(where: { $0.route.method == method }) {
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
    @usableFromInline let byPath: [[PlacedRoute<Context>]]
    /// Of each path: ``Match/isShared``.
    @usableFromInline let isShared: [Bool]

    /// Numbers the routes. Two routes with one method and one path are not detected; the first one wins.
    package init(_ routes: [Route<Context>]) {
        var (numbered, byPath, paths) = ([Route<Context>](), [[PlacedRoute<Context>]](), PathTree())
        for var route in routes {
            route.index = numbered.count
            numbered.append(route)
            let path = paths.insert(route.template)
            if path == byPath.count { byPath.append([]) }
            byPath[path].append(PlacedRoute(route))
        }
        (self.routes, self.byPath, self.paths) = (numbered, byPath, paths)
        isShared = byPath.map { $0.contains { $0.route.isShared } }
    }

    /// The routes of the path; nil when no route has it (404). In each segment a literal wins over a parameter.
    @inlinable
    package func match(_ path: String) -> Match? {
        guard let found = paths.find(path) else { return nil }
        return Match(
            routes: byPath[found.number], parameters: found.parameters, isShared: isShared[found.number])
    }
}
