import ChatModel

extension TargetKind {
    /// The kinds of devices, of a session or the desk, to which this gateway pushes. They get push messages, not
    /// events.
    public static let devices: [TargetKind] = [.webPush, .apns, .fcm]

    /// ``devices`` as an SQL list.
    static let deviceList = list(devices)
    /// The same with the devices to which a platform pushes.
    static let allDeviceList = list(devices + [.platform])

    private static func list(_ kinds: [TargetKind]) -> String {
        "(" + kinds.map { "'\($0.rawValue)'" }.joined(separator: ", ") + ")"
    }
}

extension ReadTransaction {
    /// The device of a session, whoever pushes to it; nil if it has none. A session has at most one.
    public func device(of session: String, account: Int64) throws -> TargetRecord? {
        try db.first(
            """
            SELECT \(TargetRecord.columns) FROM target
            WHERE account = ? AND kind IN \(TargetKind.allDeviceList) AND session = ?
            """, [.integer(account), .text(session)], TargetRecord.init)
    }

    /// The devices that are stored under a session's id, of any account, to which this gateway pushes.
    public func devices(of session: String) throws -> [TargetRecord] {
        try db.all(
            "SELECT \(TargetRecord.columns) FROM target WHERE kind IN \(TargetKind.deviceList) AND session = ?",
            [.text(session)], TargetRecord.init)
    }

    /// The same for all ids that begin with this text. It reads every device, so it is not for what happens often.
    public func devices(ofSessionsBeginningWith prefix: String) throws -> [TargetRecord] {
        try db.all(
            """
            SELECT \(TargetRecord.columns) FROM target
            WHERE kind IN \(TargetKind.deviceList) AND substr(session, 1, length(?1)) = ?1
            """, [.text(prefix)], TargetRecord.init)
    }

    /// The device to which the account's platform pushes; of several sessions' devices, the one that was registered
    /// last.
    public func platformDevice(of account: Int64) throws -> TargetRecord? {
        let devices = try db.all(
            "SELECT \(TargetRecord.columns) FROM target WHERE account = ? AND kind = 'platform'", [.integer(account)],
            TargetRecord.init)
        return devices.max { ($0.createdAt, $0.number) < ($1.createdAt, $1.number) }
    }

    /// The desk's devices, oldest first: ``TargetDraft/maximumDeskDevices`` at most.
    public func deskDevices() throws -> [TargetRecord] {
        try TargetKind.devices.flatMap { kind in
            try db.all(
                "SELECT \(TargetRecord.columns) FROM target WHERE account IS NULL AND kind = ? ORDER BY number",
                [.text(kind.rawValue)], TargetRecord.init)
        }
    }

    /// The desk's device of this id; nil where there is none.
    public func deskDevice(_ id: String) throws -> TargetRecord? {
        try target(id).flatMap { TargetKind.devices.contains($0.kind) && $0.audience == .desk ? $0 : nil }
    }

    /// The devices of a kind that are reached at this address, whoever has them.
    func devices(of kind: TargetKind, at address: String?) throws -> [TargetRecord] {
        try db.all(
            "SELECT \(TargetRecord.columns) FROM target WHERE address = ? AND kind = ?",
            [.optional(address), .text(kind.rawValue)], TargetRecord.init)
    }

    /// The active devices of an account, or of the desk, to which this gateway pushes. Empty for a session.
    public func activeDevices(of audience: Audience) throws -> [TargetRecord] {
        guard case .account(let account) = audience else {
            return audience == .desk ? try deskDevices().filter { $0.health.state == .active } : []
        }
        return try db.all(
            """
            SELECT \(TargetRecord.columns) FROM target
            WHERE account = ? AND kind IN \(TargetKind.deviceList) AND state = 'active'
            """, [.integer(account)], TargetRecord.init)
    }

    /// The devices of a kind that are disabled because their push service refused the pushes of this gateway.
    public func refusedDevices(of kind: TargetKind) throws -> [TargetRecord] {
        try db.all(
            "SELECT \(TargetRecord.columns) FROM target WHERE kind = ? AND state = 'disabled' AND reason = 'refused'",
            [.text(kind.rawValue)], TargetRecord.init)
    }

    /// The accounts that have active devices, and the desk if it has one.
    public func audiencesWithDevices() throws -> Set<Audience> {
        Set(
            try db.all(
                "SELECT DISTINCT account FROM target WHERE kind IN \(TargetKind.deviceList) AND state = 'active'", []
            ) { $0.isNull(0) ? .desk : .account($0.integer(0)) })
    }

    /// The offset up to which the log was searched for messages to push, for all devices together. Never below the
    /// log's floor.
    public func pushPosition() throws -> Int64 { max(try meta("pushPosition"), try meta("floor")) }

    /// At most `limit` events `message.created` after an offset, in the log's order. `through` is the offset up to
    /// which the log was searched.
    public func loggedMessages(
        after offset: Int64, limit: Int, epoch: String
    ) throws -> (events: [LogEvent], through: Int64) {
        let events = try db.all(
            """
            SELECT \(LogEvent.columns) FROM log JOIN account ON account.number = log.owner
            WHERE log.place > ? AND log.type = 'message.created' ORDER BY log.place LIMIT ?
            """, [.integer(offset), .integer(Int64(limit))]
        ) { try LogEvent(row: $0, epoch: epoch, in: self) }
        let end = events.count < limit ? try headOffset() : events.last?.offset ?? offset
        return (events, max(end, offset))
    }

    /// The devices among up to 100 targets that have pending pushes, with these. A device has up to 256. They are read
    /// when the gateway starts, and their deliveries continue.
    ///
    /// - Parameter target: the number of the last target of the step before; 0 begins.
    /// - Returns: `next` is the target after which the next step begins; nil at the end.
    public func pendingPushes(ofTargetsAfter target: Int64) throws -> (devices: [TakenDeliveries], next: Int64?) {
        let step = 100
        let targets = try db.all(
            "SELECT \(TargetRecord.columns) FROM target WHERE number > ? ORDER BY number LIMIT ?",
            [.integer(target), .integer(Int64(step))], TargetRecord.init)
        let devices = try targets.filter { TargetKind.devices.contains($0.kind) }.map {
            TakenDeliveries(target: $0, deliveries: try pendingDeliveries(of: $0.number))
        }
        return (devices.filter { !$0.deliveries.isEmpty }, targets.count < step ? nil : targets.last?.number)
    }
}
