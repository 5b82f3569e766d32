import ChatModel
import Formats

/// The properties of a target that is to be made.
public struct TargetDraft: Sendable {
    public var id: String
    public var kind: TargetKind
    public var audience: Audience
    public var session: String?
    public var settings: [UInt8]
    /// The address of a device, in the form of its push service. Treat it as a secret. Nil for a webhook.
    public var address: String?
    /// The offset after which it gets events; nil for the head of the log, which means from now on.
    public var position: Int64?
    /// See ``TargetRecord/credential``.
    public var credential: DeskCredential?

    /// The most webhooks there may be.
    public static let maximumCount: Int64 = 100
    /// The most devices the desk may have.
    public static let maximumDeskDevices = 100

    public init(
        id: String, kind: TargetKind, audience: Audience, session: String? = nil, settings: [UInt8],
        address: String? = nil, position: Int64? = nil, credential: DeskCredential? = nil
    ) {
        self.id = id
        self.kind = kind
        self.audience = audience
        self.session = session
        self.settings = settings
        self.address = address
        self.position = position
        self.credential = credential
    }
}

extension WriteTransaction {
    /// Makes a target, or returns the existing one when its id and properties are the same.
    ///
    /// The receipt keeps no body, because the answer may contain a secret. Throws `webhookExists` for an id of
    /// another target, and `tooManyWebhooks`.
    public func insert(_ draft: TargetDraft, receipt: Receipt? = nil) throws -> (target: TargetRecord, isNew: Bool) {
        if let known = try target(draft.id) {
            guard known.kind == draft.kind, known.audience == draft.audience, known.session == draft.session,
                known.settings == draft.settings
            else {
                throw ChatError(.webhookExists, "Another webhook or device has the id \(draft.id).", pointer: "/id")
            }
            try record(receipt, Outcome(.ok, id: known.id))
            return (known, false)
        }
        let count =
            try db.first("SELECT count(*) FROM target WHERE kind = ?", [.text(draft.kind.rawValue)]) { $0.integer(0) }
            ?? 0
        if draft.kind == .webhook, count >= TargetDraft.maximumCount {
            throw ChatError(
                .tooManyWebhooks, "There are \(TargetDraft.maximumCount) webhooks, and there may not be more.")
        }
        let account: Int64? = if case .account(let number) = draft.audience { number } else { nil }
        try db.run(
            """
            INSERT INTO target (
                id, kind, account, session, json, address, generation, state, position, failures, createdAt, version,
                credential
            ) VALUES (?, ?, ?, ?, ?, ?, 1, 'active', ?, 0, ?, 1, ?)
            """,
            [
                .text(draft.id), .text(draft.kind.rawValue), .optional(account), .optional(draft.session),
                .blob(draft.settings),
                .optional(draft.address), .integer(draft.position ?? head), .integer(now.milliseconds),
                .optional(draft.credential?.text),
            ])
        guard let made = try target(draft.id) else {
            throw ChatError(.storageFailed, "A webhook or device is missing in the database.")
        }
        try record(receipt, Outcome(.created, id: made.id))
        return (made, true)
    }

    /// Replaces the settings. Throws `unknownWebhook`.
    public func setSettings(_ settings: [UInt8], ofTarget id: String) throws -> TargetRecord {
        try change(id) {
            try db.run(
                "UPDATE target SET json = ?, version = version + 1 WHERE number = ?",
                [.blob(settings), .integer($0.number)])
        }
    }

    /// Begins a new generation of the secret. Throws `unknownWebhook`.
    ///
    /// - Parameter previousUntil: until when deliveries are signed with the previous secret as well; nil for not at
    ///   all.
    public func rotateSecret(ofTarget id: String, previousUntil: Timestamp?) throws -> TargetRecord {
        try change(id) {
            try db.run(
                "UPDATE target SET generation = generation + 1, previousUntil = ?, version = version + 1 WHERE number = ?",
                [.optional(previousUntil?.milliseconds), .integer($0.number)])
        }
    }

    /// Pauses a target, or makes it active from the position at which it stopped. Throws `unknownWebhook`.
    ///
    /// Nothing happens to a target that is in this state already. Resuming clears the failures, so it is tried at
    /// once.
    public func setPaused(_ isPaused: Bool, target id: String) throws -> TargetRecord {
        try change(id) { target in
            let state: TargetState = isPaused ? .paused : .active
            // The new health has no waiting time: a target that failed is tried at once.
            guard target.health.state != state else { return }
            try write(TargetHealth(state: state), ofTarget: target.number)
        }
    }

    /// Deletes the target with its deliveries and attempts. Returns it as it was; nil if there was none.
    @discardableResult
    public func deleteTarget(_ id: String) throws -> TargetRecord? {
        guard let target = try target(id) else { return nil }
        let number = SQLValue.integer(target.number)
        try db.run("DELETE FROM attempt WHERE delivery IN (SELECT number FROM delivery WHERE target = ?)", [number])
        try db.run("DELETE FROM delivery WHERE target = ?", [number])
        try db.run("DELETE FROM target WHERE number = ?", [number])
        return target
    }

    /// Stores the health. The version grows only when the state changes.
    func write(_ health: TargetHealth, ofTarget number: Int64) throws {
        try db.run(
            """
            UPDATE target SET version = version + CASE WHEN state <> ?1 THEN 1 ELSE 0 END, state = ?1, reason = ?2, failingSince = ?3, failures = ?4,
                lastAttemptAt = ?5, nextAt = ?6
            WHERE number = ?7
            """,
            [
                .text(health.state.rawValue), .optional(health.reason), .optional(health.failingSince?.milliseconds),
                .integer(Int64(health.failures)), .optional(health.lastAttemptAt?.milliseconds),
                .optional(health.nextAt?.milliseconds), .integer(number),
            ])
    }

    /// Runs a change of the target with this id, and returns the target as it is afterwards. Throws `unknownWebhook`.
    func change(_ id: String, _ body: (TargetRecord) throws -> Void) throws -> TargetRecord {
        guard let target = try target(id) else { throw ChatError.unknownWebhook(id) }
        try body(target)
        guard let changed = try self.target(number: target.number) else {
            throw ChatError(.storageFailed, "A webhook or device is missing in the database.")
        }
        return changed
    }
}

extension ChatError {
    public static func unknownWebhook(_ id: String) -> ChatError {
        ChatError(.unknownWebhook, "There is no webhook \(id).")
    }
}
