import ChatModel
import Formats

/// What stays of a device that takes nothing any more.
public struct ClosedDevice: Sendable, Hashable {
    public var settings: [UInt8]
    /// By which a new registration finds the row; nil: it is erased.
    public var address: String?

    public init(settings: [UInt8], address: String? = nil) {
        self.settings = settings
        self.address = address
    }
}

/// A message that a device is to be told of, and its event.
public struct PushDraft: Sendable {
    public var device: Int64
    public var event: LogEvent

    public init(device: Int64, event: LogEvent) {
        self.device = device
        self.event = event
    }
}

extension WriteTransaction {
    /// Registers the device of a session, or replaces the one that it has. It then takes pushes for messages from now
    /// on. Registering an active device with the same settings only updates the time.
    ///
    /// Devices with the same address in other sessions of the channel are removed: somebody else has logged in on
    /// that device, and must not read the pushes of the one before.
    ///
    /// - Parameter draft: it names an account as audience, and a session; otherwise `storageFailed` is thrown.
    /// Throws `preconditionFailed` if the session has a device and must not have one.
    ///
    /// - Returns: the device, whether the session had none before, and the other accounts that had a device at its
    ///   address.
    @discardableResult
    public func setDevice(
        _ draft: TargetDraft, onlyNew: Bool = false
    ) throws -> (device: TargetRecord, isNew: Bool, formerOwners: Set<Int64>) {
        guard case .account(let account) = draft.audience, let session = draft.session else {
            throw ChatError(.storageFailed, "A device is not stored with a session.")
        }
        let known = try device(of: session, account: account)
        if onlyNew, known != nil {
            throw ChatError(.preconditionFailed, "The session has a device, and If-None-Match says that it must not.")
        }
        if let known, known.isTaking(draft) {
            try db.run(
                "UPDATE target SET createdAt = ?, version = version + 1 WHERE number = ?",
                [.integer(now.milliseconds), .integer(known.number)])
            return (try target(number: known.number) ?? known, false, [])
        }
        var former: Set<Int64> = []
        for other in try devices(of: draft.kind, at: draft.address) where other.number != known?.number {
            guard case .account(let owner) = other.audience, try isInChannel(owner, of: account) else { continue }
            if owner != account { former.insert(owner) }
            try deleteTarget(other.id)
        }
        return (try saveDevice(draft, as: known), known == nil, former)
    }

    /// Deletes the device of a session with its pushes, whoever pushes to it. Returns whether the session had one.
    public func deleteDevice(of session: String, account: Int64) throws -> Bool {
        try device(of: session, account: account).map { try deleteTarget($0.id) } != nil
    }

    /// Registers a device of the desk, or replaces the one with the same address. It ends with the draft's credential.
    ///
    /// When the desk has ``TargetDraft/maximumDeskDevices`` devices, the oldest disabled one is removed. Throws
    /// `tooManyDevices` when all are active, and `unknownLogin` for a credential that has ended.
    public func setDeskDevice(_ draft: TargetDraft) throws -> (device: TargetRecord, isNew: Bool) {
        if let credential = draft.credential, try !isCurrent(credential, at: now) {
            throw ChatError(.unknownLogin, "The login or key has ended, or sees some channels only.")
        }
        let known = try devices(of: draft.kind, at: draft.address).first { $0.audience == .desk }
        if let known { return (known.isTaking(draft) ? known : try saveDevice(draft, as: known), false) }
        let all = try deskDevices()
        if all.count >= TargetDraft.maximumDeskDevices {
            guard let closed = all.first(where: { $0.health.state != .active }) else {
                throw ChatError(
                    .tooManyDevices,
                    "The desk has \(TargetDraft.maximumDeskDevices) devices, and there may not be more.")
            }
            try deleteTarget(closed.id)
        }
        return (try saveDevice(draft, as: nil), true)
    }

    private func saveDevice(_ draft: TargetDraft, as known: TargetRecord?) throws -> TargetRecord {
        // The first device: what was logged before it concerns none.
        if try audiencesWithDevices().isEmpty { try setPushPosition(head) }
        guard let known else { return try insert(draft).target }
        // What waits was meant for a device of another kind, which this one cannot take.
        if known.kind != draft.kind { try dropPushes(of: known.number, reason: "replaced") }
        try db.run(
            """
            UPDATE target SET kind = ?, json = ?, address = ?, state = 'active', reason = NULL, failures = 0, position = ?,
                createdAt = ?, version = version + 1, credential = ? WHERE number = ?
            """,
            [
                .text(draft.kind.rawValue), .blob(draft.settings), .optional(draft.address), .integer(head),
                .integer(now.milliseconds), .optional(draft.credential?.text), .integer(known.number),
            ])
        return try target(number: known.number) ?? known
    }

