import Bounds
import ChatModel
import ChatStore
import Formats
import HTTPRouting
import Synchronization

/// The shop's people: all of them in memory, and each change in the store first. Any thread may use it.
///
/// A gateway that takes over loads them when it holds the lease, before it answers.
package final class People: Sendable {
    private struct Entry {
        let person: Person
        let rights: Rights
        /// When they were here last, unless the store knows it.
        var unsavedSight: Timestamp?

        /// - Parameter known: the entry of the same person before. Rights that stay equal stay the same object, so that
        ///   what is open goes on.
        init(_ person: Person, after known: Entry? = nil) {
            self.person = person
            let hasSameRights = known.map { known in
                known.person.role == person.role && known.person.channels == person.channels
                    && known.person.state == person.state
            }
            if let known, hasSameRights == true {
                rights = known.rights
            } else {
                rights =
                    person.state == .active
                    ? Rights(scopes: person.role.scopes, channels: person.channels.map { Set($0) }) : .none
            }
            unsavedSight = known?.unsavedSight
        }

        /// The person with the time when they were here last.
        var shown: Person {
            var person = person
            person.lastSeenAt = [person.lastSeenAt, unsavedSight].compactMap { $0 }.max()
            return person
        }
    }

    private let store: ChatStore
    private let entries = Mutex<[String: Entry]>([:])
    /// One change at a time, so that memory has what was stored last.
    private let turns = PlaceLine(limit: 1, waiting: 1000)

    init(store: ChatStore) { self.store = store }

    /// Reads all people. Call it once, before the gateway answers.
    func load() async throws(ChatError) {
        let people = try await store.read { try $0.people() }
        entries.withLock { entries in
            for person in people { entries[person.id] = Entry(person) }
        }
    }

    // MARK: Reading

    /// The person; nil when there is none.
    package func person(_ id: String) -> Person? { entries.withLock { $0[id]?.shown } }

    /// The person. Throws `unknownPerson`.
    func known(_ id: String) throws(ChatError) -> Person {
        guard let person = person(id) else { throw ChatError(.unknownPerson, "There is no person \(id).") }
        return person
    }

    /// The person with this e-mail address, whatever the case of its letters; nil when there is none.
    func person(email: String) -> Person? {
        let email = email.lowercased()
        return entries.withLock { entries in entries.values.first { $0.person.email.hasSameBytes(as: email) }?.shown }
    }

    /// The person of whom a proxy tells by this name, or by this e-mail address; nil when there is none.
    ///
    /// - Parameter name: in lower case.
    func person(proxyName name: String) -> Person? {
        entries.withLock { entries in
            entries.values.first {
                $0.person.email.hasSameBytes(as: name) || $0.person.proxyName?.hasSameBytes(as: name) == true
            }?.shown
        }
    }

    /// All of them, in the order in which they were made.
    func all() -> [Person] {
        entries.withLock { $0.values.map(\.shown) }.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    }

    /// Whether they may sign in.
    func isActive(_ id: String) -> Bool { entries.withLock { $0[id]?.person.state == .active } }

    /// What they may do; nothing for one who may not sign in.
    func rights(of id: String) -> Rights { entries.withLock { $0[id]?.rights } ?? .none }

    /// Notes that they are here, to the minute.
    func noteSeen(_ id: String, at now: Timestamp) {
        entries.withLock { entries in
            guard let entry = entries[id] else { return }
            let last = entry.unsavedSight ?? entry.person.lastSeenAt
            if last.map({ now.milliseconds - $0.milliseconds >= 60_000 }) ?? true { entries[id]?.unsavedSight = now }
        }
    }

    // MARK: Changing

    /// Adds a person. Throws `personExists`, `tooManyPeople`.
    func add(_ person: Person, receipt: Receipt?, _ entry: NewAuditEntry) async throws {
        try await turns.holding(.root) { [self] in
            try await store.write { transaction in
                try transaction.insert(person)
                try transaction.audit(entry)
                if let receipt { try transaction.record(receipt, Outcome(.created, id: person.id)) }
            }
            entries.withLock { $0[person.id] = Entry(person) }
        }
    }

    /// Changes a person, and returns them with what the change has returned. Throws `unknownPerson`, `personExists`,
    /// `lastAdministrator`, and what the change throws.
    ///
    /// - Parameter mayLeaveNone: whether nobody need be left who may administer the gateway.
    @discardableResult
    func change<T: Sendable>(
        _ id: String, leavingNoAdministrator mayLeaveNone: Bool = false, _ entry: NewAuditEntry?,
        _ change: @escaping @Sendable (inout Person, WriteTransaction) throws -> T
    ) async throws -> (person: Person, result: T) {
        try await turns.holding(.root) { [self] in
            let changed = try await store.write { transaction in
                var person = try transaction.person(id)
                let result = try change(&person, transaction)
                try transaction.replace(person, leavingNoAdministrator: mayLeaveNone)
                if let entry { try transaction.audit(entry) }
                // The picture is not among what was replaced.
                return (person: try transaction.person(id), result: result)
            }
            let shown = entries.withLock { entries in
                let entry = Entry(changed.person, after: entries[id])
                entries[id] = entry
                return entry.shown
            }
            return (person: shown, result: changed.result)
        }
    }

    /// Removes a person. Throws `unknownPerson`, `lastAdministrator`. Returns the ids of their logins.
    func remove(
        _ id: String, leavingNoAdministrator mayLeaveNone: Bool, _ entry: NewAuditEntry
    ) async throws -> [String] {
        try await turns.holding(.root) { [self] in
            let logins = try await store.write { transaction in
                try transaction.audit(entry)
                return try transaction.removePerson(id, leavingNoAdministrator: mayLeaveNone)
            }
            entries.withLock { $0[id] = nil }
            return logins
        }
    }

    /// Stores when people were here. Call it about once an hour, and before the end.
    func storeSight() async throws(ChatError) {
        let seen = entries.withLock { $0.compactMapValues(\.unsavedSight) }
        if !seen.isEmpty { try await store.write { try $0.noteSeen(people: seen) } }
    }
}

extension PersonRole {
    /// What it opens.
    var scopes: ScopeSet {
        switch self {
        case .agent: ScopeSet([.deskWrite, .channelsRead])
        case .supervisor: ScopeSet([.deskManage, .customersWrite, .channelsRead, .peopleRead, .reportsRead])
        case .administrator: .all
        }
    }
}

extension Person {
    /// As whom they act at the desk: customers see the public name.
    var agent: Agent { Agent(id: id, name: publicName ?? name) }
}
