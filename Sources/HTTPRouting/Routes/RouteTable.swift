import MicroHTTP

/// Finds the route of a path: a tree of path segments, walked byte by byte.
struct RouteTable: Sendable {
    /// The routes of one path.
    struct Match: Sendable {
        /// By method.
        var routes: [Route]
        var parameters: PathParameters

        func route(_ method: Method) -> Route? { routes.first { $0.method == method } }

        var isShared: Bool { routes.contains(where: \.isShared) }

        /// The value of `Allow`.
        var allow: String {
            var methods: [String] = []
            for method in Method.allCases where route(method) != nil {
                methods.append(method.rawValue)
                if method == .get { methods.append("HEAD") }
            }
            return (methods + ["OPTIONS"]).joined(separator: ", ")
        }
    }

    private struct Node: Sendable {
        var literals: [(segment: [UInt8], node: Int)] = []
        var parameter: (name: String, node: Int)?
        var rest: Int?
        var routes: [Route] = []
    }

    private(set) var routes: [Route] = []
    private var nodes = [Node()]

    init(_ routes: [Route]) {
        for route in routes { insert(route) }
    }

    private mutating func insert(_ route: Route) {
        var node = 0
        for segment in route.template.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
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
        var route = route
        route.index = self.routes.count
        self.routes.append(route)
        nodes[node].routes.append(route)
    }

    private mutating func append() -> Int {
        nodes.append(Node())
        return nodes.count - 1
    }

    /// Nil when no route has the path. A literal segment goes before a parameter.
    func match(_ path: String) -> Match? {
        var path = path
        return path.withUTF8 { match($0) }
    }

    private func match(_ path: UnsafeBufferPointer<UInt8>) -> Match? {
        guard path.first == UInt8(ascii: "/") else { return nil }
        var node = 0
        var parameters = PathParameters()
        var start = 1
        while true {
            var end = start
            while end < path.count, path[end] != UInt8(ascii: "/") { end += 1 }
            let segment = UnsafeBufferPointer(rebasing: path[start..<end])
            if let next = literal(segment, at: node) {
                node = next
            } else if let parameter = nodes[node].parameter, let value = PathParameters.value(segment) {
                parameters.append(parameter.name, value)
                node = parameter.node
            } else if let rest = nodes[node].rest {
                parameters.append("path", percentDecoded(UnsafeBufferPointer(rebasing: path[start...])))
                return Match(routes: nodes[rest].routes, parameters: parameters)
            } else {
                return nil
            }
            if end == path.count { break }
            start = end + 1
        }
        return nodes[node].routes.isEmpty ? nil : Match(routes: nodes[node].routes, parameters: parameters)
    }

    private func literal(_ segment: UnsafeBufferPointer<UInt8>, at node: Int) -> Int? {
        for literal in nodes[node].literals where literal.segment.count == segment.count {
            if literal.segment.elementsEqual(segment) { return literal.node }
        }
        guard segment.contains(UInt8(ascii: "%")) else { return nil }
        // `%761` is `v1`, by RFC 3986 6.2.2.2.
        let decoded = Array(percentDecoded(segment).utf8)
        return nodes[node].literals.first { $0.segment == decoded }?.node
    }
}
