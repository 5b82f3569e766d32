import ChatModel
import Formats

/// An `Idempotency-Key` on its way down: the unit that does the work writes it.
public struct Receipt: Sendable {
    /// Who asked for what with which key, hashed.
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

/// What a write did, as it is answered and as its receipt keeps it.
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
    /// Keeps what the unit did under its receipt, if it came with one.
    ///
    /// - Parameter message: the message whose text the outcome's body carries.
    public func record(_ receipt: Receipt?, _ outcome: Outcome, message: Int64? = nil) throws {
        guard let receipt else { return }
        try db.run(
            "REPLACE INTO receipt (scope, fingerprint, kind, id, body, message, at) VALUES (?, ?, ?, ?, ?, ?, ?)",
            [.text(receipt.scope), .text(receipt.fingerprint), .text(outcome.kind.rawValue), .text(outcome.id),
             .blob(outcome.body), .optional(message), .integer(now.milliseconds)])
    }

    /// Takes a receipt back: what it stood for did not happen after all.
    public func withdraw(_ receipt: Receipt?) throws {
        guard let receipt else { return }
        try db.run("DELETE FROM receipt WHERE scope = ?", [.text(receipt.scope)])
    }

    /// A removed message's text leaves the receipts as well: a replay then answers with what is left of it.
    func scrubReceipts(message: Int64, replacement: [UInt8]) throws {
        try db.run("UPDATE receipt SET body = ?, message = NULL WHERE message = ?", [.blob(replacement), .integer(message)])
    }
}
