import ChatModel

/// Which threads a list shows, by whether they still take messages.
public enum ThreadFilter: String, Sendable, CaseIterable {
    case open, closed, all
}

extension ReadTransaction {
    /// A page of the account's threads, hidden ones too: the rows and the order of a collection with the same filter
    /// (``threads(of:_:after:limit:)``). Throws `invalidParameter` for a cursor of another list.
    public func threadPage(of account: Int64, _ filter: ThreadFilter, _ request: PageRequest) throws -> PageBytes {
        let list = PageCursor.List.threads(account: account)
        let rows = try threads(
            of: account, ThreadQuery(state: filter, visibility: .all), after: request.threadKey(in: list),
            limit: request.limit + 1)
        return try page(of: list, rows, request, version: lastOffset(of: .account(account)))
    }

    /// A page of the threads that the desk knows: the rows and the order of its collections
    /// (``deskThreads(_:after:limit:)``).
    ///
    public func deskThreadPage(_ query: ThreadQuery, _ request: PageRequest) throws -> PageBytes {
        let rows = try deskThreads(query, after: request.threadKey(in: .deskThreads), limit: request.limit + 1)
        return try page(of: .deskThreads, rows, request, version: lastOffset(of: .desk))
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

    /// - Parameter rows: one more than the page holds, if there are more.
    private func page(
        of list: PageCursor.List, _ rows: [PlacedThread], _ request: PageRequest, version: Int64
    ) throws -> PageBytes {
        let shown = rows.prefix(request.limit)
        return PageBytes(
            offset: try headOffset(), items: shown.map(\.json), of: list, version: version,
            next: rows.count > shown.count ? shown.last.map { PageCursor.behind($0.key) } : nil, prev: nil)
    }
}

extension PageRequest {
    /// Where a list of threads goes on; before every thread when it begins.
    fileprivate func threadKey(in list: PageCursor.List) throws -> ThreadKey {
        switch try parsedCursor(of: list) {
        case .behind(let key): key
        case .older, .newer: throw Self.badCursor
        case nil: .first
        }
    }
}
