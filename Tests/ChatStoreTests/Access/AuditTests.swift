import ChatModel
import Formats
import TestSupport
import Testing

@testable import ChatStore

@Suite struct AuditTests {
    private static func entry(_ action: String, by actor: String = "gateway") -> NewAuditEntry {
        NewAuditEntry(actor: actor, actorName: "", action: action, subject: "s")
    }

    private static func numbers(
        _ store: ChatStore, before last: Int64? = nil, _ actor: String? = nil, _ action: String? = nil,
        limit: Int = 100
    ) async throws -> [Int64] {
        try await store.read {
            try $0.auditEntries(before: last, actor: actor, action: action, limit: limit).map(\.number)
        }
    }

    @Test func anEntryIsReadAsItWasWritten() async throws {
        try await withStore { store in
            try await store.write { transaction in
                try transaction.audit(
                    NewAuditEntry(
                        actor: "person:p_1", actorName: "Ada \"ä", action: "key.made", subject: "k1",
                        detail: Array(#"{"scopes":["desk.read"]}"#.utf8), address: "127.0.0.1"))
            }
            let entry = try #require(try await store.read { try $0.auditEntries(limit: 1).first })
            #expect(entry.number == 1 && entry.at == TestEnvironment.start)
            #expect([entry.actor, entry.actorName, entry.action] == ["person:p_1", "Ada \"ä", "key.made"])
            #expect([entry.subject, entry.address] == ["k1", "127.0.0.1"])
            #expect(String(decoding: entry.detail, as: UTF8.self) == #"{"scopes":["desk.read"]}"#)
        }
    }

    /// What cannot be written down is not done.
    @Test func anEntryAndItsChangeAreOne() async throws {
        try await withStore { store in
            #expect(
                await refusal {
                    try await store.write { transaction in
                        try transaction.insert(sampleKey("k1", createdAt: transaction.now))
                        var entry = Self.entry("key.made")
                        entry.detail = Array("{".utf8)
                        try transaction.audit(entry)
                    }
                } == .invalidData)
            let keys = try await store.read { try $0.accessKeys() }
            let entries = try await Self.numbers(store)
            #expect(keys.isEmpty && entries.isEmpty)
        }
    }

    /// An act's entry goes with the first thing that it writes, once, and not with what fails.
    @Test func theEntryOfAnActGoesWithItsFirstWriting() async throws {
        try await withStore { store in
            let act = AuditedAct(Self.entry("key.made"))
            try await ChatStore.$act.withValue(act) {
                #expect(
                    await refusal {
                        try await store.write { transaction in
                            try transaction.insert(sampleKey("k1", createdAt: transaction.now))
                            throw ChatError(.invalidData, "no")
                        }
                    } == .invalidData)
                let none = try await Self.numbers(store)
                #expect(none.isEmpty && act.missing != nil)
                act.name("k2")
                for id in ["k2", "k3"] {
                    try await store.write { try $0.insert(sampleKey(id, createdAt: $0.now)) }
                }
            }
            try await store.write { try $0.insert(sampleKey("k4", createdAt: $0.now)) }
            let entries = try await store.read { try $0.auditEntries(limit: 9) }
            #expect(entries.map(\.subject) == ["k2"] && act.missing == nil)
        }
    }

    /// Whoever fails to sign in writes a part of the entry.
    @Test func textsOfStrangersAreCutAndCanBeStored() async throws {
        try await withStore { store in
            try await store.write { transaction in
                try transaction.audit(
                    NewAuditEntry(
                        actor: "nobody", actorName: "a\u{0}b", action: "login.failed",
                        subject: String(repeating: "ä", count: 10_000)))
            }
            let entry = try #require(try await store.read { try $0.auditEntries(limit: 1).first })
            #expect(entry.actorName == "a\u{FFFD}b")
            #expect(entry.subject == String(repeating: "ä", count: AuditEntry.textLength))
        }
    }

    @Test func aLongDetailIsCut() async throws {
        try await withStore { store in
            try await store.write { transaction in
                var entry = Self.entry("channel.changed")
                entry.detail = Array(#"{"name":"\#(String(repeating: "x", count: 9000))"}"#.utf8)
                try transaction.audit(entry)
            }
            let entry = try #require(try await store.read { try $0.auditEntries(limit: 1).first })
            #expect(entry.detail.count <= AuditEntry.detailByteCount)
            let json = try JSONParser.parse(entry.detail)
            #expect(json["isCut"]?.bool == true && json["name"]?.string?.hasSuffix("x…") == true)
        }
    }

    /// Entries of three actions, two actors, and of an area whose name begins like another one.
    private static func fill(_ store: ChatStore) async throws {
        try await store.write { transaction in
            for number in 0..<60 {
                let action = ["key.made", "key.removed", "keys.read", "person.made", "key.made"][number % 5]
                try transaction.audit(entry(action, by: number % 2 == 0 ? "gateway" : "person:p_1"))
            }
        }
    }

    private static func expected(_ actor: String?, _ actions: Set<String>?) -> [Int64] {
        (0..<60).reversed().filter { number in
            let action = ["key.made", "key.removed", "keys.read", "person.made", "key.made"][number % 5]
            let by = number % 2 == 0 ? "gateway" : "person:p_1"
            return (actor ?? by) == by && actions?.contains(action) != false
        }.map { Int64($0 + 1) }
    }

    @Test(
        arguments: [
            (nil, nil), ("key.made", ["key.made"]), ("key.", ["key.made", "key.removed"]), ("keys.", ["keys.read"]),
            ("key", []), ("webhook.", []), ("person.", ["person.made"]),
        ] as [(String?, Set<String>?)])
    func entriesAreFoundByActionAndActorNewestFirst(action: String?, actions: Set<String>?) async throws {
        try await withStore { store in
            try await Self.fill(store)
            for actor in [nil, "gateway", "person:p_1", "person:p_2"] {
                let all = Self.expected(actor, actions)
                #expect(try await Self.numbers(store, actor, action) == all)
                // In pages, the last of which has no entry.
                var (pages, last) = ([Int64](), Int64?.none)
                while true {
                    let page = try await Self.numbers(store, before: last, actor, action, limit: 7)
                    #expect(page.count <= 7)
                    pages += page
                    guard let next = page.last else { break }
                    last = next
                }
                #expect(pages == all)
            }
        }
    }

    @Test func oldEntriesGoInSteps() async throws {
        let environment = TestEnvironment()
        try await withStore(environment: environment) { store in
            try await Self.fill(store)
            environment.advance(milliseconds: 1000)
            let line = environment.now
            try await store.write { try $0.audit(Self.entry("key.made")) }
            var removed: [Int] = []
            repeat {
                removed.append(try await store.write { try $0.trimAudit(olderThan: line, atMost: 25) })
            } while removed.last == 25
            #expect(removed == [25, 25, 10])
            #expect(try await Self.numbers(store) == [61])
            // The number of an entry is not used again, even if all are gone.
            let end = line.advanced(bySeconds: 1)
            #expect(try await store.write { try $0.trimAudit(olderThan: end) } == 1)
            try await store.write { try $0.audit(Self.entry("key.made")) }
            #expect(try await Self.numbers(store) == [62])
        }
    }

    @Test func noMoreThanSoManyEntriesAreKept() async throws {
        try await withStore { store in
            try await Self.fill(store)
            let line = Timestamp(milliseconds: 0)
            #expect(try await store.write { try $0.trimAudit(olderThan: line, keeping: 60) } == 0)
            #expect(try await store.write { try $0.trimAudit(olderThan: line, keeping: 50, atMost: 7) } == 7)
            #expect(try await store.write { try $0.trimAudit(olderThan: line, keeping: 50, atMost: 7) } == 3)
            #expect(try await Self.numbers(store).suffix(2) == [12, 11])
        }
    }
}
