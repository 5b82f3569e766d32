import ChatModel
import Formats
import Bounds

/// An `Idempotency-Key` on its way to the unit that does the work. The unit stores it, so work and receipt commit
/// together.
public struct Receipt: Sendable {
    /// A hash of who asked for what with which key.
    public var scope: String
    /// What the request's body was, hashed.
    public var fingerprint: String
    /// Who asked, if its receipts are bounded (``maximumCount``); nil for the gateway's own token.
    public var holder: String?

    public init(scope: String, fingerprint: String, holder: String? = nil) {
        self.scope = scope
        self.fingerprint = fingerprint
        self.holder = holder
    }

    /// Receipts are kept for 24 hours.
    public static let lifetimeInMilliseconds: Int64 = 24 * 3_600_000
    /// How many receipts of one holder are kept. The oldest ones go: their requests would be performed again.
    public static let maximumCount = 10_000
    /// About so many more there may be for a while, before they go all at once.
    static let slack = 500
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
    /// The resource's version, for `ETag`; nil if it has none. A receipt does not keep it: who is answered again asks
    /// for the resource, which may have changed.
    public var version: Int64?

    public init(_ kind: Kind, id: String = "", body: [UInt8] = [], version: Int64? = nil) {
        self.kind = kind
        self.id = id
        self.body = body
        self.version = version
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
            "SELECT fingerprint, kind, id, body, message FROM receipt WHERE scope = ? AND at >= ?",
            [.text(scope), .integer(time.milliseconds)]
        ) {
            StoredReceipt(
                fingerprint: $0.text(0),
                outcome: Outcome(
                    Outcome.Kind(rawValue: $0.text(1)) ?? .none, id: $0.text(2),
                    body: try answer(kept: $0.blob(3), message: $0.isNull(4) ? nil : $0.integer(4))))
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
        try record(receipt, outcome, keeping: outcome.body, message: message)
    }

    /// The same for an answer that is this thread as a reader sees it: great fields are kept by reference.
    public func record(_ receipt: Receipt?, _ outcome: Outcome, showing thread: ThreadRecord) throws {
        guard let receipt else { return }
        let body = KeptAnswer.kept(outcome.body, of: thread)
        try record(receipt, outcome, keeping: body, message: thread.lastMessageNumber)
    }

    /// The same for an answer that is this message: a great one is kept by reference.
    public func record(_ receipt: Receipt?, _ outcome: Outcome, showing message: MessageRecord) throws {
        guard let receipt else { return }
        let body = KeptAnswer.keptMessage(outcome.body)
        try record(receipt, outcome, keeping: body, message: message.number)
    }

    private func record(_ receipt: Receipt, _ outcome: Outcome, keeping body: [UInt8], message: Int64?) throws {
        try db.run(
            """
            INSERT INTO receipt (scope, fingerprint, kind, id, body, message, at, holder) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (scope) DO UPDATE SET fingerprint = excluded.fingerprint, kind = excluded.kind, id = excluded.id,
                body = excluded.body, message = excluded.message, at = excluded.at, holder = excluded.holder
            """,
            [
                .text(receipt.scope), .text(receipt.fingerprint), .text(outcome.kind.rawValue), .text(outcome.id),
                .blob(body), .optional(message), .integer(now.milliseconds), .optional(receipt.holder),
            ])
        // To look costs an index entry for each receipt of the holder, so it is done for one in a few hundred.
        guard let holder = receipt.holder, environment.random() * Double(Receipt.slack) < 1 else { return }
        try trimReceipts(of: holder)
    }

    /// Removes the oldest receipts of a holder that has too many.
    func trimReceipts(of holder: String) throws {
        try db.run(
            """
            DELETE FROM receipt WHERE scope IN (
                SELECT scope FROM receipt WHERE holder = ? ORDER BY at DESC LIMIT 5000 OFFSET \(Receipt.maximumCount)
            )
            """, [.text(holder)])
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

/// The body of an answer as a receipt keeps it. What can be made again is kept by reference: otherwise a few hundred
/// repeated requests about a great thread would fill the disk.
///
/// The first byte tells a reference from JSON, which never begins with a letter of this kind.
enum KeptAnswer {
    /// A thread whose great fields are a reference follows.
    fileprivate static let thread = UInt8(ascii: "T")
    /// The message that the receipt names.
    fileprivate static let message = UInt8(ascii: "M")

    static func kept(_ body: [UInt8], of record: ThreadRecord) -> [UInt8] {
        guard let fields = record.storedFields else { return body }
        let replaced = GreatFields(thread: record.number, fields).replaced(in: body)
        return replaced.count < body.count ? [thread] + replaced : body
    }

    static func keptMessage(_ body: [UInt8]) -> [UInt8] {
        body.count <= ByteBound.receiptMessage.bytes ? body : [message]
    }
}

extension ReadTransaction {
    /// The answer that ``KeptAnswer`` stands for. Fields and message are as they are now.
    ///
    /// - Parameter message: the receipt's message. When it is removed, the receipt has another body.
    func answer(kept body: [UInt8], message: Int64?) throws -> [UInt8] {
        switch body.first {
        case KeptAnswer.thread: return try db.whole(Array(body.dropFirst()))
        case KeptAnswer.message:
            let json = try db.first("SELECT json FROM message WHERE number = ?", [.optional(message)]) { $0.blob(0) }
            return json ?? Array("{}".utf8)
        default: return body
        }
    }
}

/// A hash of texts (FNV-1a, 64 bits) that is the same in every process, so that it can be stored. It does not withstand
/// one who looks for two texts with one hash.
struct StableHash {
    private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func add(_ text: String) {
        for byte in text.utf8 { add(byte) }
        // A byte that UTF-8 never has ends each text.
        add(0xFF)
    }

    private mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
}
