import Chat
import ChatModel
import ChatStore
import Formats
import LocalService
import TestSupport
import Testing

/// What the desk's lists tell of waiting customers and of agents, and how they are filtered.
@Suite struct DeskListTests {
    private let bo = Agent(id: "bo", name: "Bo Berg")

    private func since(_ local: Local, _ thread: String) throws -> String? {
        try local.deskThread(thread)["waitingSince"]?.string
    }

    private func created(_ person: Person, _ message: String) throws -> String? {
        try person.message(message, in: "t1")?["createdAt"]?.string
    }

    @Test func aCustomerWaitsFromTheFirstMessageThatNobodyHasAnswered() async throws {
        try await Local.run { local in
            let person = try await local.person()
            try await person.create("t1")
            for id in ["m1", "m2", "m3"] {
                local.environment.advance(milliseconds: 1000)
                try await person.send(id, to: "t1")
            }
            #expect(try since(local, "t1") == created(person, "m1"))
            // Taking it is no answer, and neither is what the system says.
            let thread = DeskThread(id: "t1")
            _ = try await local.desk.assign(bo, to: thread, receipt: nil)
            _ = try await local.desk.send(
                MessageDraft(text: "Bo has joined", isAdmin: true), as: bo, to: thread, receipt: nil)
            #expect(try since(local, "t1") == created(person, "m1"))
            // The first one is gone: the second one counts.
            try await local.desk.remove("m1", in: thread, ifMatch: nil)
            #expect(try since(local, "t1") == created(person, "m2"))
            try await local.desk.remove("m3", in: thread, ifMatch: nil)
            #expect(try since(local, "t1") == created(person, "m2"))
            _ = try await local.send("a1", to: "t1")
            #expect(try since(local, "t1") == nil)
            local.environment.advance(milliseconds: 1000)
            try await person.send("m4", to: "t1")
            #expect(try since(local, "t1") == created(person, "m4"))
            try await local.desk.remove("m4", in: thread, ifMatch: nil)
            #expect(try since(local, "t1") == nil)
            try await person.send("m5", to: "t1")
            _ = try await local.desk.resetHistory(thread, receipt: nil)
            #expect(try since(local, "t1") == nil)
            try await person.send("m6", to: "t1")
            _ = try await local.desk.close(thread, receipt: nil)
            #expect(try since(local, "t1") == nil)
        }
    }

    @Test func aLiveChatWaitsFromItsBeginning() async throws {
        try await Local.run { local in
            let person = try await local.person("c1", on: "live")
            try await person.create("t1")
            let begun = try #require(try local.deskThread("t1")["createdAt"]?.string)
            #expect(try since(local, "t1") == begun)
            local.environment.advance(milliseconds: 1000)
            try await person.send("m1", to: "t1")
            #expect(try since(local, "t1") == begun)
            _ = try await local.desk.remove("m1", in: DeskThread(id: "t1"), ifMatch: nil)
            _ = try await local.desk.resetHistory(DeskThread(id: "t1"), receipt: nil)
            #expect(try since(local, "t1") == begun)
            _ = try await local.send("a1", to: "t1")
            #expect(try since(local, "t1") == nil)
        }
    }

    /// Each condition in SQL and by ``ThreadQuery/contains(_:of:)``, which the live lists use.
    @Test func listsAndLiveListsAgree() async throws {
        try await Local.run { local in
            let names = ["ada": "Ada \u{c4}lvdal", "ben": "Ben", "cleo": "Cleo"]
            for (id, name) in names.sorted(by: { $0.key < $1.key }) {
                let person = try await local.person(id)
                _ = try await person.connection.setCustomer(CustomerDraft(firstName: name))
                for number in 1...3 {
                    local.environment.advance(milliseconds: 10)
                    let thread = DeskThread(id: "\(id)\(number)")
                    try await person.create(thread.id, name: number == 2 ? "\u{dc}ber \(name)" : nil)
                    try await person.send("m\(number)", to: thread.id)
                    if number == 1 { _ = try await local.desk.assign(bo, to: thread, receipt: nil) }
                    if number == 2 { _ = try await local.send("a", to: thread.id) }
                    if number == 3, id == "ben" { _ = try await local.desk.close(thread, receipt: nil) }
                }
            }
            let all = try await local.store.read { try $0.deskThreads(ThreadQuery(), after: .first, limit: 100).rows }
            #expect(all.count == 9)
            let conditions = [
                DeskConditions(agent: "bo"), DeskConditions(agent: "none"), DeskConditions(isUnassigned: true),
                DeskConditions(isWaiting: true), DeskConditions(customer: "ada"),
                DeskConditions(agent: "bo", isWaiting: true, customer: "cleo"), DeskConditions(),
            ]
            var sizes: Set<Int> = []
            for desk in conditions {
                for part in [nil, "\u{e4}lv", "\u{dc}BER", "n", "nobody"] {
                    for state in ThreadFilter.allCases {
                        let query = ThreadQuery(state: state, nameContains: part, channel: "multi", desk: desk)
                        let wanted = try all.filter { row in
                            let owner = try #require(row.owner)
                            return query.contains(try ChatThread(canonicalJSON: row.json), of: owner)
                        }
                        var (seen, cursor): ([String], String?) = ([], nil)
                        repeat {
                            let page = try await local.desk.threads(
                                query, page: PageRequest(limit: 2, cursor: cursor))
                            seen += try items(page).compactMap { $0["id"]?.string }
                            cursor = page.next
                        } while cursor != nil
                        #expect(seen == wanted.map(\.id), "\(desk) \(part ?? "-") \(state)")
                        sizes.insert(seen.count)
                    }
                }
            }
            #expect(sizes.count > 5)
        }
    }

    @Test func agentsAreKnownByTheirWork() async throws {
        try await Local.run { local in
            let person = try await local.person()
            try await person.create("t1")
            try await person.send("m1", to: "t1")
            #expect(try await local.desk.agents().isEmpty)
            let thread = DeskThread(id: "t1")
            _ = try await local.desk.addNote("hm", by: Agent(id: "cleo", name: "Cleo"), to: thread, receipt: nil)
            local.environment.advance(milliseconds: 1)
            _ = try await local.desk.assign(bo, to: thread, receipt: nil)
            #expect(try await local.desk.agents().map(\.id) == ["bo", "cleo"])
            local.environment.advance(milliseconds: 1)
            _ = try await local.desk.send(
                MessageDraft(text: "yes"), as: Agent(id: "cleo", name: "Cleo Dahl"), to: thread, receipt: nil)
            #expect(try await local.desk.agents().map(\.name) == ["Cleo Dahl", "Bo Berg"])
            // Who goes on working is not written again and again.
            local.environment.advance(milliseconds: 1)
            _ = try await local.desk.send(MessageDraft(text: "so"), as: bo, to: thread, receipt: nil)
            #expect(try await local.desk.agents().map(\.id) == ["cleo", "bo"])
            local.environment.advance(milliseconds: 3_600_000)
            _ = try await local.desk.send(MessageDraft(text: "on"), as: bo, to: thread, receipt: nil)
            #expect(try await local.desk.agents().map(\.id) == ["bo", "cleo"])
            // A stand-in for a platform lets the system speak.
            _ = try await local.desk.send(
                MessageDraft(text: "hello", isAdmin: true), as: Agent(id: "system"), to: thread, receipt: nil)
            #expect(try await local.desk.agents().map(\.id) == ["bo", "cleo"])
        }
    }
}
