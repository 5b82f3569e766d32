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

/// Which browser on which system a `User-Agent` header names, for people who look at their logins. Browsers name others
/// besides themselves, so the order of the look-up counts.
enum BrowserName {
    private static let browsers = [
        ("Edg/", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser/", "Samsung Internet"), ("Firefox/", "Firefox"),
        ("FxiOS/", "Firefox"), ("Chrome/", "Chrome"), ("CriOS/", "Chrome"), ("Safari/", "Safari"), ("curl/", "curl"),
    ]
    private static let systems = [
        ("Android", "Android"), ("iPhone", "iOS"), ("iPad", "iPadOS"), ("Windows", "Windows"), ("Mac OS X", "macOS"),
        ("CrOS", "ChromeOS"), ("Linux", "Linux"),
    ]

    /// Such as `Firefox on Linux`; a part that is not known is left out, and empty when nothing is known.
    static func of(_ header: String) -> String {
        func first(_ list: [(String, String)]) -> String? { list.first { header.contains($0.0) }?.1 }
        return [first(browsers), first(systems)].compactMap { $0 }.joined(separator: " on ")
    }
}
