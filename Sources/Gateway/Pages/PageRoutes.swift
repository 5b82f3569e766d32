import HTTPRouting
import MicroHTTP

/// The pages of `web/`. Their queries are their own (`/?thread=`).
struct PageRoutes: RouteGroup {
    let documents: Documents
    /// What else the page's own address answers.
    var upgrade: @Sendable (HTTPRequest) -> HTTPResponse? = { _ in nil }

    var routes: [Route] {
        [
            page("/", "getChatPage") { _ in "index.html" },
            page("/desk", "getDeskPage") { _ in "desk.html" },
            page("/parley.js", "getClientLibrary") { _ in "parley.js" },
            page("/parley/{path}", "getClientLibraryModule") { "parley/\($0.parameters["path"])" },
            // Here, not among the assets: a service worker's scope is its folder.
            page("/push-worker.js", "getPushWorker") { _ in "push-worker.js" },
            page("/assets/{path}", "getAsset") { "assets/\($0.parameters["path"])" },
        ]
    }

    private func page(_ template: String, _ operationID: String, _ name: @escaping @Sendable (Call) -> String) -> Route
    {
        let (files, upgrade) = (documents.files, self.upgrade)
        return Route(
            .get, template, operationID, access: .open, query: .any,
            handler: .now { call in
                if template == "/", let answer = upgrade(call.request) { return answer }
                guard let file = files[name(call)] else { throw Problem(.notFound, "There is no such file.") }
                return file.response(to: call.request)
            })
    }
}
