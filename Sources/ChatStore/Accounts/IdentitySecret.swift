import ChatModel
import Formats

/// A row of `identitySecret`: that a channel has a secret with which a shop's server says who a customer is. The secret itself
/// is not kept: it is derived from the gateway's key, the channel and the id.
public struct IdentitySecret: Sendable, Equatable {
    /// How many a channel has at most: the one in use, and the next one.
    public static let maximumCount = 2

    /// It is the `kid` of a JWT.
    public var id: String
    public var createdAt: Timestamp
}

extension ReadTransaction {
    /// The secrets of a channel of the embedded service, oldest first.
    public func identitySecrets(of channel: String) throws -> [IdentitySecret] {
        try db.all("SELECT id, createdAt FROM identitySecret WHERE channel = ?", [.text(channel)]) {
            IdentitySecret(id: $0.text(0), createdAt: Timestamp(milliseconds: $0.integer(1)))
        }.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    }
}

extension WriteTransaction {
    /// Throws `tooManySecrets` where the channel has ``IdentitySecret/maximumCount``.
    public func addIdentitySecret(_ id: String, of channel: String) throws -> IdentitySecret {
        guard try identitySecrets(of: channel).count < IdentitySecret.maximumCount else {
            throw ChatError(
                .tooManySecrets, "A channel has at most \(IdentitySecret.maximumCount) secrets: remove one first.")
        }
        let secret = IdentitySecret(id: id, createdAt: now)
        try db.run(
            "INSERT INTO identitySecret (channel, id, createdAt) VALUES (?, ?, ?)",
            [.text(channel), .text(id), .integer(now.milliseconds)])
        return secret
    }

    /// Throws `unknownSecret`.
    public func removeIdentitySecret(_ id: String, of channel: String) throws {
        let changes = try db.change(
            "DELETE FROM identitySecret WHERE channel = ? AND id = ?", [.text(channel), .text(id)])
        guard changes == 1 else { throw ChatError(.unknownSecret, "The channel \(channel) has no secret \(id).") }
    }
}
