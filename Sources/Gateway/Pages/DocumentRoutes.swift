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
                    guard let file = try await documents.description.document() else {
                        throw Problem(.notFound, "This gateway was started without its OpenAPI document.")
                    }
                    return file.response(to: call.request)
                }),
            Route(
                .get, "/docs", "getDocs", access: .open,
                handler: .later { call in try await documents.description.page().response(to: call.request) }),
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
}
