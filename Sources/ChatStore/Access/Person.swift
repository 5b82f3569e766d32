import ChatModel
import Formats

/// What a person may do, in words; ``AccessKey`` has scopes instead.
public enum PersonRole: String, Sendable, CaseIterable {
    case agent, supervisor, administrator
}

public enum PersonState: String, Sendable, CaseIterable {
    /// Has not chosen a password, and was not yet signed in by a proxy.
    case invited
    case active
    /// May not sign in.
    case disabled
}

/// A row of `person`: one of the shop's people.
public struct Person: Sendable, Equatable {
    /// How many people there are at most.
    public static let maximumCount = 1000
    /// How many bytes the settings have at most.
    public static let settingsByteCount = 8192

    public var id: String
    /// In lower case. No other person has it, neither as an e-mail address nor as a name at the proxy.
    public var email: String { didSet { email = email.lowercased() } }
    /// The name by which a trusted proxy tells of them, if that is not the e-mail address. In lower case. Nobody else
    /// has it, be it as their e-mail address.
    public var proxyName: String? { didSet { proxyName = proxyName?.lowercased() } }
    public var name: String
    /// The name that customers see; nil for `name`.
    public var publicName: String?
    public var role: PersonRole
    /// The only channels that they see; nil for all.
    public var channels: [String]?
    public var state: PersonState
    /// What crypt(5) has made of the password.
    public var password: String?
    /// The digest of the picture, which ``WriteTransaction/setPicture(_:ofPerson:)`` sets.
    public internal(set) var picture: [UInt8]?
    public var createdAt: Timestamp
    /// About when they were here last.
    public var lastSeenAt: Timestamp?
    /// A JSON text.
    public var settings: [UInt8]

    public init(
        id: String, email: String, proxyName: String? = nil, name: String, publicName: String? = nil, role: PersonRole,
        channels: [String]? = nil, state: PersonState = .invited, password: String? = nil, createdAt: Timestamp,
        lastSeenAt: Timestamp? = nil, settings: [UInt8] = Array("{}".utf8)
    ) {
        self.id = id
        self.email = email.lowercased()
        self.proxyName = proxyName?.lowercased()
        self.name = name
        self.publicName = publicName
        self.role = role
        self.channels = channels
        self.state = state
        self.password = password
        self.createdAt = createdAt
        self.lastSeenAt = lastSeenAt
        self.settings = settings
    }

    /// Whether they may administer the gateway.
    public var isActiveAdministrator: Bool { role == .administrator && state == .active }

    static let columns = """
        id, email, proxyName, name, publicName, role, channels, state, password, createdAt, lastSeenAt, settings
        """
    static let columnsWithPicture = columns + ", picture"

    /// Throws ``ModelError`` for a role and a state that nobody knows.
    init(row: SQLRow) throws {
        guard let role = PersonRole(rawValue: row.text(5)) else { throw ModelError(member: "role") }
        guard let state = PersonState(rawValue: row.text(7)) else { throw ModelError(member: "state") }
        self.init(
            id: row.text(0), email: row.text(1), proxyName: row.isNull(2) ? nil : row.text(2), name: row.text(3),
            publicName: row.isNull(4) ? nil : row.text(4), role: role, channels: try row.names(6), state: state,
            password: row.isNull(8) ? nil : row.text(8), createdAt: Timestamp(milliseconds: row.integer(9)),
            lastSeenAt: row.time(10), settings: row.blob(11))
        picture = row.isNull(12) ? nil : row.blob(12)
    }

    /// In the order of ``columns``.
    fileprivate var values: [SQLValue] {
        assert(password?.hasPrefix("*") != true, "crypt has failed")
        return [
            .text(id), .text(email), .optional(proxyName), .text(name), .optional(publicName), .text(role.rawValue),
            .optional(names: channels), .text(state.rawValue), .optional(password),
            .integer(createdAt.milliseconds), .optional(lastSeenAt), .blob(settings),
        ]
    }
}

extension ReadTransaction {
    /// All people, in the order in which they were made.
    public func people() throws -> [Person] {
        try db.all("SELECT \(Person.columnsWithPicture) FROM person ORDER BY createdAt, id") { try Person(row: $0) }
    }

    /// Throws `unknownPerson`.
    public func person(_ id: String) throws -> Person {
        guard let person = try person(where: "id = ?1", id) else { throw ChatError.unknownPerson(id) }
        return person
    }

    /// The person who has this e-mail address, whatever the case of its letters.
    public func person(email: String) throws -> Person? { try person(where: "email = ?1", email.lowercased()) }

    /// The person of whom a proxy tells by this name, or by this e-mail address.
    public func person(proxyName: String) throws -> Person? {
        try person(where: "proxyName = ?1 OR email = ?1", proxyName.lowercased())
    }

    private func person(where condition: String, _ text: String) throws -> Person? {
        try db.first("SELECT \(Person.columnsWithPicture) FROM person WHERE \(condition)", [.text(text)]) {
            try Person(row: $0)
        }
    }
}

