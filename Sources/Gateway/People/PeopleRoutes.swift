import ChatModel
import ChatStore
import Formats
import HTTPRouting
import MicroHTTP

/// `/v1/people`: the shop's people, for administrators and whoever runs the gateway.
struct PeopleRoutes: RouteGroup {
    private static let list = "/v1/people"
    private static let one = "/v1/people/{person}"
    /// Milliseconds: 7 days.
    private static let invitationLife: Int64 = 7 * 86_400_000

    var routes: [Route] { reading + writing + access }

    private var reading: [Route] {
        [
            Route(
                .get, Self.list, "listPeople", access: .scope(.peopleRead),
                handler: .now { call in
                    call.json(headers: [Call.revalidate]) { json in
                        json.beginObject()
                        json.name("items")
                        json.beginArray()
                        for person in call.core.people.all() { person.encode(to: &json) }
                        json.endArray()
                        json.endObject()
                    }
                }),
            Route(
                .get, Self.one, "getPerson", access: .scope(.peopleRead),
                handler: .now { call in call.person(try call.core.people.known(call.parameters["person"])) }),
        ]
    }

    private var writing: [Route] {
        [
            Route(
                .post, Self.list, "createPerson", access: .administer, body: .json, idempotency: .carried,
                handler: .aside { call in
                    let body: NewPerson = try call.body()
                    let core = call.core
                    let person = body.person(
                        id: { PersonID.make(core.environment.makeID()) }, at: core.environment.now())
                    try await core.people.add(
                        person, receipt: call.receipt, call.audit("person.created", person.id, body.audited))
                    return call.person(person, status: 201)
                }
            ).replaying { outcome, call in call.person(try call.core.people.known(outcome.id), status: 201) },
            Route(
                .patch, Self.one, "updatePerson", access: .administer, body: .json,
                handler: .aside { call in
                    let body: PersonPatch = try call.body()
                    let id = call.parameters["person"]
                    let before = try call.core.people.known(id)
                    let (person, ended) = try await call.core.people.change(
                        id, leavingNoAdministrator: call.identity.runsGateway,
                        call.audit("person.changed", id, body.audited)
                    ) { person, transaction in
                        try body.apply(to: &person)
                        // It was sent to the former address.
                        if body.email != nil { try transaction.removeInvitation(of: id) }
                        guard person.state == .disabled else { return [String]() }
                        // Whoever is let in again later signs in anew.
                        try transaction.removeInvitation(of: id)
                        return try transaction.removeLogins(of: id)
                    }
                    if before.role != person.role || before.channels != person.channels || before.state != person.state
                    {
                        call.core.endWhatIsOpen(of: id)
                    }
                    call.core.logins.forget(ended)
                    return call.person(person)
                }),
            Route(
                .delete, Self.one, "deletePerson", access: .administer,
                handler: .aside { call in
                    let id = call.parameters["person"]
                    let logins = try await call.core.people.remove(
                        id, leavingNoAdministrator: call.identity.runsGateway, call.audit("person.removed", id))
                    call.core.endWhatIsOpen(of: id)
                    call.core.logins.forget(logins)
                    return call.noContent()
                }),
        ]
    }

    private var access: [Route] {
        [
            // The address is shown once, and not kept: a repetition makes another one, and the former ends.
            Route(
                .post, "\(Self.one)/invite", "invitePerson", access: .administer, idempotency: .carried,
                handler: .aside { call in try await Self.invite(call, call.receipt) }
            ).replaying { _, call in try await Self.invite(call, nil) }.traced(.secret),
            Route(
                .post, "\(Self.one)/signOut", "signPersonOut", access: .administer, idempotency: .recorded,
                handler: .aside { call in
                    let person = try call.core.people.known(call.parameters["person"])
                    try await call.endLogins(of: person.id, as: call.identity)
                    return call.noContent()
                }),
        ]
    }

    private static func invite(_ call: Call, _ receipt: Receipt?) async throws -> HTTPResponse {
        let person = try call.core.people.known(call.parameters["person"])
        let code = LoginSecrets.random(24)
        let now = call.core.environment.now()
        let invitation = Invitation(
            digest: LoginSecrets.digest(code), person: person.id, createdAt: now,
            expiresAt: now.advanced(byMilliseconds: invitationLife), createdBy: call.identity.name)
        let entry = call.audit("person.invited", person.id)
        try await call.core.store.write { transaction in
            try transaction.insert(invitation)
            try transaction.audit(entry)
            if let receipt { try transaction.record(receipt, Outcome(.ok, id: person.id)) }
        }
        return call.json(headers: [("Cache-Control", "no-store")]) { json in
            json.beginObject()
            json.member("url", "\(call.request.origin)/welcome/\(code)")
            json.member("expiresAt", invitation.expiresAt)
            json.endObject()
        }
    }
}

/// The ids of people where nobody chooses one: `p_` and 12 letters and digits.
enum PersonID {
    /// - Parameter random: an id of the environment.
    static func make(_ random: String) -> String {
        "p_" + String(random.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }.suffix(12))
    }
}

extension GatewayCore {
    /// Ends what a person has opened: they may do something else from now on, or nothing.
    fileprivate func endWhatIsOpen(of person: String) {
        for login in logins.all(at: environment.now()) where login.person.hasSameBytes(as: person) {
            access.end(login.identity)
        }
    }
}
