/// Finds the route of a path and a method.
package struct RouteTable<Context: CallContext>: Sendable {
    /// The routes of one path.
    package struct Match: Sendable {
        /// By method.
        package let routes: [Route<Context>]
        package let parameters: PathParameters

        @inlinable
        package init(routes: [Route<Context>], parameters: PathParameters) {
            self.routes = routes
            self.parameters = parameters
        }

        @inlinable
        package func route(_ method: Method) -> Route<Context>? { routes.first { $0.method == method } }

        @inlinable
        package var isShared: Bool { routes.contains { $0.isShared } }

        /// The value of `Allow`.
        package var allow: String {
            var methods: [String] = []
            for method in Method.allCases where routes.contains(where: { $0.method == method }) {
                methods.append(method.rawValue)
                if method == .get { methods.append("HEAD") }
            }
            return (methods + ["OPTIONS"]).joined(separator: ", ")
        }
    }

    package let routes: [Route<Context>]
    @usableFromInline let paths: PathTree
    /// The routes of each path, by the path's number in the tree.
    @usableFromInline let byPath: [[Route<Context>]]

    package init(_ routes: [Route<Context>]) {
        var (numbered, byPath, paths) = ([Route<Context>](), [[Route<Context>]](), PathTree())
        for var route in routes {
            route.index = numbered.count
            numbered.append(route)
            let path = paths.insert(route.template)
            if path == byPath.count { byPath.append([]) }
            byPath[path].append(route)
        }
        (self.routes, self.byPath, self.paths) = (numbered, byPath, paths)
    }

    /// Nil when no route has the path. A literal segment goes before a parameter.
    @inlinable
    package func match(_ path: String) -> Match? {
        guard let found = paths.find(path) else { return nil }
        return Match(routes: byPath[found.number], parameters: found.parameters)
    }
}
