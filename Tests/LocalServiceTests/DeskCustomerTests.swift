import Chat
import ChatModel
import Formats
import LocalService
import TestSupport
import Testing

@testable import ChatStore

/// What the desk finds of customers, what it sees of one, and what it changes.
struct DeskCustomerTests {
    private func run(_ body: (Local) async throws -> Void) async throws {
        try await Local.run { local in
            try await body(local)
            #expect(try local.store.faults() == [])
        }
    }

    /// Makes a customer.
    private func add(
        _ local: Local, _ id: String, _ firstName: String? = nil, _ lastName: String? = nil, email: String? = nil,
        verified: Bool = false,
        on channel: String = "multi"
    ) async throws {
        try await local.store.write { transaction in
            var account = try transaction.openAccount(
                AccountKey(service: "local", channel: channel, customer: id))
            (account.customer.firstName, account.customer.lastName) = (firstName, lastName)
            (account.customer.email, account.customer.isVerified) = (email, verified)
            try transaction.save(account)
        }
    }

    /// The ids of the customers that are found, page by page.
    private func find(
        _ local: Local, _ text: String?, _ channels: DeskChannels = DeskChannels(channel: "multi"), size: Int = 200
    ) async throws -> [String] {
        var (ids, cursor): ([String], String?) = ([], nil)
        repeat {
            let page = try await local.desk.customers(
                startingWith: text, on: channels, page: PageRequest(limit: size, cursor: cursor))
            #expect(page.items.count <= size)
            ids += try page.items.compactMap { try JSONParser.parse($0)["id"]?.string }
            cursor = page.next
        } while cursor != nil
        return ids
    }

    private func view(_ id: String, _ local: Local, on channel: String? = nil) async throws -> JSONValue {
        try JSONParser.parse(try await local.desk.customer(DeskCustomer(id: id, channel: channel)))
    }

    private func update(_ id: String, _ patch: CustomerPatch, _ local: Local) async throws -> JSONValue {
        try JSONParser.parse(try await local.desk.update(DeskCustomer(id: id), patch, as: Local.agent))
    }

    // MARK: Search

    @Test(arguments: [1, 2, 200]) func customersAreFoundByIdThenAddressThenName(size: Int) async throws {
        try await run { local in
            try await add(local, "x1", "Anna", "Berg")
            try await add(local, "x2", "ANNA", "Amsel", email: "a@b.cz")
            try await add(local, "x3", "Zoe", email: "ANNA@shop.example")
            try await add(local, "anna", "Anna", email: "anna@home.example")
            try await add(local, "Anna")
            try await add(local, "x4", "Hanna")
            try await add(local, "x5", "Anna", on: "single")
            #expect(try await find(local, "anna", size: size) == ["anna", "x3", "x2", "x1"])
            #expect(try await find(local, "ANNA@", size: size) == ["anna", "x3"])
            #expect(try await find(local, "anna b", size: size) == ["x1"])
            #expect(try await find(local, "x", size: size) == ["x1", "x2", "x3", "x4"])
            #expect(try await find(local, nil, size: size) == ["Anna", "anna", "x1", "x2", "x3", "x4"])
            for nothing in ["%", "_", "nn", " ", "x6"] { #expect(try await find(local, nothing, size: size) == []) }
            let all = DeskChannels()
            #expect(try await find(local, "anna", all, size: size) == ["anna", "x3", "x2", "x1", "x5"])
            #expect(try await find(local, "anna", DeskChannels(within: ["single"]), size: size) == ["x5"])
            let foreign = DeskChannels(channel: "multi", within: ["single"])
            #expect(try await find(local, "anna", foreign, size: size) == [])
        }
    }

    /// A key has an end in every index, and no character that a database cannot hold.
    @Test func hostileNamesAreKeptAndFound() async throws {
        try await run { local in
            let long = String(repeating: "\u{1F600}", count: 256)
            try await add(local, "c1", long, long)
            try await add(local, "c2", "a\0b", "\u{10FFFF}")
            try await add(local, "c3", "   ")
            try await add(local, "c4", "\u{130}pek")
            #expect(try await find(local, "\u{1F600}\u{1F600}") == ["c1"])
            #expect(try await find(local, "A\u{FFFD}B") == ["c2"])
            #expect(try await find(local, "\u{130}p") == ["c4"])
            let page = try await local.desk.customers(
                startingWith: "c", on: DeskChannels(channel: "multi"), page: PageRequest(limit: 1, cursor: nil))
            #expect(page.next != nil)
            for bad in ["", "c", "c!", "d", "t1k1.1", String(repeating: "c", count: 2000)] {
                await #expect(throws: ChatError.self) {
                    try await local.desk.customers(
                        startingWith: "c", on: DeskChannels(), page: PageRequest(limit: 1, cursor: bad))
                }
            }
        }
    }

