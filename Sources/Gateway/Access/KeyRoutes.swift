import ChatModel
import ChatStore
import Formats
import HTTPRouting
import MicroHTTP

/// `/v1/keys`: the keys of programs. Making, changing and ending them is for whoever runs the gateway.
struct KeyRoutes: RouteGroup {
    private static let list = "/v1/keys"
    private static let one = "/v1/keys/{key}"

    /// Some answers have a key's text.
    var routes: [Route] { (reading + writing).map { $0.traced(.secret) } }

    private var reading: [Route] {
        [
            Route(
                .get, Self.list, "listKeys", access: .scope(.keysRead),
                handler: .now { call in
                    let now = call.core.environment.now()
                    return call.json(headers: [Call.revalidate]) { json in
                        json.beginObject()
                        json.name("items")
                        json.beginArray()
                        for key in call.core.keys.all() { key.encode(to: &json, at: now) }
                        json.endArray()
                        json.endObject()
                    }
                }),
            Route(
                .get, Self.one, "getKey", access: .scope(.keysRead),
                handler: .now { call in
                    call.key(try call.core.keys.known(call.parameters["key"]))
                }),
        ]
    }

    /// The text of a key is shown once and is not kept, so the answer to a repeated request has none.
    private var writing: [Route] {
        [
            Route(
                .post, Self.list, "createKey", access: .administer, body: .json, idempotency: .carried,
                handler: .aside { call in
                    let body: NewKey = try call.body()
                    let text = KeyText()
                    let key = try body.key(text, by: call)
                    try await call.core.keys.add(
                        key, receipt: call.receipt, call.audit("key.created", key.id, body.audited))
                    return call.key(key, text: text.text, status: 201)
                }
            ).replaying { outcome, call in try call.key(again: outcome, status: 201) },
            Route(
                .patch, Self.one, "updateKey", access: .administer, body: .json,
                handler: .aside { call in
                    let body: KeyPatch = try call.body()
                    let id = call.parameters["key"]
                    let end = try body.end.map { try $0.time(after: call.core.environment.now()) }
                    let key = try await call.core.keys.change(id, call.audit("key.changed", id, body.audited)) { key in
                        if let name = body.name { key.name = name }
                        if let end { key.expiresAt = end }
                    }
                    return call.key(key)
                }),
            Route(
                .post, "\(Self.one)/rotate", "rotateKey", access: .administer, body: .optionalJSON,
                idempotency: .carried,
                handler: .aside { call in
                    let body: KeyRotation = try call.body()
                    let id = call.parameters["key"]
                    let text = KeyText(id: id)
                    let end = call.core.environment.now().advanced(byMilliseconds: Int64(body.overlapSeconds) * 1000)
                    let entry = call.audit("key.rotated", id) { $0.member("overlapSeconds", body.overlapSeconds) }
                    let key = try await call.core.keys.change(id, receipt: call.receipt, entry) { key in
                        (key.previousDigest, key.previousUntil) = (key.digest, end)
                        key.digest = text.digest
                    }
                    call.core.reviewAccess(of: .key(id))
                    return call.key(key, text: text.text)
                }
            ).replaying { outcome, call in try call.key(again: outcome, status: 200) },
            Route(
                .delete, Self.one, "deleteKey", access: .administer,
                handler: .aside { call in
                    let id = call.parameters["key"]
                    try await call.core.keys.remove(id, call.audit("key.removed", id))
                    call.core.reviewAccess(of: .key(id))
                    return call.noContent()
                }),
        ]
    }
}

extension Call {
    /// - Parameter text: the key's text, if it is to be shown.
    fileprivate func key(_ key: AccessKey, text: String? = nil, status: Int = 200) -> HTTPResponse {
        var headers = [text == nil ? Self.revalidate : ("Cache-Control", "no-store")]
        if status == 201 { headers.append(("Location", route.location(self, key.id))) }
        return json(status: status, headers: headers) { json in
            key.encode(to: &json, text: text, at: core.environment.now())
        }
    }

    fileprivate func key(again outcome: Outcome, status: Int) throws -> HTTPResponse {
        key(try core.keys.known(outcome.id), status: status)
    }
}
