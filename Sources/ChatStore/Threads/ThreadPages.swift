import ChatModel

/// Which threads a list shows, by whether they still take messages.
public enum ThreadFilter: String, Sendable, CaseIterable {
    case open, closed, all
}

extension ReadTransaction {
    /// A page of the account's threads, latest activity first: the rows of a collection with the same query
    /// (``threads(of:_:after:limit:)``). Throws `invalidParameter` for a cursor of another list.
    public func threadPage(of account: Int64, _ query: ThreadQuery, _ request: PageRequest) throws -> PageBytes {
        let list = PageCursor.List.threads(account: account)
        var query = query
        query.order = .latestLastMessage
        let rows = try threads(
            of: account, query, after: request.threadKey(in: list), since: request.times.since, request.size)
        return try page(of: list, rows, version: lastOffset(of: .account(account)))
    }

    /// A page of all the account's threads of a state, hidden ones too.
    public func threadPage(of account: Int64, _ filter: ThreadFilter, _ request: PageRequest) throws -> PageBytes {
        try threadPage(of: account, ThreadQuery(state: filter, visibility: .all), request)
    }

    /// A page of the threads that the desk knows: the rows and the order of its collections
    /// (``deskThreads(_:after:limit:)``).
    public func deskThreadPage(_ query: ThreadQuery, _ request: PageRequest) throws -> PageBytes {
        let rows = try deskThreads(
            query, after: request.threadKey(in: .deskThreads), since: request.times.since, request.size)
        return try page(of: .deskThreads, rows, version: lastOffset(of: .desk))
    }

    /// The offset of the last event of an audience: the version of its lists, for the entity tag.
    ///
    /// When retention has deleted all its events, this is the log's floor. No later event can have that offset, so a
    /// version never occurs twice.
    func lastOffset(of audience: Audience) throws -> Int64 {
        let last =
            try db.first("SELECT max(place) FROM audience WHERE account = ?", [.optional(audience.number)]) {
                $0.integer(0)
            } ?? 0
        return max(last, try meta("floor"))
    }

    private func page(
        of list: PageCursor.List, _ found: BoundedRows<PlacedThread>, version: Int64
    ) throws -> PageBytes {
        PageBytes(
            offset: try headOffset(), items: found.rows.map(\.json), of: list, version: version,
            next: found.hasMore ? found.rows.last.map { PageCursor.behind($0.key) } : nil, prev: nil)
    }
}

extension PageRequest {
    /// Where a list of threads goes on, within its times; before every thread of them when it begins.
    fileprivate func threadKey(in list: PageCursor.List) throws -> ThreadKey {
        let place: ThreadKey =
            switch try parsedCursor(of: list) {
            case .behind(let key): key
            case .older, .newer: throw Self.badCursor
            case nil: .first
            }
        return max(place, times.threadKey ?? place)
    }
}