    /// Who has an id and an address that begin alike is not shown twice, and a page ends after many of them.
    @Test func aPageLooksAtSomeRowsOnly() async throws {
        try await run { local in
            try await local.store.write { transaction in
                for number in 0..<1200 {
                    var account = try transaction.openAccount(
                        AccountKey(service: "local", channel: "multi", customer: "s\(1000 + number)"))
                    account.customer.email = "s\(1000 + number)@shop.example"
                    try transaction.save(account)
                }
            }
            try await add(local, "zz", "Sam")
            let found = try await find(local, "s")
            #expect(found.count == 1201 && Set(found).count == 1201 && found.last == "zz")
        }
    }

    // MARK: One customer

    @Test func aCustomerIsSeenWithVisitConversationsAndRatings() async throws {
        try await run { local in
            let person = try await local.person("c1")
            for number in 1...25 {
                local.environment.advance(milliseconds: 1000)
                try await person.create("t\(number)", name: "n\(number)")
                try await person.send("m", "Hello \(number)", to: "t\(number)")
            }
            try await person.create("pending")
            _ = try await local.desk.close(DeskThread(id: "t25"), as: Local.agent, receipt: nil)
            try await local.store.write { [account = person.account] transaction in
                let number = try #require(try transaction.thread("t25", of: account)?.thread.contactID)
                try transaction.db.run("/* test */ UPDATE contact SET score = 4 WHERE number = \(number)")
                try transaction.db.run("/* test */ UPDATE contact SET score = 5 WHERE number = 1")
                for (id, at, visit) in [
                    ("s1", 10, nil), ("s2", 30, nil), ("s3", 20, #"{"device":"Firefox on Android"}"#),
                ] {
                    var session = SessionRecord(
                        id: id, account: account, generation: 1, isConnected: false, createdAt: transaction.now)
                    session.lastUsedAt = Timestamp(milliseconds: Int64(at))
                    session.visit = visit.map { Array($0.utf8) }
                    try transaction.save(session)
                }
            }
            let seen = try await view("c1", local)
            #expect(seen["channel"]?.string == "multi" && seen["sessions"]?.integer == 3)
            #expect(seen["firstSeenAt"]?.string == TestEnvironment.start.rfc3339)
            #expect(seen["lastSeenAt"]?.string == Timestamp(milliseconds: 30).rfc3339)
            #expect(seen["visit"] == .object([JSONMember(name: "device", value: .string("Firefox on Android"))]))
            let threads = seen["threads"]?.array ?? []
            #expect(threads.compactMap { $0["id"]?.string } == (6...25).reversed().map { "t\($0)" })
            #expect(threads.first?["state"]?.string == "closed" && threads.last?["state"]?.string == "ready")
            #expect(threads.first?[path: "lastMessage", "text"]?.string == "Hello 25")
            #expect(threads.first?["customerId"]?.string == "c1" && threads.first?["name"]?.string == "n25")
            #expect(seen["ratings"]?["count"]?.integer == 2)
            #expect(seen["ratings"]?["mean"] == .number(4.5))
        }
    }

    @Test func aCustomerIsNamedByTheChannelWhereSeveralHaveTheId() async throws {
        try await run { local in
            try await add(local, "c1", "Ada")
            try await add(local, "c1", "Bob", on: "single")
            #expect(await refusal { try await view("c1", local) } == .ambiguousCustomer)
            #expect(try await view("c1", local, on: "single")["firstName"]?.string == "Bob")
            #expect(await refusal { try await view("c2", local) } == .noSuchCustomer)
            #expect(await refusal { try await view("c1", local, on: "nowhere") } == .noSuchCustomer)
            let limited = DeskCustomer(id: "c1", within: ["multi"])
            let seen = try JSONParser.parse(try await local.desk.customer(limited))
            #expect(seen["firstName"]?.string == "Ada")
            let foreign = DeskCustomer(id: "c1", channel: "single", within: ["multi"])
            #expect(await refusal { try await local.desk.customer(foreign) } == .noSuchCustomer)
        }
    }

    // MARK: Changes

    @Test func aChangeIsToldToTheDeskAndToOpenThreads() async throws {
        try await run { local in
            let person = try await local.person("c1")
            try await person.create("t1")
            try await person.send("m1", to: "t1")
            _ = try local.log()
            let seen = try await update(
                "c1", CustomerPatch(firstName: "Ada", email: "Ada@shop.example", customFields: ["plan": "gold"]), local)
            #expect(seen["firstName"]?.string == "Ada" && seen["email"]?.string == "Ada@shop.example")
            #expect(seen[path: "customFields", "plan"]?.string == "gold" && seen["verified"] == nil)
            let events = local.recorder.take()
            #expect(events.map(\.type) == [.customerUpdated, .threadUpdated])
            #expect(events.first?.audiences == [.desk])
            let told = try JSONParser.parse(try #require(events.first).data(for: .desk))
            #expect(told["id"]?.string == "c1" && told["channel"]?.string == "multi")
            #expect(told["changed"]?.array == [.string("firstName"), .string("email"), .string("customFields")])
            #expect(told[path: "customer", "firstName"]?.string == "Ada" && told[path: "actor", "id"]?.string == "a1")
            #expect(try await find(local, "ada@") == ["c1"])
            // The same again is no news, and null takes a value away.
            _ = try await update("c1", CustomerPatch(firstName: "Ada", customFields: ["plan": "gold"]), local)
            #expect(try local.log() == [])
            let less = try await update(
                "c1", CustomerPatch(firstName: .some(nil), email: .some(nil), customFields: ["plan": nil]), local)
            #expect(less["firstName"] == nil && less["email"] == nil && less["customFields"]?.members?.isEmpty == true)
            #expect(try await find(local, "ada") == [])
        }
    }

    @Test func namesOfTheDeskAreVouchedFor() async throws {
        try await run { local in
            let person = try await local.person("c1")
            _ = try await person.connection.setCustomer(CustomerDraft(firstName: "Eve"), ifMatch: nil)
            _ = try await update("c1", CustomerPatch(lastName: "Lind"), local)
            let other = CustomerDraft(firstName: "Mallory")
            #expect(await refusal { try await person.connection.setCustomer(other, ifMatch: nil) } == .nameVouched)
            #expect(try await view("c1", local)["lastName"]?.string == "Lind")
        }
    }

    @Test func whatIsVouchedForNeedsARightOfItsOwn() async throws {
        try await run { local in
            try await add(local, "c1", "Ada", email: "ada@shop.example", verified: true)
            var patch = CustomerPatch(firstName: "Ann", email: "eve@shop.example")
            #expect(await refusal { try await update("c1", patch, local) } == .nameVouched)
            #expect(try await view("c1", local)["firstName"]?.string == "Ada")
            // The same address is no change.
            let same = CustomerPatch(firstName: "Ann", email: "ada@shop.example")
            #expect(try await update("c1", same, local)["firstName"]?.string == "Ann")
            patch.mayChangeVerified = true
            #expect(try await update("c1", patch, local)["email"]?.string == "eve@shop.example")
        }
    }

    @Test func badValuesChangeNothing() async throws {
        try await run { local in
            try await add(local, "c1", "Ada")
            _ = try local.log()
            let patches = [
                CustomerPatch(firstName: "Eve", email: "no address"),
                CustomerPatch(firstName: String(repeating: "a", count: 257)),
                CustomerPatch(firstName: "Eve", customFields: ["a": String(repeating: "a", count: 4097)]),
                CustomerPatch(
                    firstName: "Eve",
                    customFields: Dictionary(uniqueKeysWithValues: (0...100).map { ("f\($0)", "v") })),
            ]
            for patch in patches {
                #expect(await refusal { try await update("c1", patch, local) } == .invalidParameter)
            }
            #expect(try await view("c1", local)["firstName"]?.string == "Ada")
            #expect(try local.log() == [])
        }
    }

    /// Also what customers change themselves is told.
    @Test func theDeskIsToldOfWhatCustomersChange() async throws {
        try await run { local in
            let person = try await local.person("c1")
            _ = try await person.connection.setCustomer(CustomerDraft(firstName: "Eve"), ifMatch: nil)
            _ = try await person.connection.setCustomerCustomFields(["plan": "gold"], ifMatch: nil)
            _ = try await person.connection.setCustomerCustomFields(["plan": "gold"], ifMatch: nil)
            let changed = try local.recorder.take().map { event in
                try JSONParser.parse(event.data(for: .desk))["changed"]?.array?.compactMap(\.string) ?? []
            }
            #expect(changed == [["firstName"], ["customFields"]])
        }
    }

    // MARK: Notes

    @Test func notesAreTheDesksAlone() async throws {
        try await run { local in
            let person = try await local.person("c1")
            let customer = DeskCustomer(id: "c1")
            let receipt = Receipt(scope: "note", fingerprint: "f")
            let made = try await local.desk.addNote("secretNote", by: Local.agent, about: customer, receipt: receipt)
            let note = try JSONParser.parse(made.body)
            #expect(note["customerId"]?.string == "c1" && note["channel"]?.string == "multi")
            #expect(note[path: "author", "name"]?.string == "Bob")
            let event = try #require(local.recorder.take().first)
            #expect(event.type == .customerUpdated && event.audiences == [.desk])
            let data = String(decoding: event.data(for: .desk), as: UTF8.self)
            #expect(data.contains(#""changed":["notes"]"#) && !data.contains("secretNote"))
            _ = try await local.desk.addNote("second", by: Local.agent, about: customer, receipt: nil)
            var (texts, cursor): ([String], String?) = ([], nil)
            repeat {
                let page = try await local.desk.notes(about: customer, page: PageRequest(limit: 1, cursor: cursor))
                texts += try items(page).compactMap { $0["text"]?.string }
                cursor = page.next
            } while cursor != nil
            #expect(texts == ["second", "secretNote"])
            try await local.desk.removeNote(made.id, about: customer, as: Local.agent)
            #expect(await refusal { try await local.desk.note(made.id, about: customer) } == .unknownNote)
            #expect(
                await refusal { try await local.desk.removeNote(made.id, about: customer, as: nil) } == .unknownNote)
            let kept = try await local.store.receipt(scope: receipt.scope)
            #expect(kept.map { String(decoding: $0.outcome.body, as: UTF8.self).contains("secretNote") } == false)
            #expect(try person.threads().isEmpty)
            // Of another customer it is no note.
            _ = try await local.person("c2")
            let second = try #require(
                try items(await local.desk.notes(about: customer, page: PageRequest(limit: 1, cursor: nil))).first)
            let id = try #require(second["id"]?.string)
            #expect(await refusal { try await local.desk.note(id, about: DeskCustomer(id: "c2")) } == .unknownNote)
        }
    }

    @Test func aCustomerHasSoManyNotes() async throws {
        try await run { local in
            _ = try await local.person("c1")
            let customer = DeskCustomer(id: "c1")
            for _ in 0..<CustomerNote.maximumCount {
                _ = try await local.desk.addNote("n", by: Local.agent, about: customer, receipt: nil)
            }
            #expect(
                await refusal { try await local.desk.addNote("n", by: Local.agent, about: customer, receipt: nil) }
                    == .tooManyNotes)
        }
    }
}
