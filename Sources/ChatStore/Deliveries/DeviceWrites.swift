import ChatModel
import Formats

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
    /// A device at the same address in another session of the channel is removed there: somebody else has logged in on it.
    ///
    /// - Parameter draft: its audience is an account; its session is named.
    /// - Returns: the device, and the other accounts that had one at its address.
    @discardableResult
    public func setDevice(_ draft: TargetDraft) throws -> (device: TargetRecord, formerOwners: Set<Int64>) {
        guard case .account(let account) = draft.audience, let session = draft.session else {
            throw ChatError(.storageFailed, "A device has no session.")
        }
        let known = try device(of: session, account: account)
        if let known, known.isTaking(draft) {
            try db.run(
                "UPDATE target SET createdAt = ?, version = version + 1 WHERE number = ?",
                [.integer(now.milliseconds), .integer(known.number)])
            return (try target(number: known.number) ?? known, [])
        }
        var former: Set<Int64> = []
        for other in try devices(of: draft.kind, at: draft.address) where other.number != known?.number {
            guard case .account(let owner) = other.audience, try isInChannel(owner, of: account) else { continue }
            if owner != account { former.insert(owner) }
            try deleteTarget(other.id)
        }
        return (try keep(draft, as: known), former)
    }

    /// Makes a device of the desk, or changes the one that is reached at the same address.
    ///
    /// Where there are ``TargetDraft/maximumDeskDevices``, the oldest of those that are closed makes room. Throws
    /// `tooManyDevices` where there is none.
    public func setDeskDevice(_ draft: TargetDraft) throws -> (device: TargetRecord, isNew: Bool) {
        let known = try devices(of: draft.kind, at: draft.address).first { $0.audience == .desk }
        if let known { return (known.isTaking(draft) ? known : try keep(draft, as: known), false) }
        let all = try deskDevices()
        if all.count >= TargetDraft.maximumDeskDevices {
            guard let closed = all.first(where: { $0.health.state != .active }) else {
                throw ChatError(
                    .tooManyDevices, "The desk has \(TargetDraft.maximumDeskDevices) devices, which is the most there may be.")
            }
            try deleteTarget(closed.id)
        }
        return (try keep(draft, as: nil), true)
    }

    private func keep(_ draft: TargetDraft, as known: TargetRecord?) throws -> TargetRecord {
        // The first device: what was logged before it concerns none.
        if try audiencesWithDevices().isEmpty { try setPushPosition(head) }
        guard let known else { return try insert(draft).target }
        // What waits was meant for a device of another kind, which this one cannot take.
        if known.kind != draft.kind { try dropPushes(of: known.number, reason: "replaced") }
        try db.run(
            """
            UPDATE target SET kind = ?, json = ?, address = ?, state = 'active', reason = NULL, failures = 0, position = ?,
                createdAt = ?, version = version + 1 WHERE number = ?
            """,
            [.text(draft.kind.rawValue), .blob(draft.settings), .optional(draft.address), .integer(head),
             .integer(now.milliseconds), .integer(known.number)])
        return try target(number: known.number) ?? known
    }

    /// A device takes nothing any more; what names it is erased. Its pushes end.
    ///
    /// - Parameters:
    ///   - reason: in one word.
    ///   - version: of the device that was tried; one that was registered anew stays.
    ///   - settings: what stays of them.
    ///   - address: where it can still be reached, if it is registered anew.
    public func closeDevice(
        _ number: Int64, version: Int64, reason: String, settings: [UInt8], address: String? = nil
    ) throws {
        guard let device = try target(number: number), device.version == version else { return }
        try db.run(
            "UPDATE target SET json = ?, address = ?, state = 'disabled', reason = ?, version = version + 1 WHERE number = ?",
            [.blob(settings), .optional(address), .text(reason), .integer(device.number)])
        try dropPushes(of: number, reason: reason)
    }

    private func dropPushes(of device: Int64, reason: String) throws {
        try db.run(
            """
            UPDATE delivery SET state = 'dropped', reason = ?, nextAt = NULL, doneAt = ?
            WHERE target = ? AND state = 'pending'
            """, [.text(reason), .integer(now.milliseconds), .integer(device)])
    }

    /// A device that was refused takes pushes again, of messages from now on.
    ///
    /// - Parameter version: of the device that was refused; one that was registered anew stays.
    public func reopenDevice(_ number: Int64, version: Int64) throws {
        if try audiencesWithDevices().isEmpty { try setPushPosition(head) }
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
            guard let at = draft.event.offset, let device = try target(number: draft.device),
                  TargetKind.devices.contains(device.kind), device.health.state == .active,
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

    /// Notes up to which offset of the log pushes were made, so that a restart repeats none.
    public func setPushPosition(_ offset: Int64) throws {
        try db.run("REPLACE INTO meta (name, value) VALUES ('pushPosition', ?)", [.integer(offset)])
    }

    private func isInChannel(_ other: Int64, of account: Int64) throws -> Bool {
        let (one, two) = (try self.account(other).key, try self.account(account).key)
        return one.service == two.service && one.channel == two.channel
    }
}

extension TargetRecord {
    /// Whether this device is what the draft says, and takes pushes.
    fileprivate func isTaking(_ draft: TargetDraft) -> Bool {
        kind == draft.kind && settings == draft.settings && health.state == .active
    }
}
