import ChatModel
import ChatStore

/// All that a store has and tells, as lines. A store of the same history on another engine has the same lines.
enum StoreContents {
    /// The rows of all tables that both engines have, then lists, pages and replays.
    static func lines(_ export: any StoreExport, _ reader: any StoreReader) throws -> [String] {
        let image = try export.image()
        var lines = ["epoch \(image.epoch), instance \(image.instance), head \(image.head), floor \(image.floor)"]
        lines += image.meta.merging(image.lastNumbers) { $1 }.map { "\($0): \($1)" }.sorted()
        for table in try CopiedTable.all() {
            var rows: [String] = []
            try export.rows(of: table, above: .min) { row in
                rows.append("\(table.name): " + row.map(\.shown).joined(separator: " | "))
            }
            lines += rows.sorted()
        }
        var members: [(account: Int64, thread: String)] = []
        for table in try CopiedTable.all() where table.name == "member" {
            let (account, id) = (table.place(of: "account"), table.place(of: "id"))
            try export.rows(of: table, above: .min) { row in
                guard case (.integer(let account), .text(let thread)) = (row[account], row[id]) else { return }
                members.append((account, thread))
            }
        }
        members.sort { $0 < $1 }
        return try lines + reader.reading { try told(by: $0, members, image) }
    }

    /// What only one of two stores has.
    static func differences(_ lite: [String], _ remote: [String]) -> [String] {
        let (first, second) = (Set(lite), Set(remote))
        return lite.filter { !second.contains($0) }.map { "only in SQLite: \($0)" }
            + remote.filter { !first.contains($0) }.map { "only in PostgreSQL: \($0)" }
            + (lite.count == remote.count ? [] : ["\(lite.count) lines and \(remote.count)"])
    }

    private static func told(
        by transaction: ReadTransaction, _ members: [(account: Int64, thread: String)], _ image: StoreImage
    ) throws -> [String] {
        var lines: [String] = []
        for (account, thread) in members {
            guard let record = try transaction.thread(thread, of: account) else { continue }
            for replies in ReplyFilter.allCases {
                for beginsAtOldest in [false, true] {
                    let start = PageRequest(limit: 7, cursor: nil, beginsAtOldest: beginsAtOldest)
                    lines += try pages(from: start) { try transaction.messagePage(of: record, replies: replies, $0) }
                        .map { "messages of \(thread), \(replies), for \(account): \($0)" }
                }
            }
        }
        let accounts = Set(members.map(\.account)).sorted()
        for account in accounts {
            for filter in ThreadFilter.allCases {
                lines += try pages(from: PageRequest(limit: 3, cursor: nil)) {
                    try transaction.threadPage(of: account, filter, $0)
                }.map { "threads of \(account), \(filter): \($0)" }
            }
            for order in ThreadQuery.Order.allCases {
                lines += try transaction.threads(
                    of: account, ThreadQuery(order: order, visibility: .all), after: .first, limit: 1000
                ).rows.map { "threads of \(account), \(order): \(String(decoding: $0.json, as: UTF8.self))" }
            }
        }
        lines += try pages(from: PageRequest(limit: 3, cursor: nil)) {
            try transaction.deskThreadPage(ThreadQuery(), $0)
        }.map { "threads of the desk: \($0)" }
        for audience in [.desk] + accounts.map(Audience.account) {
            lines += try events(of: audience, transaction, image).map { "events of \(audience): \($0)" }
        }
        return lines
    }

    /// The pages up to the end, and from there back.
    private static func pages(
        from start: PageRequest, _ read: (PageRequest) throws -> PageBytes
    ) throws -> [String] {
        var (request, pages, isBack) = (start, [PageBytes](), false)
        while true {
            let page = try read(request)
            pages.append(page)
            if let next = isBack ? page.prev : page.next {
                request.cursor = next
            } else if !isBack, let previous = page.prev {
                (request.cursor, isBack) = (previous, true)
            } else {
                break
            }
        }
        return pages.map { "\($0.version) at \($0.offset): \(String(decoding: $0.body, as: UTF8.self))" }
    }

    private static func events(
        of audience: Audience, _ transaction: ReadTransaction, _ image: StoreImage
    ) throws -> [String] {
        var (position, lines) = (image.floor, [String]())
        while position < image.head {
            let replay = try transaction.replay([audience], after: position, limit: 20_000, epoch: image.epoch)
            lines += replay.events.map { event in
                "\(event.offset ?? 0) \(event.type) \(String(decoding: event.data(for: audience), as: UTF8.self))"
            }
            position = replay.through
        }
        return lines
    }
}

extension CopiedTable {
    fileprivate func place(of name: String) -> Int { columns.firstIndex { $0.name == name } ?? 0 }
}

extension SQLValue {
    /// To be read: bytes that are no text are numbers.
    fileprivate var shown: String {
        switch self {
        case .null: "null"
        case .integer(let number): "\(number)"
        case .text(let text): text
        case .blob(let bytes): String(validating: bytes, as: UTF8.self).map { "'\($0)'" } ?? "\(bytes)"
        }
    }
}