    /// Disables a device and drops its pending pushes.
    ///
    /// - Parameters:
    ///   - version: of the device that was tried. Nothing happens to a device that was registered anew since.
    ///   - reason: a code of one word, such as `gone` or `refused`.
    public func closeDevice(_ number: Int64, version: Int64, reason: String, _ closed: ClosedDevice) throws {
        guard let device = try target(number: number), device.version == version else { return }
        try db.run(
            "UPDATE target SET json = ?, address = ?, state = 'disabled', reason = ?, version = version + 1 WHERE number = ?",
            [.blob(closed.settings), .optional(closed.address), .text(reason), .integer(device.number)])
        try dropPushes(of: number, reason: reason)
    }

    private func dropPushes(of device: Int64, reason: String) throws {
        try db.run(
            """
            UPDATE delivery SET state = 'dropped', reason = ?, nextAt = NULL, doneAt = ?
            WHERE target = ? AND state = 'pending'
            """, [.text(reason), .integer(now.milliseconds), .integer(device)])
    }

    /// Makes a disabled device active again, for messages from now on.
    ///
    /// - Parameter version: of the device that was refused. Nothing happens to a device that was registered anew
    ///   since.
    public func reopenDevice(_ number: Int64, version: Int64) throws {
        if try audiencesWithDevices().isEmpty { try setPushPosition(head) }
        try db.run(
            """
            UPDATE target SET state = 'active', reason = NULL, failures = 0, position = ?, version = version + 1
            WHERE number = ? AND version = ?
            """, [.integer(head), .integer(number), .integer(version)])
    }

    /// Stores pushes that are due at a time, and the offset up to which the log was searched. Both are in one unit,
    /// so each message is taken once.
    ///
    /// Returns the new ones with their devices. A device gets none if it was disabled meanwhile, or has
    /// ``pendingLimit`` pending pushes. Then the message is never pushed to it.
    public func takePushes(
        _ drafts: [PushDraft], through offset: Int64, nextAt: Timestamp
    ) throws -> [TakenDeliveries] {
        try setPushPosition(offset)
        return try drafts.compactMap { draft in
            guard let at = draft.event.offset, let device = try target(number: draft.device),
                TargetKind.devices.contains(device.kind), device.health.state == .active,
                try pendingCount(of: draft.device) < Self.pendingLimit
            else { return nil }
            let delivery = try db.first(
                """
                INSERT INTO delivery (target, place, lane, message, type, state, createdAt, nextAt)
                VALUES (?, ?, ?, ?, ?, 'pending', ?, ?) ON CONFLICT (target, place) DO NOTHING RETURNING \(DeliveryRecord.columns)
                """,
                [
                    .integer(draft.device), .integer(at), .integer(draft.event.lane), .optional(draft.event.message),
                    .text(draft.event.type.rawValue), .integer(now.milliseconds), .integer(nextAt.milliseconds),
                ],
                DeliveryRecord.init)
            return delivery.map { TakenDeliveries(target: device, deliveries: [$0]) }
        }
    }

    /// Ends a pending push that is not to be sent. A push that has ended stays as it is.
    ///
    /// - Parameter reason: a code of one word.
    public func dropPush(_ number: Int64, reason: String) throws {
        try db.run(
            """
            UPDATE delivery SET state = 'dropped', reason = ?, nextAt = NULL, doneAt = ? WHERE number = ? AND state = 'pending'
            """, [.text(reason), .integer(now.milliseconds), .integer(number)])
    }

    /// Stores the offset up to which pushes were made, so that a restart repeats none.
    public func setPushPosition(_ offset: Int64) throws {
        try setMeta("pushPosition", offset)
    }

    private func isInChannel(_ other: Int64, of account: Int64) throws -> Bool {
        let (one, two) = (try self.account(other).key, try self.account(account).key)
        return one.service == two.service && one.channel == two.channel
    }
}

extension TargetRecord {
    /// Whether this device is what the draft says, and takes pushes.
    fileprivate func isTaking(_ draft: TargetDraft) -> Bool {
        kind == draft.kind && settings == draft.settings && health.state == .active && credential == draft.credential
    }
}
