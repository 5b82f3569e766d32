import ChatModel
import Formats

/// A row of `accessKey`: what is kept of the key with which a program is let in. Its text is not kept.
public struct AccessKey: Sendable, Equatable {
    /// How many keys there are at most.
    public static let maximumCount = 1000

    public var id: String
    public var name: String
    /// The SHA-256 of the key's text. No two keys have the same.
    public var digest: [UInt8]
    /// The digest of the text before the last rotation, which opens the same until `previousUntil`.
    public var previousDigest: [UInt8]?
    public var previousUntil: Timestamp?
    public var scopes: [String]
    /// The only channels that it opens; nil for all.
    public var channels: [String]?
    /// As whom it always acts; nil if its requests say so.
    public var agent: Agent?
    public var createdAt: Timestamp
    public var createdBy: String
    public var expiresAt: Timestamp?
    /// When it was used last, to about an hour.
    public var lastUsedAt: Timestamp?

    public init(
        id: String, name: String, digest: [UInt8], previousDigest: [UInt8]? = nil, previousUntil: Timestamp? = nil,
        scopes: [String], channels: [String]? = nil, agent: Agent? = nil, createdAt: Timestamp, createdBy: String,
        expiresAt: Timestamp? = nil, lastUsedAt: Timestamp? = nil
    ) {
        self.id = id
        self.name = name
        self.digest = digest
        self.previousDigest = previousDigest
        self.previousUntil = previousUntil
        self.scopes = scopes
        self.channels = channels
        self.agent = agent
        self.createdAt = createdAt
        self.createdBy = createdBy
        self.expiresAt = expiresAt
        self.lastUsedAt = lastUsedAt
    }

    static let columns = """
        id, name, digest, previousDigest, previousUntil, scopes, channels, agent, createdAt, createdBy, expiresAt, lastUsedAt
        """

    init(row: SQLRow) throws {
        self.init(
            id: row.text(0), name: row.text(1), digest: row.blob(2),
            previousDigest: row.isNull(3) ? nil : row.blob(3), previousUntil: row.time(4),
            scopes: try row.names(5) ?? [], channels: try row.names(6),
            agent: row.isNull(7) ? nil : try Agent(canonicalJSON: row.blob(7)),
            createdAt: Timestamp(milliseconds: row.integer(8)), createdBy: row.text(9), expiresAt: row.time(10),
            lastUsedAt: row.time(11))
    }

    /// In the order of ``columns``.
    fileprivate var values: [SQLValue] {
        assert(digest.count == AccessDigest.byteCount)
        assert(previousDigest.map { $0.count == AccessDigest.byteCount } ?? true)
        return [
            .text(id), .text(name), .blob(digest), .optional(previousDigest), .optional(previousUntil),
            .names(scopes), .optional(names: channels), .optional(agent?.canonicalJSON),
            .integer(createdAt.milliseconds), .text(createdBy), .optional(expiresAt), .optional(lastUsedAt),
        ]
    }
}

extension ReadTransaction {
    /// All keys, those that have expired too, oldest first.
    public func accessKeys() throws -> [AccessKey] {
        try db.all("SELECT \(AccessKey.columns) FROM accessKey ORDER BY createdAt, id") { try AccessKey(row: $0) }
    }

    /// Throws `unknownKey`.
    public func accessKey(_ id: String) throws -> AccessKey {
        guard let key = try accessKey(ifKnown: id) else { throw ChatError.unknownKey(id) }
        return key
    }

    func accessKey(ifKnown id: String) throws -> AccessKey? {
        try db.first("SELECT \(AccessKey.columns) FROM accessKey WHERE id = ?", [.text(id)]) { try AccessKey(row: $0) }
    }
}

extension WriteTransaction {
    /// Adds a key. Throws `tooManyKeys` when there are ``AccessKey/maximumCount``, and `storageFailed` for an id or a
    /// digest of another key: both are drawn at random, so draw again.
    public func insert(_ key: AccessKey) throws {
        let count = try db.first("SELECT count(*) FROM accessKey") { $0.integer(0) } ?? 0
        guard count < AccessKey.maximumCount else {
            throw ChatError(.tooManyKeys, "There are \(AccessKey.maximumCount) keys, and there may not be more.")
        }
        let isTaken = try db.first(
            "SELECT 1 FROM accessKey WHERE id = ? OR digest = ?", [.text(key.id), .blob(key.digest)]
        ) { _ in true }
        guard isTaken == nil else { throw Self.digestIsTaken }
        try db.run(
            "INSERT INTO accessKey (\(AccessKey.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", key.values)
    }

    /// Stores a key in the place of the one that has its id. Throws `unknownKey`, and `storageFailed` for a digest of
    /// another key.
    public func replace(_ key: AccessKey) throws {
        _ = try accessKey(key.id)
        let isTaken = try db.first(
            "SELECT 1 FROM accessKey WHERE digest = ? AND id <> ?", [.blob(key.digest), .text(key.id)]
        ) { _ in true }
        guard isTaken == nil else { throw Self.digestIsTaken }
        try db.run(
            """
            UPDATE accessKey SET name = ?2, digest = ?3, previousDigest = ?4, previousUntil = ?5, scopes = ?6, channels = ?7,
                agent = ?8, createdAt = ?9, createdBy = ?10, expiresAt = ?11, lastUsedAt = ?12
            WHERE id = ?1
            """, key.values)
        try removeLapsedDeskDevices()
    }

    private static var digestIsTaken: ChatError {
        ChatError(.storageFailed, "Another key has this id or this text.")
    }

    /// Removes a key, and the desk's devices that were registered by it. Throws `unknownKey`.
    public func removeAccessKey(_ id: String) throws {
        guard try db.change("DELETE FROM accessKey WHERE id = ?", [.text(id)]) == 1 else {
            throw ChatError.unknownKey(id)
        }
        try removeLapsedDeskDevices()
    }

    /// Notes when keys were used. An earlier time than the stored one, and a key that is gone, changes nothing.
    public func noteUse(ofKeys times: [String: Timestamp]) throws {
        for (id, time) in times.sorted(by: { $0.key < $1.key }) {
            try db.run(
                "UPDATE accessKey SET lastUsedAt = ?1 WHERE id = ?2 AND (lastUsedAt IS NULL OR lastUsedAt < ?1)",
                [.integer(time.milliseconds), .text(id)])
        }
    }
}

extension ChatError {
    /// For a key that there is not, or not any more.
    static func unknownKey(_ id: String) -> ChatError { ChatError(.unknownKey, "There is no key \(id).") }
}
