import ChatModel
import Formats

/// A row of `link`: a code with which a customer comes to a session of their own, of the same account as the session that
/// the link was made for. The code itself is not kept.
public struct CustomerLink: Sendable, Equatable {
    /// How many links a session has at most.
    public static let maximumCount = 20

    public var id: String
    /// The SHA-256 of the code.
    public var digest: [UInt8]
    public var session: String
    public var account: Int64
    public var createdAt: Timestamp
    public var expiresAt: Timestamp
    public var usesLeft: Int64
    /// What it is for, in the words of whoever made it.
    public var label: String?
    public var createdBy: String

    public init(
        id: String, digest: [UInt8], session: String, account: Int64, createdAt: Timestamp, expiresAt: Timestamp,
        usesLeft: Int64, label: String? = nil, createdBy: String
    ) {
        self.id = id
        self.digest = digest
        self.session = session
        self.account = account
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.usesLeft = usesLeft
        self.label = label
        self.createdBy = createdBy
    }

    static let columns = "id, digest, session, account, createdAt, expiresAt, usesLeft, label, createdBy"

    init(row: SQLRow) {
        self.init(
            id: row.text(0), digest: row.blob(1), session: row.text(2), account: row.integer(3),
            createdAt: Timestamp(milliseconds: row.integer(4)), expiresAt: Timestamp(milliseconds: row.integer(5)),
            usesLeft: row.integer(6), label: row.isNull(7) ? nil : row.text(7), createdBy: row.text(8))
    }
}

extension ReadTransaction {
    /// The links of a session, oldest first; also those that were used up or have expired.
    public func links(of session: String) throws -> [CustomerLink] {
        try db.all(
            "SELECT \(CustomerLink.columns) FROM link WHERE session = ? ORDER BY createdAt, id", [.text(session)]
        ) { CustomerLink(row: $0) }
    }

    /// The key of the account that a good code leads to. Throws `linkGone` for a code that was never made, is used up, or
    /// has expired: all three look the same.
    public func account(ofLink digest: [UInt8], at time: Timestamp) throws -> AccountKey {
        let link = try goodLink(digest, at: time)
        let key = try db.first(
            "SELECT service, channel, customer FROM account WHERE number = ?", [.integer(link.account)]
        ) { AccountKey(service: $0.text(0), channel: $0.text(1), customer: $0.text(2)) }
        // An account that is being erased has another service.
        guard let key, ErasureMark.service(key.service) == key.service else { throw ChatError.linkGone }
        return key
    }

    fileprivate func goodLink(_ digest: [UInt8], at time: Timestamp) throws -> CustomerLink {
        let link = try db.first("SELECT \(CustomerLink.columns) FROM link WHERE digest = ?", [.blob(digest)]) {
            CustomerLink(row: $0)
        }
        guard let link, link.usesLeft > 0, time < link.expiresAt else { throw ChatError.linkGone }
        return link
    }
}

extension WriteTransaction {
    /// Adds a link. Throws `tooManyLinks` where the session has ``CustomerLink/maximumCount`` good ones; the others do not
    /// count, and go.
    public func insert(_ link: CustomerLink) throws {
        assert(link.digest.count == AccessDigest.byteCount && link.usesLeft > 0)
        try db.run(
            "DELETE FROM link WHERE session = ? AND (usesLeft < 1 OR expiresAt <= ?)",
            [.text(link.session), .integer(now.milliseconds)])
        guard try links(of: link.session).count < CustomerLink.maximumCount else {
            throw ChatError(
                .tooManyLinks, "A session has at most \(CustomerLink.maximumCount) links that can still be used.")
        }
        try db.run(
            "INSERT INTO link (\(CustomerLink.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                .text(link.id), .blob(link.digest), .text(link.session), .integer(link.account),
                .integer(link.createdAt.milliseconds), .integer(link.expiresAt.milliseconds), .integer(link.usesLeft),
                .optional(link.label), .text(link.createdBy),
            ])
    }

    /// Uses a code once, and returns its link. Throws `linkGone`.
    public func useLink(_ digest: [UInt8]) throws -> CustomerLink {
        let link = try goodLink(digest, at: now)
        let changes = try db.change(
            "UPDATE link SET usesLeft = usesLeft - 1 WHERE id = ? AND usesLeft > 0", [.text(link.id)])
        guard changes == 1 else { throw ChatError.linkGone }
        return link
    }

    /// Removes a link of a session. Throws `unknownLink`.
    public func removeLink(_ id: String, of session: String) throws {
        let changes = try db.change("DELETE FROM link WHERE id = ? AND session = ?", [.text(id), .text(session)])
        guard changes == 1 else { throw ChatError(.unknownLink, "The session has no link \(id).") }
    }

    /// Removes at most `limit` links that have expired. Returns how many.
    public func removeExpiredLinks(atMost limit: Int = 200) throws -> Int {
        let ids = try db.all(
            "SELECT id FROM link WHERE expiresAt <= ? ORDER BY expiresAt, id LIMIT ?",
            [.integer(now.milliseconds), .integer(Int64(limit))]
        ) { $0.text(0) }
        for id in ids { try db.run("DELETE FROM link WHERE id = ?", [.text(id)]) }
        return ids.count
    }
}

extension ChatError {
    static let linkGone = ChatError(.linkGone, "The link was used, has expired, or was never made.")
}
