import ChatModel
import ChatStore
import Formats
import TestSupport
import Testing

/// The same random changes of who is let in leave the same rows on both engines. Some units fail after all their changes.
struct SameAccessTests {
    private static let outcomes: Set = [
        "done", "failed", "personExists", "unknownPerson", "lastAdministrator", "unknownKey", "storageFailed",
        "unknownLogin", "invitationGone",
    ]

    @Test(.withPostgres, arguments: [UInt64(1), 7, 2026]) func bothEnginesHoldTheSame(seed: UInt64) async throws {
        let environment = TestEnvironment()
        try await withStore(onBothEngines: true, environment: environment) { store in
            var (generator, outcomes) = (SeededGenerator(seed: seed), Set<String>())
            for step in 0..<400 {
                environment.advance(milliseconds: Int64.random(in: 0...500, using: &generator))
                outcomes.insert(await act(step, store, &generator))
            }
            #expect(outcomes.isSuperset(of: Self.outcomes))
            let faults = try store.faults()
            #expect(faults == [])
        }
    }

    /// One unit. Returns what came of it.
    private func act(_ step: Int, _ store: ChatStore, _ generator: inout SeededGenerator) async -> String {
        let operation = Int.random(in: 0..<14, using: &generator)
        let (one, other) = (Int.random(in: 0..<5, using: &generator), Int.random(in: 0..<5, using: &generator))
        let isFailing = Int.random(in: 0..<8, using: &generator) == 0
        // A number that was drawn stays drawn on PostgreSQL when its unit fails.
        if operation < 3 { return await audit(one, other, trimming: operation == 0, store) }
        do throws(ChatError) {
            return try await store.write { transaction in
                try Self.change(operation, one, other, step, transaction)
                if isFailing { throw ChatError(.illegalChatState, "failed") }
                return "done"
            }
        } catch {
            return error.code == .illegalChatState ? "failed" : error.code.rawValue
        }
    }

    private func audit(_ one: Int, _ other: Int, trimming: Bool, _ store: ChatStore) async -> String {
        do throws(ChatError) {
            return try await store.write { transaction in
                if trimming {
                    try transaction.trimAudit(
                        olderThan: transaction.now.advanced(bySeconds: -9), keeping: 20, atMost: one)
                } else {
                    try transaction.audit(
                        NewAuditEntry(
                            actor: "person:p\(one)", actorName: "ä\u{0}", action: "key.\(other)", subject: "",
                            detail: Array(#"{"a":"\#(String(repeating: "\\n", count: 1000 * one))"}"#.utf8)))
                }
                return "done"
            }
        } catch {
            return error.code.rawValue
        }
    }

    private static func change(
        _ operation: Int, _ one: Int, _ other: Int, _ step: Int, _ transaction: WriteTransaction
    ) throws {
        let (id, now) = ("p\(one)", transaction.now)
        switch operation {
        case 3: try transaction.insert(key("k\(one)", digest: other, at: now))
        case 4:
            var key = try transaction.accessKey("k\(one)")
            (key.previousDigest, key.previousUntil, key.lastUsedAt) = (key.digest, now, nil)
            key.digest = digest(other)
            try transaction.replace(key)
            try transaction.noteUse(ofKeys: ["k\(one)": now])
        case 5: try transaction.removeAccessKey("k\(one)")
        case 6, 7:
            try transaction.insert(
                Person(
                    id: id, email: "P\(other)@shop.example", proxyName: one == other ? "Proxy\(one)" : nil, name: id,
                    role: other < 2 ? .agent : .administrator, state: one == 0 ? .disabled : .active, createdAt: now))
            try transaction.setPicture(picture(other), ofPerson: id)
        case 8:
            var person = try transaction.person(id)
            person.role = other < 2 ? .administrator : .supervisor
            person.channels = other == 0 ? nil : ["c\(other)"]
            try transaction.replace(person, leavingNoAdministrator: other == 4)
            try transaction.setPicture(other == 3 ? nil : picture(other), ofPerson: id)
        case 9: try transaction.removePerson(id, leavingNoAdministrator: other == 0)
        case 10, 11:
            let login = Login(
                id: other == 0 ? "l\(step - 20)" : "l\(step)", person: other == 1 ? Login.operatorID : id,
                cookieDigest: digest(step), pageDigest: digest(step + 1), how: "code", createdAt: now,
                expiresAt: now.advanced(bySeconds: other))
            try transaction.insert(login)
            try transaction.noteSeen(people: [id: now])
        case 12:
            try transaction.removeExpiredLogins(atMost: 2)
            if other == 0 { try transaction.removeLogins(of: id, except: "l\(step - 5)") }
            try transaction.confirmLogin(transaction.logins(of: id).first?.id ?? "none")
        default:
            if other < 2 {
                _ = try transaction.redeemInvitation(digest(one))
            } else {
                try transaction.insert(
                    Invitation(
                        digest: digest(one), person: id, createdAt: now, expiresAt: now.advanced(bySeconds: 60),
                        createdBy: "gateway"))
            }
        }
    }

    private static func digest(_ number: Int) -> [UInt8] {
        [UInt8(number & 255), UInt8(number >> 8 & 255)] + [UInt8](repeating: 0, count: 30)
    }

    private static func key(_ id: String, digest number: Int, at now: Timestamp) -> AccessKey {
        AccessKey(id: id, name: id, digest: digest(number), scopes: ["desk.read"], createdAt: now, createdBy: "gateway")
    }

    private static func picture(_ number: Int) -> Picture {
        Picture(digest: digest(number), type: "image/png", bytes: [1, 2, 3])
    }
}
