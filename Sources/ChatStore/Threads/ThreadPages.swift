import ChatModel

/// Which threads a list shows, by whether they still take messages.
public enum ThreadFilter: String, Sendable, CaseIterable {
    case open, closed, all
}

extension ReadTransaction {
    /// A page of the account's threads, by latest activity. Throws `invalidParameter` for a cursor of another list.
    public func threadPage(of account: Int64, _ filter: ThreadFilter, _ request: PageRequest) throws -> PageBytes {
        let list = PageCursor.List.threads(account: account)
        let position = try request.threadPosition(in: list)
        func part(_ isClosed: Bool) throws -> [ThreadRow] {
            try db.all(
                """
                SELECT member.activity, member.thread, \(Membership.columns), thread.json
                FROM member JOIN thread ON thread.number = member.thread
                WHERE member.account = ? AND member.isClosed = ? AND (member.activity, member.thread) < (?, ?)
                ORDER BY member.activity DESC, member.thread DESC LIMIT ?
                """,
                [
                    .integer(account), .flag(isClosed), .integer(position.createdAt), .integer(position.number),
                    .integer(Int64(request.limit + 1)),
                ]
            ) { row in
                let json = Membership(row: row, from: 2).splice(into: row.blob(7))
                return ThreadRow(
                    position: MessagePosition(createdAt: row.integer(0), number: row.integer(1)), json: json)
            }
        }
        return try page(of: list, filter, request, version: lastOffset(of: .account(account)), part)
    }

    /// A page of the threads of a service that the desk knows, by latest activity.
    ///
    /// - Parameter channel: only threads of this channel; nil for all.
    public func deskThreadPage(
        service: String, channel: String?, _ filter: ThreadFilter, _ request: PageRequest
    ) throws -> PageBytes {
        let position = try request.threadPosition(in: .deskThreads)
        func part(_ isClosed: Bool) throws -> [ThreadRow] {
            try db.all(
                """
                SELECT thread.activity, thread.number, thread.json, \(AccountRecord.columns)
                FROM thread CROSS JOIN account ON account.number = thread.owner
                WHERE thread.isKnownToDesk = 1 \(channel == nil ? "" : "AND thread.channel = ?6") AND thread.isClosed = ?1
                    AND (thread.activity, thread.number) < (?2, ?3) AND account.service = ?4
                ORDER BY thread.activity DESC, thread.number DESC LIMIT ?5
                """,
                [
                    .flag(isClosed), .integer(position.createdAt), .integer(position.number), .text(service),
                    .integer(Int64(request.limit + 1)),
                ] + (channel.map { [.text($0)] } ?? [])
            ) { row in
                let json = try account(row: row, from: 3).deskJSON(ofThread: row.blob(2))
                return ThreadRow(
                    position: MessagePosition(createdAt: row.integer(0), number: row.integer(1)), json: json)
            }
        }
        return try page(of: .deskThreads, filter, request, version: lastOffset(of: .desk), part)
    }

    /// The offset of the last event of an audience: the version of its lists, for the entity tag.
    ///
    /// When retention has deleted all its events, this is the log's floor. No later event can have that offset, so a
    /// version never occurs twice.
    func lastOffset(of audience: Audience) throws -> Int64 {
        let last =
            try db.first("SELECT max(offset) FROM audience WHERE account = ?", [.optional(audience.number)]) {
                $0.integer(0)
            } ?? 0
        return max(last, try meta("floor"))
    }

    /// Open and closed threads stand in two ranges of one index; `all` merges their beginnings.
    private func page(
        of list: PageCursor.List, _ filter: ThreadFilter, _ request: PageRequest, version: Int64,
        _ part: (Bool) throws -> [ThreadRow]
    ) throws -> PageBytes {
        var rows: [ThreadRow]
        switch filter {
        case .open: rows = try part(false)
        case .closed: rows = try part(true)
        case .all: rows = (try part(false) + part(true)).sorted { $0.position > $1.position }
        }
        let hasMore = rows.count > request.limit
        rows = Array(rows.prefix(request.limit))
        return PageBytes(
            offset: try headOffset(), items: rows.map(\.json), of: list, version: version,
            next: hasMore ? rows.last.map { PageCursor.older($0.position) } : nil, prev: nil)
    }
}

private struct ThreadRow {
    var position: MessagePosition
    var json: [UInt8]
}

extension PageRequest {
    /// Where a list of threads goes on; the greatest position when it begins.
    fileprivate func threadPosition(in list: PageCursor.List) throws -> MessagePosition {
        switch try parsedCursor(of: list) {
        case .older(let position): position
        case .newer: throw Self.badCursor
        case nil: MessagePosition(createdAt: .max, number: .max)
        }
    }
}
