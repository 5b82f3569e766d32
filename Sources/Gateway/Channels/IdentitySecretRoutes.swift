import Chat
import ChatModel
import ChatStore
import Formats
import HTTPRouting

/// The secrets with which a shop's server signs who its customers are: at most two for each channel, so that one can be
/// replaced while both work.
extension DeskRoutes {
    var identitySecrets: [Route] {
        let (desk, all) = (desk, "/v1/desk/channels/{channel}/identitySecrets")
        return [
            Route(
                .get, all, "listIdentitySecrets", access: .scope(.channelsWrite),
                handler: .aside { call in
                    let id = try await call.reachedChannel(desk)
                    let secrets = try await call.core.store.read { try $0.identitySecrets(of: id) }
                    return call.json(headers: [Call.revalidate]) { json in
                        json.beginObject()
                        json.name("items")
                        json.beginArray()
                        for secret in secrets { secret.encode(to: &json) }
                        json.endArray()
                        json.endObject()
                    }
                }),
            Route(
                .post, all, "createIdentitySecret", access: .scope(.channelsWrite), body: .optionalJSON,
                idempotency: .carried,
                handler: .aside { call in
                    let id = try await call.reachedChannel(desk)
                    let name = LoginSecrets.random(6)
                    let entry = call.audit("channel.secretCreated", id) { $0.member("secret", name) }
                    let receipt = call.receipt
                    let secret = try await call.core.store.write { transaction in
                        try transaction.audit(entry)
                        try transaction.record(receipt, Outcome(.created, id: name))
                        return try transaction.addIdentitySecret(name, of: id)
                    }
                    return call.json(status: 201, headers: [("Cache-Control", "no-store")]) {
                        secret.encode(to: &$0, text: call.core.tokens.identitySecret(name, of: id))
                    }
                }
            ).replaying { outcome, call in
                // The secret is shown once, so a repeated request gets an answer without it.
                let id = try await call.reachedChannel(desk)
                let secrets = try await call.core.store.read { try $0.identitySecrets(of: id) }
                guard let secret = secrets.first(where: { $0.id == outcome.id }) else {
                    throw ChatError(.unknownSecret, "The secret was removed.")
                }
                return call.json(status: 201) { secret.encode(to: &$0) }
            },
            Route(
                .delete, "\(all)/{secret}", "deleteIdentitySecret", access: .scope(.channelsWrite),
                handler: .aside { call in
                    let id = try await call.reachedChannel(desk)
                    let name = call.parameters["secret"]
                    let entry = call.audit("channel.secretRemoved", id) { $0.member("secret", name) }
                    try await call.core.store.write { transaction in
                        try transaction.removeIdentitySecret(name, of: id)
                        try transaction.audit(entry)
                    }
                    return call.noContent()
                }),
        ].map { $0.traced(.secret) }
    }
}

extension Call {
    /// The id of the path's channel. Throws `unknownChannel` for one that is not there for the caller.
    fileprivate func reachedChannel(_ desk: any DeskService) async throws -> String {
        let id = parameters["channel"]
        guard rights.reaches(id) else { throw ChatError.unknownChannel(id) }
        return try await desk.channel(id).id
    }
}

extension IdentitySecret {
    /// - Parameter text: the secret itself, which only the answer that makes it has.
    fileprivate func encode(to json: inout JSONWriter, text: String? = nil) {
        json.beginObject()
        json.member("id", id)
        json.member("secret", text)
        json.member("createdAt", createdAt)
        json.endObject()
    }
}
