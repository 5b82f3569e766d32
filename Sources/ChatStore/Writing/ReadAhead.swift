import ChatModel

/// What a unit is going to read, told before it runs. It is a hint: a unit may read more, and less.
public enum WantedRows: Hashable, Sendable {
    /// An account's thread of this id, with all that a message to it asks for.
    case thread(String, of: Int64)
    /// The channel with this id, of this service.
    case channel(String, of: String)
}

/// What a group of units is going to read and the writer has not kept: all of it comes in one round trip, and few
/// statements.
///
/// It is for engines where each query is a round trip, and written in the words of PostgreSQL, which has arrays.
package struct ReadAhead {
    private var threads: [SQLValue] = []
    private var channels: [SQLValue] = []

    /// - Returns: nil if the writer has kept all that the units have told.
    package init?(of units: [GroupCommit.Unit], lackingIn hot: HotRows) {
        var (accounts, ids): ([String], [String]) = ([], [])
        var (services, names): ([String], [String]) = ([], [])
        for wanted in Set(units.flatMap(\.reads)) where hot.lacks(wanted) {
            switch wanted {
            case .thread(let id, of: let account):
                // PostgreSQL has no text with such a character.
                guard !id.utf8.contains(0) else { continue }
                accounts.append(String(account))
                ids.append(id.quotedInArray)
            case .channel(let id, of: let service):
                services.append(service.quotedInArray)
                names.append(id.quotedInArray)
            }
        }
        if ids.isEmpty && names.isEmpty { return nil }
        func array(_ elements: [String]) -> SQLValue { .text("{" + elements.joined(separator: ",") + "}") }
        if !ids.isEmpty { threads = [array(accounts), array(ids)] }
        if !names.isEmpty { channels = [array(services), array(names)] }
    }

    private var queries: [(sql: String, values: [SQLValue])] {
        let ofThreads = [Self.accountsQuery, Self.membersQuery, Self.threadsQuery]
        return (threads.isEmpty ? [] : ofThreads.map { ($0, threads) })
            + (channels.isEmpty ? [] : [(Self.channelsQuery, channels)])
    }

    /// Sends the queries with the next statement.
    package func expect(on session: any EngineSession) throws {
        for query in queries { try session.expect(query.sql, query.values) }
    }

    /// Keeps the rows. What cannot be read is left to the unit that wants it.
    package func keep(in transaction: WriteTransaction) throws {
        if !threads.isEmpty {
            try keepAccounts(in: transaction)
            try keepThreads(in: transaction)
        }
        if !channels.isEmpty {
            try transaction.db.query(Self.channelsQuery, channels) { row in
                let json = row.blob(1)
                guard let channel = try? Channel(canonicalJSON: json) else { return true }
                transaction.hot?.cache(channel, of: row.text(0), byteCount: json.count)
                return true
            }
        }
    }

    private func keepAccounts(in transaction: WriteTransaction) throws {
        try transaction.db.query(Self.accountsQuery, threads) { row in
            guard let account = try? AccountRecord(row: row, from: 2) else { return true }
            transaction.hot?.cache(account)
            transaction.hot?.cache(AccountUsage(texts: row.integer(0), files: row.integer(1)), of: account.number)
            return true
        }
    }

    private func keepThreads(in transaction: WriteTransaction) throws {
        var members: [Int64: [MemberRecord]] = [:]
        try transaction.db.query(Self.membersQuery, threads) { row in
            members[row.integer(0), default: []].append(MemberRecord(row: row, from: 1))
            return true
        }
        try transaction.db.query(Self.threadsQuery, threads) { row in
            guard var record = try? ThreadRecord(row: row, from: 3, in: transaction) else { return true }
            record.members = members[record.number] ?? []
            record.noteTold()
            transaction.hot?.cache(record)
            let aside = row.isNull(0) ? nil : MessagePosition(createdAt: row.integer(0), number: row.integer(1))
            transaction.hot?.cache(
                HotRows.Facts(newestAside: aside, hasTombstones: !row.isNull(2)), of: record.number)
            return true
        }
    }

    /// The members' rows by which the accounts know the threads.
    private static let own = """
        unnest(CAST(?1 AS bigint[]), CAST(?2 AS text[])) AS wanted (account, id)
        JOIN member AS own ON own.account = wanted.account AND own.id = wanted.id
        """
    /// Some of a great thread's members are left to the unit, so that one group reads no more than that.
    private static let accountsQuery = """
        SELECT coalesce(usage.texts, 0), coalesce(usage.files, 0), \(AccountRecord.columns)
        FROM account LEFT JOIN usage ON usage.account = account.number
        WHERE account.number IN (
            SELECT shown.account FROM \(own) JOIN member AS shown ON shown.thread = own.thread
            UNION SELECT thread.owner FROM \(own) JOIN thread ON thread.number = own.thread)
        LIMIT 240
        """
    private static let membersQuery = """
        SELECT thread, account, \(Membership.columns), readTo FROM member
        WHERE thread IN (SELECT own.thread FROM \(own)) ORDER BY thread, account
        """
    private static let threadsQuery = """
        SELECT aside.createdAt, aside.number, (SELECT 1 FROM tombstone WHERE tombstone.thread = thread.number LIMIT 1),
            \(ThreadRecord.columns)
        FROM \(own) JOIN thread ON thread.number = own.thread
        LEFT JOIN LATERAL (SELECT createdAt, number FROM message WHERE message.thread = thread.number AND isInThread = 0
            ORDER BY createdAt DESC, number DESC LIMIT 1) AS aside ON true
        """
    private static let channelsQuery = """
        SELECT service, json FROM channel
        JOIN unnest(CAST(? AS text[]), CAST(? AS text[])) AS wanted (ofService, name) ON service = ofService AND id = name
        """
}

extension String {
    /// As an element of PostgreSQL's text of an array.
    fileprivate var quotedInArray: String {
        var quoted = "\""
        for character in unicodeScalars {
            if character == "\"" || character == "\\" { quoted.append("\\") }
            quoted.unicodeScalars.append(character)
        }
        return quoted + "\""
    }
}
