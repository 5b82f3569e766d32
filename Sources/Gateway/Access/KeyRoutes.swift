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

/// `{"name","scopes","channels"?,"agent"?,"expiresAt"?}`: a new key.
private struct NewKey: RequestBody {
    let name: String
    let scopes: [Scope]
    let channels: [String]?
    /// As whom the key always acts.
    let agent: Agent?
    let end: KeyEnd

    init(reading object: inout ObjectReader) {
        name = object.requiredKey("name", length: KeyPatch.nameLength)
        scopes = Self.scopes(&object)
        channels = object.channelIDs("channels")
        agent = AgentBody.optional(&object)
        end = KeyEnd.optional(&object) ?? .afterDays(KeyEnd.usualDays)
        let unlimited = scopes.filter { !$0.isLimitable }
        if channels != nil, !unlimited.isEmpty {
            object.reject(
                "channels",
                "these scopes are not about channels and cannot be limited: \(unlimited.map(\.rawValue).joined(separator: ", "))"
            )
        }
    }

    private static func scopes(_ object: inout ObjectReader) -> [Scope] {
        guard let texts = object.texts(object.required("scopes"), "scopes", count: 1...Scope.allCases.count) else {
            return []
        }
        return texts.compactMap { text in
            if let scope = Scope(rawValue: text) { return scope }
            let known = Scope.allCases.map(\.rawValue).joined(separator: ", ")
            object.reject("scopes", "these scopes are there: \(known)")
            return nil
        }
    }

    /// The key with this text. Throws `invalidValue` for an end that is past or too far, and `notYou` for a person as the
    /// agent.
    func key(_ text: KeyText, by call: Call) throws(Problem) -> AccessKey {
        if let agent, call.core.people.person(agent.id) != nil {
            throw Problem(.notYou, "\(agent.id) is a person, and a key does not act as one.")
        }
        let now = call.core.environment.now()
        return AccessKey(
            id: text.id, name: name, digest: text.digest, scopes: scopes.map(\.rawValue), channels: channels,
            agent: agent, createdAt: now, createdBy: call.identity.name, expiresAt: try end.time(after: now))
    }

    var audited: (inout JSONWriter) -> Void {
        { json in
            json.member("name", name)
            json.member("scopes", texts: scopes.map(\.rawValue))
            if let channels { json.member("channels", texts: channels) }
            json.member("agent", agent?.id)
        }
    }
}

extension ObjectReader {
    /// The only channels that a key or a person sees, at least one: for no channel nothing would be there. Nil when the
    /// member is missing.
    mutating func channelIDs(_ name: String) -> [String]? {
        let ids = texts(optional(name), name, count: 1...100)
        if let ids, !ids.allSatisfy(Identifier.isValid) { reject(name, "\(Identifier.rule) were expected") }
        return ids
    }

    /// An array of different texts. A nil value stays nil without a fault.
    package mutating func texts(_ value: JSONValue?, _ name: String, count: ClosedRange<Int>) -> [String]? {
        guard let value else { return nil }
        let texts = value.array?.compactMap(\.string) ?? []
        guard texts.count == value.array?.count, count.contains(texts.count), Set(texts).count == texts.count else {
            reject(name, "\(count.lowerBound) to \(count.upperBound) different texts were expected, in an array")
            return nil
        }
        return texts
    }
}

/// When a key ends.
enum KeyEnd: Sendable {
    case never
    case at(Timestamp)
    case afterDays(Int64)

    static let usualDays: Int64 = 365
    private static let longestDays: Int64 = 3653
    private static let day: Int64 = 86_400_000

    /// The member `expiresAt`: a time, or null for a key that does not end; nil when it is missing.
    static func optional(_ object: inout ObjectReader) -> KeyEnd? {
        guard let value = object.optional("expiresAt") else { return nil }
        if value == .null { return .never }
        if let time = value.string.flatMap(Timestamp.init(rfc3339:)) { return .at(time) }
        object.reject("expiresAt", "a time was expected, as 2030-05-04T09:30:00Z, or null")
        return nil
    }

    /// The time itself; nil for never. Throws `invalidValue` for a time that is past or more than ten years ahead.
    func time(after now: Timestamp) throws(Problem) -> Timestamp? {
        switch self {
        case .never: return nil
        case .afterDays(let days): return now.advanced(byMilliseconds: days * Self.day)
        case .at(let time):
            guard time > now, time <= now.advanced(byMilliseconds: Self.longestDays * Self.day) else {
                throw Problem(items: [
                    .init(.invalidValue, pointer: "/expiresAt", "a time within the next ten years was expected")
                ])
            }
            return time
        }
    }
}

/// `{"name"?,"expiresAt"?}`: the scopes of a key never change.
private struct KeyPatch: RequestBody {
    static let nameLength = 1...128
    let name: String?
    let end: KeyEnd?

    init(reading object: inout ObjectReader) {
        name = object.optionalKey("name", length: Self.nameLength)
        end = KeyEnd.optional(&object)
    }

    var audited: (inout JSONWriter) -> Void {
        { json in
            json.member("name", name)
            if end != nil { json.member("expiresAt", true) }
        }
    }
}

/// `{"overlapSeconds"?}`: how long the former text of a rotated key still opens. A day by default.
private struct KeyRotation: RequestBody {
    let overlapSeconds: Int

    init(reading object: inout ObjectReader) {
        overlapSeconds = object.optionalInteger("overlapSeconds", in: 0...7 * 86_400) ?? 86_400
    }
}

extension AccessKey {
    /// Writes what everybody may know who lists keys.
    ///
    /// - Parameter text: the key itself, if it is to be shown.
    func encode(to json: inout JSONWriter, text: String? = nil, at now: Timestamp) {
        json.beginObject()
        json.member("id", id)
        json.member("name", name)
        json.member("scopes", texts: scopes)
        if let channels { json.member("channels", texts: channels) }
        if let agent { json.member("agent", agent) }
        json.member("state", hasExpired(at: now) ? "expired" : "active")
        json.member("createdAt", createdAt)
        json.member("createdBy", createdBy)
        if let expiresAt { json.member("expiresAt", expiresAt) }
        if let lastUsedAt { json.member("lastUsedAt", lastUsedAt) }
        if let previousUntil, now < previousUntil { json.member("previousUntil", previousUntil) }
        json.member("secret", text)
        json.endObject()
    }
}
