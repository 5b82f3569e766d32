import ChatModel
import ChatStore
import Formats
import HTTPRouting
import MicroHTTP

/// `/v1/audit`: what administrators have done, the newest first. No route changes it.
struct AuditRoutes: RouteGroup {
    var routes: [Route] {
        [
            Route(
                .get, "/v1/audit", "listAudit", access: .scope(.auditRead),
                query: .only(["before", "actor", "action", "limit"]),
                handler: .aside { call in
                    let limit = try call.query.number("limit", in: 1...200) ?? 50
                    let before = try call.query.number("before", in: 1...Int.max)
                    let actor = try call.query.key("actor", length: 1...256)
                    let action = try call.query.key("action", length: 1...64)
                    let entries = try await call.core.store.read {
                        try $0.auditEntries(
                            before: before.map(Int64.init), actor: actor, action: action, limit: limit)
                    }
                    var headers = [Call.revalidate]
                    if let last = entries.last, entries.count == limit {
                        let query = call.query.replacing("before", cursor: "\(last.number)")
                        headers.append(("Link", "<\(call.request.path)?\(query)>; rel=\"next\""))
                    }
                    return call.json(headers: headers) { json in
                        json.beginObject()
                        json.name("items")
                        json.beginArray()
                        for entry in entries { entry.encode(to: &json) }
                        json.endArray()
                        json.endObject()
                    }
                })
        ]
    }
}

extension AuditEntry {
    fileprivate func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("number", number)
        json.member("at", at)
        json.member("actor", actor)
        json.member("actorName", actorName)
        json.member("action", action)
        json.member("subject", subject)
        json.name("detail")
        json.raw(detail)
        json.member("address", address)
        json.endObject()
    }
}

extension Call {
    /// An entry that says that the caller does this.
    ///
    /// - Parameters:
    ///   - actor: who does it, where that is not known by the request's credential; nil for whom that names.
    ///   - detail: writes the members of an object that says more.
    func audit(
        _ action: String, _ subject: String, as actor: Identity? = nil, _ detail: (inout JSONWriter) -> Void = { _ in }
    ) -> NewAuditEntry {
        let identity = actor ?? identity
        var json = JSONWriter()
        json.beginObject()
        detail(&json)
        json.endObject()
        let name: String =
            switch identity {
            case .key(let id): core.keys.key(id)?.name ?? ""
            case .person(let id, _): core.people.person(id)?.name ?? ""
            case .gateway, .operator: "gateway"
            case .nobody, .session: ""
            }
        return NewAuditEntry(
            actor: identity.name, actorName: name, action: action, subject: subject, detail: json.bytes,
            address: core.peer(of: request).description)
    }
}

extension Call {
    /// What the request is about: the last parameter of its path, or the id in its body.
    var subject: String {
        let last = route.template.split(separator: "/").last { $0.hasPrefix("{") }
        if let last { return parameters[String(last.dropFirst().dropLast())] }
        return (try? json())?["id"]?.string ?? ""
    }

    /// The names of the body's members, which say what is changed; never their values.
    var memberNames: [String] { (try? json())?.members?.prefix(32).map(\.name) ?? [] }
}
