import ChatModel
import Formats

/// An `Idempotency-Key` on its way to the unit that does the work. The unit stores it, so work and receipt commit
/// together.
public struct Receipt: Sendable {
    /// A hash of who asked for what with which key.
    public var scope: String
    /// What the request's body was, hashed.
    public var fingerprint: String

    public init(scope: String, fingerprint: String) {
        self.scope = scope
        self.fingerprint = fingerprint
    }

    /// Receipts are kept for 24 hours.
    public static let lifetimeInMilliseconds: Int64 = 24 * 3_600_000
}

/// The result of a write: what the route answers, and what the receipt keeps to answer a repeated request.
public struct Outcome: Sendable {
    public enum Kind: String, Sendable {
        case created, ok, none
    }

    public var kind: Kind
    /// The resource's id; empty if there is none.
    public var id: String
    /// The resource's JSON as it is answered; empty if there is none.
    public var body: [UInt8]

    public init(_ kind: Kind, id: String = "", body: [UInt8] = []) {
        self.kind = kind
        self.id = id
        self.body = body
    }
}

/// A receipt as it is found: the request's hash and the result to answer again.
public struct StoredReceipt: Sendable {
    public var fingerprint: String
    public var outcome: Outcome
}

extension ReadTransaction {
    func receipt(scope: String, notBefore time: Timestamp) throws -> StoredReceipt? {
        try db.first(
            "SELECT fingerprint, kind, id, body FROM receipt WHERE scope = ? AND at >= ?",
            [.text(scope), .integer(time.milliseconds)]
        ) {
            StoredReceipt(
                fingerprint: $0.text(0),
                outcome: Outcome(Outcome.Kind(rawValue: $0.text(1)) ?? .none, id: $0.text(2), body: $0.blob(3)))
        }
    }
}

extension WriteTransaction {
    /// Stores the outcome under the receipt; does nothing without a receipt.
    ///
    /// - Parameter message: the number of the message whose text the body contains, so that removing the message
    ///   finds it.
    public func record(_ receipt: Receipt?, _ outcome: Outcome, message: Int64? = nil) throws {
        guard let receipt else { return }
        try db.run(
            """
            INSERT INTO receipt (scope, fingerprint, kind, id, body, message, at) VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (scope) DO UPDATE SET fingerprint = excluded.fingerprint, kind = excluded.kind, id = excluded.id,
                body = excluded.body, message = excluded.message, at = excluded.at
            """,
            [
                .text(receipt.scope), .text(receipt.fingerprint), .text(outcome.kind.rawValue), .text(outcome.id),
                .blob(outcome.body), .optional(message), .integer(now.milliseconds),
            ])
    }

    /// Deletes a receipt, because the work was not done after all. The same key may then be used again.
    public func withdraw(_ receipt: Receipt?) throws {
        guard let receipt else { return }
        try db.run("DELETE FROM receipt WHERE scope = ?", [.text(receipt.scope)])
    }

    /// Replaces the bodies that contain a removed message's text. A repeated request then gets the replacement.
    func scrubReceipts(message: Int64, replacement: [UInt8]) throws {
        try db.run(
            "UPDATE receipt SET body = ?, message = NULL WHERE message = ?", [.blob(replacement), .integer(message)])
    }
}
