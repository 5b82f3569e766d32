import ChatModel

/// A message of which a device is to be told.
public struct PushDraft: Sendable {
    public var device: Int64
    public var event: LogEvent

    public init(device: Int64, event: LogEvent) {
        self.device = device
        self.event = event
    }
}

extension WriteTransaction {
    /// Makes a session's device, or changes the one that it has; then it takes pushes, of messages from now on. Of one that
    /// is the same and takes them the time of its registration alone is changed.
    ///
    /// - Parameters:
    ///   - draft: its audience is an account; its session is named.
    ///   - isSame: whether a device of another session in the same channel is this device: somebody else has logged in
    ///     on it. Then it is removed there.
    public func setDevice(_ draft: TargetDraft, isSame: (TargetRecord) throws -> Bool) throws -> TargetRecord {
        guard case .account(let account) = draft.audience, let session = draft.session else {
            throw ChatError(.storageFailed, "A device has no session.")
        }
        let known = try device(of: session, account: account)
        if let known, known.kind == draft.kind, known.settings == draft.settings, known.health.state == .active {
            try db.run(
                "UPDATE target SET createdAt = ?, version = version + 1 WHERE number = ?",
                [.integer(now.milliseconds), .integer(known.number)])
            return try target(number: known.number) ?? known
        }
        for other in try targets(of: draft.kind) where other.number != known?.number {
            guard case .account(let owner) = other.audience, try isInChannel(owner, of: account), try isSame(other) else { continue }
            try deleteTarget(other.id)
        }
        // The first device: what was logged before it concerns none.
        if try accountsWithDevices().isEmpty { try setPushPosition(head) }
        guard let known else { return try insert(draft).target }
        try db.run(
            """
            UPDATE target SET kind = ?, json = ?, state = 'active', reason = NULL, failures = 0, position = ?, createdAt = ?,
                version = version + 1 WHERE number = ?
            """,
            [.text(draft.kind.rawValue), .blob(draft.settings), .integer(head), .integer(now.milliseconds), .integer(known.number)])
        return try target(number: known.number) ?? known
    }

    /// A device takes nothing any more; what names it is erased. Its pushes end.
    ///
    /// - Parameters:
    ///   - reason: in one word.
    ///   - version: of the device that was tried; one that was registered anew stays.
    ///   - settings: what stays of them.
    public func closeDevice(_ number: Int64, version: Int64, reason: String, settings: [UInt8]) throws {
        guard let device = try target(number: number), device.version == version else { return }
        try setSettingsAndClose(device, reason, settings)
        try db.run(
            """
            UPDATE delivery SET state = 'dropped', reason = ?, nextAt = NULL, doneAt = ?
            WHERE target = ? AND state = 'pending'
            """, [.text(reason), .integer(now.milliseconds), .integer(number)])
    }

    /// A device that was refused takes pushes again, of messages from now on.
    ///
    /// - Parameter version: of the device that was refused; one that was registered anew stays.
    public func reopenDevice(_ number: Int64, version: Int64) throws {
        if try accountsWithDevices().isEmpty { try setPushPosition(head) }
        try db.run(
            """
            UPDATE target SET state = 'active', reason = NULL, failures = 0, position = ?, version = version + 1
            WHERE number = ? AND version = ?
            """, [.integer(head), .integer(number), .integer(version)])
    }

    /// How often a device's service has refused who sends, in a row.
    public func setRefusals(_ count: Int, ofDevice number: Int64, version: Int64) throws {
        try db.run(
            "UPDATE target SET failures = ? WHERE number = ? AND version = ?",
            [.integer(Int64(count)), .integer(number), .integer(version)])
    }

    /// Keeps pushes that are due at a time, and how far the log was looked through: both in one unit, so that each
    /// message is taken once.
    ///
    /// Returns those that are new. A device that has ``pendingLimit`` pushes, or was closed meanwhile, gets none.
    public func takePushes(_ drafts: [PushDraft], through offset: Int64, nextAt: Timestamp) throws -> [DeliveryRecord] {
        try setPushPosition(offset)
        return try drafts.compactMap { draft in
            guard let at = draft.event.offset, try target(number: draft.device)?.health.state == .active,
                  try pendingCount(of: draft.device) < Self.pendingLimit else { return nil }
            return try db.first(
                """
                INSERT INTO delivery (target, offset, lane, message, type, state, createdAt, nextAt)
                VALUES (?, ?, ?, ?, ?, 'pending', ?, ?) ON CONFLICT (target, offset) DO NOTHING RETURNING \(DeliveryRecord.columns)
                """,
                [.integer(draft.device), .integer(at), .integer(draft.event.lane), .optional(draft.event.message),
                 .text(draft.event.type.rawValue), .integer(now.milliseconds), .integer(nextAt.milliseconds)],
                DeliveryRecord.init)
        }
    }

    /// A push that is not sent, or not any more. One that has ended stays as it is.
    public func dropPush(_ number: Int64, reason: String) throws {
        try db.run(
            """
            UPDATE delivery SET state = 'dropped', reason = ?, nextAt = NULL, doneAt = ? WHERE number = ? AND state = 'pending'
            """, [.text(reason), .integer(now.milliseconds), .integer(number)])
    }

    public func setPushPosition(_ offset: Int64) throws {
        try db.run("REPLACE INTO meta (name, value) VALUES ('pushPosition', ?)", [.integer(offset)])
    }

    private func setSettingsAndClose(_ device: TargetRecord, _ reason: String, _ settings: [UInt8]) throws {
        try db.run(
            "UPDATE target SET json = ?, state = 'disabled', reason = ?, version = version + 1 WHERE number = ?",
            [.blob(settings), .text(reason), .integer(device.number)])
    }

    private func isInChannel(_ other: Int64, of account: Int64) throws -> Bool {
        let (one, two) = (try self.account(other).key, try self.account(account).key)
        return one.service == two.service && one.channel == two.channel
    }
}