extension WriteTransaction {
    /// Adds a person. Throws `tooManyPeople` when there are ``Person/maximumCount``, `personExists` for an id, an e-mail
    /// address or a proxy's name of somebody else, and `invalidParameter` for settings that are too long or no JSON.
    public func insert(_ person: Person) throws {
        let count = try db.first("SELECT count(*) FROM person") { $0.integer(0) } ?? 0
        guard count < Person.maximumCount else {
            throw ChatError(.tooManyPeople, "There are \(Person.maximumCount) people, and there may not be more.")
        }
        if try db.first("SELECT 1 FROM person WHERE id = ?", [.text(person.id)], { _ in true }) == true {
            throw ChatError(.personExists, "Another person has the id \(person.id).", pointer: "/id")
        }
        try check(person)
        try db.run(
            "INSERT INTO person (\(Person.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", person.values)
    }

    /// Stores a person in the place of the one who has the id, whose picture stays. Throws `unknownPerson`, and as adding
    /// one does.
    ///
    /// - Parameter mayLeaveNone: whether this may be the last active administrator who is not one any more. Otherwise it
    ///   throws `lastAdministrator` then.
    public func replace(_ person: Person, leavingNoAdministrator mayLeaveNone: Bool = false) throws {
        let known = try self.person(person.id)
        if !mayLeaveNone, !person.isActiveAdministrator { try checkOthersAdminister(without: known) }
        try check(person)
        try db.run(
            """
            UPDATE person SET email = ?2, proxyName = ?3, name = ?4, publicName = ?5, role = ?6, channels = ?7, state = ?8,
                password = ?9, createdAt = ?10, lastSeenAt = ?11, settings = ?12
            WHERE id = ?1
            """, person.values)
        // The desk's devices hear of all channels.
        if person.channels != nil { try removeDeskDevices(ofLogins: logins(of: person.id).map(\.id)) }
    }

    /// Removes a person with their logins, their invitation, and their picture if nobody else has it. Returns the ids of
    /// the logins. Throws `unknownPerson`.
    ///
    /// - Parameter mayLeaveNone: as in ``replace(_:leavingNoAdministrator:)``.
    @discardableResult
    public func removePerson(_ id: String, leavingNoAdministrator mayLeaveNone: Bool = false) throws -> [String] {
        let person = try person(id)
        if !mayLeaveNone { try checkOthersAdminister(without: person) }
        let logins = try removeLogins(of: id)
        try removeInvitation(of: id)
        try db.run("DELETE FROM person WHERE id = ?", [.text(id)])
        try removeUnused(picture: person.picture)
        return logins
    }

    /// Notes when people were here. An earlier time than the stored one, and a person who is gone, changes nothing.
    public func noteSeen(people times: [String: Timestamp]) throws {
        for (id, time) in times.sorted(by: { $0.key < $1.key }) {
            try db.run(
                "UPDATE person SET lastSeenAt = ?1 WHERE id = ?2 AND (lastSeenAt IS NULL OR lastSeenAt < ?1)",
                [.integer(time.milliseconds), .text(id)])
        }
    }

    /// Throws `lastAdministrator` when the person is an active administrator and nobody else is.
    private func checkOthersAdminister(without person: Person) throws {
        guard person.isActiveAdministrator else { return }
        let other = try db.first(
            "SELECT 1 FROM person WHERE role = ? AND state = ? AND id <> ? LIMIT 1",
            [.text(PersonRole.administrator.rawValue), .text(PersonState.active.rawValue), .text(person.id)]
        ) { _ in true }
        guard other == nil else { return }
        throw ChatError(.lastAdministrator, "\(person.id) is the last person who may administer the gateway.")
    }

    /// What no two people may have in common, and what must be JSON.
    private func check(_ person: Person) throws {
        let names: [(String?, String)] = [(person.email, "email"), (person.proxyName, "proxyName")]
        for case (let name?, let member) in names {
            // A proxy tells of people by either, so the one must not be the other of somebody else.
            let other = try db.first(
                "SELECT 1 FROM person WHERE (email = ?1 OR proxyName = ?1) AND id <> ?2 LIMIT 1",
                [.text(name), .text(person.id)]
            ) { _ in true }
            guard other == nil else {
                throw ChatError(
                    .personExists, "Another person has this \(member == "email" ? "e-mail address" : "proxy's name").",
                    pointer: "/" + member)
            }
        }
        guard person.settings.count <= Person.settingsByteCount else {
            throw ChatError(
                .invalidParameter, "The settings may have \(Person.settingsByteCount) bytes.", pointer: "/settings")
        }
        guard (try? JSONText(person.settings)) != nil else {
            throw ChatError(.invalidParameter, "The settings must be JSON.", pointer: "/settings")
        }
    }

    /// Stores the digest of a person's picture.
    func set(picture: [UInt8]?, of person: String) throws {
        try db.run("UPDATE person SET picture = ? WHERE id = ?", [.optional(picture), .text(person)])
    }
}

extension ChatError {
    /// For a person whom there is not, or not any more.
    static func unknownPerson(_ id: String) -> ChatError { ChatError(.unknownPerson, "There is no person \(id).") }
}

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
