import MicroHTTP

/// The pages of `web/`. Their queries are their own (`/?thread=`).
struct PageRoutes: RouteGroup {
    let documents: Documents

    var routes: [Route] {
        [
            page("/", "getChatPage") { _ in "index.html" },
            page("/desk", "getDeskPage") { _ in "desk.html" },
            page("/parley.js", "getClientLibrary") { _ in "parley.js" },
            page("/assets/{path}", "getAsset") { "assets/\($0.parameters["path"])" },
        ]
    }

    private func page(_ template: String, _ operationID: String, _ name: @escaping @Sendable (Call) -> String) -> Route {
        let files = documents.files
        return Route(.get, template, operationID, access: .open, query: .any, handler: .now { call in
            guard let file = files[name(call)] else { throw Problem(.notFound, "There is no such file.") }
            return file.response(to: call.request)
        })
    }
}
