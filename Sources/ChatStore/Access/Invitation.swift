import ChatModel
import Formats

/// A row of `invitation`: a code with which a person may once choose a password. The code itself is not kept.
public struct Invitation: Sendable, Equatable {
    /// The SHA-256 of the code.
    public var digest: [UInt8]
    public var person: String
    public var createdAt: Timestamp
    public var expiresAt: Timestamp
    public var createdBy: String

    public init(digest: [UInt8], person: String, createdAt: Timestamp, expiresAt: Timestamp, createdBy: String) {
        self.digest = digest
        self.person = person
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.createdBy = createdBy
    }

    static let columns = "digest, person, createdAt, expiresAt, createdBy"

    init(row: SQLRow) {
        self.init(
            digest: row.blob(0), person: row.text(1), createdAt: Timestamp(milliseconds: row.integer(2)),
            expiresAt: Timestamp(milliseconds: row.integer(3)), createdBy: row.text(4))
    }
}

extension ReadTransaction {
    /// The invitation of this digest, be it one that has expired; nil if there is none.
    public func invitation(_ digest: [UInt8]) throws -> Invitation? {
        try db.first("SELECT \(Invitation.columns) FROM invitation WHERE digest = ?", [.blob(digest)]) {
            Invitation(row: $0)
        }
    }
}

extension WriteTransaction {
    /// Adds an invitation. The one that the person had ends. Throws `unknownPerson`.
    public func insert(_ invitation: Invitation) throws {
        assert(invitation.digest.count == AccessDigest.byteCount)
        _ = try person(invitation.person)
        try removeInvitation(of: invitation.person)
        try db.run(
            "INSERT INTO invitation (\(Invitation.columns)) VALUES (?, ?, ?, ?, ?)",
            [
                .blob(invitation.digest), .text(invitation.person), .integer(invitation.createdAt.milliseconds),
                .integer(invitation.expiresAt.milliseconds), .text(invitation.createdBy),
            ])
    }

    /// Uses an invitation up, and returns its person. Throws `invitationGone` for one that is not there, was used, or has
    /// expired.
    public func redeemInvitation(_ digest: [UInt8]) throws -> Person {
        guard let invitation = try invitation(digest), now < invitation.expiresAt else {
            throw ChatError(.invitationGone, "The invitation was used, has expired, or was never made.")
        }
        let person = try person(invitation.person)
        try removeInvitation(of: person.id)
        return person
    }

    /// Ends the invitation of a person, if there is one.
    public func removeInvitation(of person: String) throws {
        try db.run("DELETE FROM invitation WHERE person = ?", [.text(person)])
    }

    /// Removes the invitations that have expired. There is at most one of each person.
    public func removeExpiredInvitations() throws {
        try db.run("DELETE FROM invitation WHERE expiresAt <= ?", [.integer(now.milliseconds)])
    }
}
