import ChatModel
import Formats

/// A row of `login`: a person, or an operator, who is signed in with one browser. The browser has two secrets, of which
/// only digests are kept.
public struct Login: Sendable, Equatable {
    /// How many logins a person has at most, and how many all operators have.
    public static let maximumCount = 50
    /// The ``how`` of a sign-in by a proxy in front.
    public static let byProxy = "proxy"
    /// What stands in the place of the person's id for an operator.
    public static let operatorID = ""

    public var id: String
    /// ``operatorID`` for an operator.
    public var person: String
    /// The SHA-256 of the secret in the cookie.
    public var cookieDigest: [UInt8]
    /// The SHA-256 of the secret that the pages send.
    public var pageDigest: [UInt8]
    /// How the sign-in was done: ``byProxy``, or such as `password` or `code`.
    public var how: String
    /// Which browser it is, for people.
    public var label: String
    public var createdAt: Timestamp
    /// When it was used last, to about an hour.
    public var lastUsedAt: Timestamp
    public var expiresAt: Timestamp
    /// When the person last proved again who they are.
    public var confirmedAt: Timestamp?

    public init(
        id: String, person: String, cookieDigest: [UInt8], pageDigest: [UInt8], how: String, label: String = "",
        createdAt: Timestamp, lastUsedAt: Timestamp? = nil, expiresAt: Timestamp, confirmedAt: Timestamp? = nil
    ) {
        self.id = id
        self.person = person
        self.cookieDigest = cookieDigest
        self.pageDigest = pageDigest
        self.how = how
        self.label = label
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt ?? createdAt
        self.expiresAt = expiresAt
        self.confirmedAt = confirmedAt
    }

    static let columns = """
        id, person, cookieDigest, pageDigest, how, label, createdAt, lastUsedAt, expiresAt, confirmedAt
        """

    init(row: SQLRow) {
        self.init(
            id: row.text(0), person: row.text(1), cookieDigest: row.blob(2), pageDigest: row.blob(3), how: row.text(4),
            label: row.text(5), createdAt: Timestamp(milliseconds: row.integer(6)),
            lastUsedAt: Timestamp(milliseconds: row.integer(7)), expiresAt: Timestamp(milliseconds: row.integer(8)),
            confirmedAt: row.time(9))
    }
}

extension ReadTransaction {
    /// All logins, by person, oldest first. Those that have expired are there until they are removed.
    public func logins() throws -> [Login] { try logins(where: "person >= ?", "") }

    /// A person's logins, oldest first; those of operators for ``Login/operatorID``.
    public func logins(of person: String) throws -> [Login] { try logins(where: "person = ?", person) }

    func logins(where condition: String, _ text: String) throws -> [Login] {
        try db.all(
            "SELECT \(Login.columns) FROM login WHERE \(condition) ORDER BY person, createdAt, id", [.text(text)]
        ) { Login(row: $0) }
    }

    /// Throws `unknownLogin`.
    public func login(_ id: String) throws -> Login {
        let login = try db.first("SELECT \(Login.columns) FROM login WHERE id = ?", [.text(id)]) { Login(row: $0) }
        guard let login else { throw ChatError.unknownLogin(id) }
        return login
    }
}

extension WriteTransaction {
    /// Adds a login. Where the person has ``Login/maximumCount``, the oldest ones go. Returns the ids of those.
    ///
    /// Throws `unknownPerson`, and `storageFailed` for the id of another login.
    @discardableResult
    public func insert(_ login: Login) throws -> [String] {
        assert(login.cookieDigest.count == AccessDigest.byteCount && login.pageDigest.count == AccessDigest.byteCount)
        if login.person != Login.operatorID { _ = try person(login.person) }
        guard try db.first("SELECT 1 FROM login WHERE id = ?", [.text(login.id)], { _ in true }) == nil else {
            throw ChatError(.storageFailed, "Another login has this id.")
        }
        let others = try db.all(
            "SELECT id FROM login WHERE person = ? ORDER BY createdAt, id", [.text(login.person)]
        ) { $0.text(0) }
        let removed = Array(others.prefix(max(0, others.count + 1 - Login.maximumCount)))
        try remove(logins: removed)
        try db.run(
            "INSERT INTO login (\(Login.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                .text(login.id), .text(login.person), .blob(login.cookieDigest), .blob(login.pageDigest),
                .text(login.how), .text(login.label), .integer(login.createdAt.milliseconds),
                .integer(login.lastUsedAt.milliseconds), .integer(login.expiresAt.milliseconds),
                .optional(login.confirmedAt),
            ])
        return removed
    }

    /// Notes when logins were used. An earlier time than the stored one, and a login that is gone, changes nothing.
    public func noteUse(ofLogins times: [String: Timestamp]) throws {
        for (id, time) in times.sorted(by: { $0.key < $1.key }) {
            try db.run(
                "UPDATE login SET lastUsedAt = ?1 WHERE id = ?2 AND lastUsedAt < ?1",
                [.integer(time.milliseconds), .text(id)])
        }
    }

    /// Makes a login end at another time. Throws `unknownLogin`.
    public func extendLogin(_ id: String, until time: Timestamp) throws {
        try update(login: id, "expiresAt", time)
    }

    /// Notes that the person has proved now who they are. Throws `unknownLogin`.
    public func confirmLogin(_ id: String) throws { try update(login: id, "confirmedAt", now) }

    private func update(login id: String, _ column: String, _ time: Timestamp) throws {
        let changes = try db.change(
            "UPDATE login SET \(column) = ? WHERE id = ?", [.integer(time.milliseconds), .text(id)])
        guard changes == 1 else { throw ChatError.unknownLogin(id) }
    }

    /// Throws `unknownLogin`.
    public func removeLogin(_ id: String) throws {
        _ = try login(id)
        try remove(logins: [id])
    }

    /// Removes all logins of a person, or of operators, but one. Returns their ids.
    @discardableResult
    public func removeLogins(of person: String, except kept: String? = nil) throws -> [String] {
        let ids = try logins(of: person).map(\.id).filter { $0 != kept }
        try remove(logins: ids)
        return ids
    }

    /// Removes some logins that have ended, those that ended first. Returns their ids; call it again when they are as many
    /// as they may be.
    @discardableResult
    public func removeExpiredLogins(atMost limit: Int = 200) throws -> [String] {
        let ids = try db.all(
            "SELECT id FROM login WHERE expiresAt <= ? ORDER BY expiresAt, id LIMIT ?",
            [.integer(now.milliseconds), .integer(Int64(limit))]
        ) { $0.text(0) }
        try remove(logins: ids)
        return ids
    }

    private func remove(logins ids: [String]) throws {
        guard !ids.isEmpty else { return }
        let list = Placeholders(ids.map(SQLValue.text))
        try db.run("DELETE FROM login WHERE id IN \(list.sql)", list.values)
        try removeDeskDevices(ofLogins: ids)
    }
}

extension ChatError {
    /// For a login that there is not, or that has ended.
    static func unknownLogin(_ id: String) -> ChatError { ChatError(.unknownLogin, "There is no login \(id).") }
}
