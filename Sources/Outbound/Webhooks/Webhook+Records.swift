import Chat
import ChatModel
import ChatStore
import Formats

/// Rows of the store as the owner of a webhook sees them.
extension Webhook {
    /// - Parameters:
    ///   - epoch: of the log.
    ///   - offset: the position in the log at which the target was read.
    init(_ target: TargetRecord, lag: Int64, epoch: String, offset: Int64) throws {
        let settings = try WebhookSettings(canonicalJSON: target.settings)
        let audience: WebhookAudience =
            if case .account(let account) = target.audience {
                .session(target.session ?? "", account: account)
            } else {
                .desk
            }
        self.init(
            id: target.id, url: settings.url, description: settings.description, audience: audience,
            types: settings.types ?? WebhookFilter.durableTypes, directions: settings.directions,
            channels: settings.channels, headerNames: settings.headers.map(\.name), concurrency: settings.concurrency,
            timeoutSeconds: settings.timeoutSeconds, state: target.health.state, reason: target.health.reason,
            cursor: Cursor(epoch: epoch, offset: target.position), lag: lag, failingSince: target.health.failingSince,
            nextAttemptAt: target.health.nextAt, createdAt: target.createdAt, version: target.version, offset: offset)
    }
}

extension ReadTransaction {
    /// The webhook of this id. Throws `unknownWebhook`, also for a target of another kind.
    func webhook(_ id: String) throws -> TargetRecord {
        guard let target = try target(id), target.kind == .webhook else { throw ChatError.unknownWebhook(id) }
        return target
    }
}
