import ChatModel
import ChatStore
import Formats
import HTTPRouting
import MicroHTTP

/// `/v1/logins`: the browsers that are signed in, for whoever runs the gateway.
struct LoginRoutes: RouteGroup {
    var routes: [Route] {
        [
            Route(
                .get, "/v1/logins", "listLogins", access: .administer,
                handler: .now { call in call.logins { _ in true } }),
            Route(
                .delete, "/v1/logins/{login}", "deleteLogin", access: .administer,
                handler: .aside { call in
                    try await call.endLogin(call.parameters["login"], as: call.identity)
                    return call.noContent()
                }),
        ]
    }
}

extension Call {
    /// A list of logins.
    func logins(_ isShown: (Login) -> Bool) -> HTTPResponse {
        json(headers: [Self.revalidate]) { json in
            json.beginObject()
            json.name("items")
            json.beginArray()
            for login in core.logins.all(at: core.environment.now()) where isShown(login) {
                login.encode(to: &json, isOwn: identity == login.identity)
            }
            json.endArray()
            json.endObject()
        }
    }
}

extension Login {
    /// - Parameter isOwn: whether the caller has this one.
    fileprivate func encode(to json: inout JSONWriter, isOwn: Bool) {
        json.beginObject()
        json.member("id", id)
        if person != Self.operatorID { json.member("person", person) }
        json.member("how", how)
        json.member("browser", label)
        json.member("createdAt", createdAt)
        json.member("lastUsedAt", lastUsedAt)
        json.member("expiresAt", expiresAt)
        if isOwn { json.member("isOwn", true) }
        json.endObject()
    }
}
