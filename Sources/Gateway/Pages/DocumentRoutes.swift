import HTTPRouting
import MicroHTTP

/// The API's description: the OpenAPI document, the guide, and pages made from both and from the table of problems.
struct DocumentRoutes: RouteGroup {
    let documents: Documents

    var routes: [Route] {
        let documents = documents
        return [
            Route(
                .get, "/openapi.json", "getOpenAPI", access: .open,
                handler: .later { call in
                    guard let file = try await documents.description.document(origin: call.request.origin) else {
                        throw Problem(.notFound, "This gateway was started without its OpenAPI document.")
                    }
                    return file.response(to: call.request)
                }),
            Route(
                .get, "/docs", "getDocs", access: .open, query: .only(["q"]),
                handler: .later { call in try await Self.page(call, nil, documents) }),
            Route(
                .get, "/docs/api/{tag}", "getReference", access: .open, query: .only(["q"]),
                handler: .later { call in try await Self.page(call, call.parameters["tag"], documents) }),
            Route(
                .get, "/docs/{article}", "getArticle", access: .open,
                handler: .now { call in
                    guard let file = documents.guide.file(call.parameters["article"]) else {
                        throw Problem(.notFound, "The guide has no article of this name.")
                    }
                    return file.response(to: call.request)
                }),
            Route(
                .get, "/docs/problems/{code}", "getProblemDocs", access: .open,
                handler: .now { call in
                    guard let kind = ProblemKind.all[call.parameters["code"]] else {
                        throw Problem(.notFound, "No problem has this code.")
                    }
                    return ProblemPage.response(kind)
                }),
        ]
    }

    private static func page(_ call: Call, _ tag: String?, _ documents: Documents) async throws -> HTTPResponse {
        let query = try call.query.text("q", length: 0...100) ?? ""
        let page = try await documents.description.page(tag, query: query, origin: call.request.origin)
        guard let page else { throw Problem(.notFound, "The reference has no such page.") }
        return page.response(to: call.request)
    }
}
