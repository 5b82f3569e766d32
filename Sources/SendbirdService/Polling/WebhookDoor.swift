import SendbirdWire

/// Where the webhooks of the applications come in. They are an accelerator: what they tell is not believed, and one that is
/// lost, doubled, late or forged changes nothing but when the platform is asked.
struct WebhookDoor: Sendable {
    private struct Entry: Sendable {
        let secret: String
        let application: String
        /// Nil where no master token is known: then the secret of the path is all there is.
        let signature: SendbirdSignature?
        let runtime: ApplicationRuntime
    }
    private let entries: [Entry]

    init(_ runtimes: [ApplicationRuntime]) {
        entries = runtimes.compactMap { runtime in
            runtime.application.hookSecret.map { secret in
                Entry(
                    secret: secret, application: runtime.application.id,
                    signature: runtime.application.masterToken.map(SendbirdSignature.init(masterToken:)),
                    runtime: runtime)
            }
        }
    }

    func take(_ body: [UInt8], secret: String, signature: String?) -> SendbirdService.Webhook {
        guard let entry = entries.first(where: { secret.isSecretly($0.secret) }) else { return .unknown }
        guard body.count <= SendbirdBound.webhook else { return .forged }
        if let key = entry.signature {
            guard let signature, key.accepts(signature, of: body) else { return .forged }
        }
        // The platform is told that all is well, also for what nothing is done with: it would send it again.
        guard let webhook = try? ReceivedWebhook(body: body), webhook.applicationID == entry.application else {
            return .taken
        }
        entry.runtime.hear(webhook)
        return .taken
    }
}
