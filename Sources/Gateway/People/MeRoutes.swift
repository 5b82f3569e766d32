import ChatModel
import ChatStore
import Formats
import HTTPRouting
import MicroHTTP

/// `/v1/me`: what people see and change of themselves.
struct MeRoutes: RouteGroup {
    private static let me = "/v1/me"

    var routes: [Route] { own + logins }

    private var own: [Route] {
        [
            Route(
                .get, Self.me, "getMe", access: .person,
                handler: .now { call in call.person(try call.me, hasSettings: true) }),
            Route(
                .patch, Self.me, "updateMe", access: .person, body: .json,
                handler: .aside { call in
                    let body: OwnPatch = try call.body()
                    let settings = try JSONText(call.request.body).root["settings"]?.bytes
                    let id = try call.me.id
                    try body.checkNames(of: id, among: call.core.people.all())
                    let entry = call.audit("person.changed", id, body.audited)
                    let person = try await call.core.people.change(id, entry) { person, _ in
                        body.apply(to: &person, settings: settings.map { Array($0) })
                    }.person
                    return call.person(person, hasSettings: true)
                }),
            Route(
                .post, "\(Self.me)/password", "changePassword", access: .person, body: .json,
                handler: .aside { call in
                    let body: PasswordChange = try call.body()
                    guard case .person(let id, let login) = call.identity else { throw Credentials.ended }
                    let person = try call.me
                    try await call.check(body.current, of: person)
                    let hash = try await call.newPassword(body.password, for: person)
                    let ended = try await call.core.changePassword(
                        of: id, to: hash, keeping: login, call.audit("password.changed", id)
                    ) { now, transaction in
                        // Meanwhile it may have been reset, by whoever has lost it to somebody else.
                        _ = try transaction.login(login)
                        guard now.state == .active, now.password == person.password else {
                            throw ChatError(.unknownLogin, "The password was changed meanwhile.")
                        }
                    }
                    call.core.review(logins: ended, of: id)
                    return call.noContent()
                }
            ).traced(.secret),
        ]
    }

    private var logins: [Route] {
        [
            Route(
                .get, "\(Self.me)/logins", "listOwnLogins", access: .person,
                handler: .now { call in
                    let id = try call.me.id
                    return call.logins { $0.person.hasSameBytes(as: id) }
                }),
            Route(
                .delete, "\(Self.me)/logins/{login}", "deleteOwnLogin", access: .person,
                handler: .aside { call in
                    let (id, login) = (try call.me.id, call.parameters["login"])
                    guard call.core.logins.login(login)?.person.hasSameBytes(as: id) == true else {
                        throw ChatError(.unknownLogin, "There is no login \(login).")
                    }
                    try await call.endLogin(login, as: call.identity)
                    return call.noContent()
                }),
        ]
    }
}

/// `{"current","password"}`.
struct PasswordChange: RequestBody {
    let current: String
    let password: String

    init(reading object: inout ObjectReader) {
        current = object.password("current")
        password = object.password("password")
    }
}

extension Call {
    /// The person who asks. Throws `unauthorized` for one who is gone.
    var me: Person {
        get throws(Problem) {
            guard case .person(let id, _) = identity, let person = core.people.person(id) else {
                throw Credentials.ended
            }
            return person
        }
    }

    func person(_ person: Person, hasSettings: Bool = false, status: Int = 200) -> HTTPResponse {
        var headers = [Self.revalidate]
        if status == 201 { headers.append(("Location", route.location(self, person.id))) }
        return json(status: status, headers: headers) { person.encode(to: &$0, hasSettings: hasSettings) }
    }
}

extension Call {
    /// A text among the settings of the person whose page asks: a page itself is requested with half a login, which opens
    /// nothing and says who it is.
    package func settingOfPerson(_ name: String) -> String? {
        guard case .person(let id, _) = Credentials(core: core).known(request), let person = core.people.person(id)
        else {
            return nil
        }
        return try? JSONParser.parse(person.settings)[name]?.string
    }
}
