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

    /// Writes further members into the object of `/v1/info`, which any token opens: `identity` tells who reads it.
    func describe(to request: HTTPRequest, of identity: Identity, in json: inout JSONWriter) async

    /// Writes the group's metric families. Called in a task, not on the loop's thread.
    func measure(in metrics: inout OpenMetricsWriter) async

    /// Ends the waiting of requests, because the gateway is about to stop. Called on any thread.
    func drain()
}

extension RouteGroup {
    package func upgrade(_ request: HTTPRequest) async -> HTTPResponse? { nil }
    package func describe(to request: HTTPRequest, of identity: Identity, in json: inout JSONWriter) async {}
    package func measure(in metrics: inout OpenMetricsWriter) async {}
    package func drain() {}
}

/// The paths of all routes as a tree of their segments. A request's path is compared byte by byte, without splitting it
/// into strings.
package struct PathTree: Sendable {
    /// A path of the tree that a request's path matches.
    package struct Found: Sendable {
        /// The number that ``insert(_:)`` gave to the path.
        package let number: Int
        package let parameters: PathParameters
    }

    private struct Node: Sendable {
        var literals: [(segment: [UInt8], node: Int)] = []
        var parameter: (name: String, node: Int)?
        var rest: Int?
        /// The number of the path that ends here.
        var path: Int?
    }

    private var nodes = [Node()]
    private var count = 0

    package init() {}

    /// A tree of these paths, numbered in this order.
    package init(_ templates: [String]) {
        for template in templates { _ = insert(template) }
    }

    /// Adds a path with its parameters in braces. `{path}` takes the rest of the path, slashes included.
    ///
    /// - Returns: the number of the path, counted from 0 in the order of first insertion. Templates that differ only in
    ///   the names of parameters are the same path, and the first template's names count.
    mutating func insert(_ template: String) -> Int {
        var node = 0
        for segment in template.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            if segment.first == UInt8(ascii: "{") {
                let name = String(decoding: segment.dropFirst().dropLast(), as: UTF8.self)
                if name == "path" {
                    nodes[node].rest = nodes[node].rest ?? append()
                    node = nodes[node].rest ?? 0
                } else {
                    nodes[node].parameter = nodes[node].parameter ?? (name, append())
                    node = nodes[node].parameter?.node ?? 0
                }
            } else if let known = nodes[node].literals.first(where: { $0.segment.elementsEqual(segment) }) {
                node = known.node
            } else {
                let next = append()
                nodes[node].literals.append((Array(segment), next))
                node = next
            }
        }
        if let known = nodes[node].path { return known }
        defer { count += 1 }
        nodes[node].path = count
        return count
    }

    private mutating func append() -> Int {
        nodes.append(Node())
        return nodes.count - 1
    }

    /// Finds the path of a request; nil when there is none. In each segment a literal wins over a parameter, and a
    /// parameter over `{path}`. Where nothing fits, the last `{path}` that was passed by takes the rest. The search never
    /// goes further back than that, so its time is linear in the path's length.
    package func find(_ path: String) -> Found? {
        var path = path
        return path.withUTF8 { find($0) }
    }

    private func find(_ path: UnsafeBufferPointer<UInt8>) -> Found? {
        guard path.first == UInt8(ascii: "/") else { return nil }
        var node = 0
        var parameters = PathParameters()
        var start = 1
        // What takes the rest if nothing else fits.
        var rest: (path: Int, parameters: PathParameters, start: Int)?
        func fallback() -> Found? {
            guard var rest else { return nil }
            rest.parameters.append("path", percentDecoded(UnsafeBufferPointer(rebasing: path[rest.start...])))
            return Found(number: rest.path, parameters: rest.parameters)
        }
        while true {
            if let number = nodes[node].rest.flatMap({ nodes[$0].path }) { rest = (number, parameters, start) }
            var end = start
            while end < path.count, path[end] != UInt8(ascii: "/") { end += 1 }
            let segment = UnsafeBufferPointer(rebasing: path[start..<end])
            if let next = literal(segment, at: node) {
                node = next
            } else if let parameter = nodes[node].parameter, let value = PathParameters.value(segment) {
                parameters.append(parameter.name, value)
                node = parameter.node
            } else {
                return fallback()
            }
            if end == path.count { break }
            start = end + 1
        }
        return nodes[node].path.map { Found(number: $0, parameters: parameters) } ?? fallback()
    }

    private func literal(_ segment: UnsafeBufferPointer<UInt8>, at node: Int) -> Int? {
        for literal in nodes[node].literals where literal.segment.count == segment.count {
            if literal.segment.elementsEqual(segment) { return literal.node }
        }
        guard segment.contains(UInt8(ascii: "%")) else { return nil }
        // RFC 3986, 6.2.2.2: `%761` is another spelling of `v1`.
        let decoded = Array(percentDecoded(segment).utf8)
        return nodes[node].literals.first { $0.segment == decoded }?.node
    }
}

/// The parameters of a path, by the names that the template has in braces.
package struct PathParameters: Sendable {
    private var values: [(name: String, value: String)] = []

    package init() { values.reserveCapacity(3) }

    /// Adds a decoded value. The first value of a name counts.
    mutating func append(_ name: String, _ value: String) { values.append((name, value)) }

    /// The decoded value; empty when the route has no such parameter. A parameter's own value is never empty, except
    /// that of `{path}`.
    package subscript(name: String) -> String { values.first { $0.name == name }?.value ?? "" }

    /// Reads a segment as an id: percent-decoded, and under the rule for ids.
    ///
    /// Nil for anything else. No resource has such an id, so the path is answered with 404.
    static func value(_ segment: UnsafeBufferPointer<UInt8>) -> String? {
        guard segment.count > 0, segment.count <= Identifier.maximumLength * 3 else { return nil }
        let text =
            segment.contains(UInt8(ascii: "%")) ? percentDecoded(segment) : String(decoding: segment, as: UTF8.self)
        return Identifier.isValid(text) ? text : nil
    }
}
