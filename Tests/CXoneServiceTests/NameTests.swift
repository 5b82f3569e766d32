import Chat
import ChatModel
import CXoneWire
import TestSupport
import Testing

@testable import CXoneService
@testable import ChatStore

/// What becomes of a thread's name between the customer and the platform.
@Suite struct NameTests {
    private func withThread(_ body: (Fixture, ChatClient) async throws -> Void) async throws {
        try await withCXone(.multithread) { cxone in
            cxone.platform.add("hello", to: "t1")
            cxone.platform.change("t1") { $0.name = "Old" }
            let client = try await cxone.session()
            _ = try await client.ask { try await $0.load("t1", receipt: nil) }
            try await body(cxone, client)
        }
    }

    private func name(_ cxone: Fixture, _ client: ChatClient) throws -> String? {
        try cxone.thread("t1", of: client)?.name
    }

    private func names(_ cxone: Fixture) -> [String?] {
        cxone.platform.requests("UpdateThread").map { request in
            if case .updateThread(let thread) = request.event { thread.name } else { nil }
        }
    }

    @Test func anAnswerThatIsOlderThanANameDoesNotUndoIt() async throws {
        try await withThread { cxone, client in
            cxone.platform.script("RecoverThread") { _ in [] }
            cxone.platform.script("UpdateThread") { _ in [] }
            let asked = cxone.platform.requests("RecoverThread").count
            async let loaded = client.ask { try await $0.load("t1", receipt: nil) }
            #expect(await eventually { cxone.platform.requests("RecoverThread").count == asked + 1 })
            _ = try await client.ask { try await $0.rename("t1", to: "New", ifMatch: nil) }
            let recover = try #require(cxone.platform.requests("RecoverThread").last)
            cxone.platform.send(cxone.platform.answer(recover))
            _ = try await loaded
            #expect(try name(cxone, client) == "New")
            // From its answer on the platform knows better.
            cxone.platform.send(cxone.platform.answer(try #require(cxone.platform.requests("UpdateThread").last)))
            cxone.platform.change("t1") { $0.name = "Newest" }
            cxone.platform.script("RecoverThread", nil)
            _ = try await client.ask { try await $0.load("t1", receipt: nil) }
            #expect(try name(cxone, client) == "Newest")
        }
    }

    @Test func aPlatformThatDoesNotAnswerHasTakenTheName() async throws {
        try await withThread { cxone, client in
            cxone.platform.script("UpdateThread") { _ in [] }
            _ = try await client.ask { try await $0.rename("t1", to: "New", ifMatch: nil) }
            cxone.clock.advance(by: .seconds(10))
            cxone.platform.change("t1") { $0.name = "Newest" }
            #expect(
                try await eventually {
                    _ = try await client.ask { try await $0.load("t1", receipt: nil) }
                    return try name(cxone, client) == "Newest"
                })
        }
    }

    private func reconnect(_ cxone: Fixture, _ client: ChatClient) async {
        cxone.platform.lose()
        await cxone.tryAgain(client)
    }

    @Test func aNameThatWasLostOnItsWayIsToldAgain() async throws {
        try await withThread { cxone, client in
            cxone.platform.script("UpdateThread") { _ in [] }
            _ = try await client.ask { try await $0.rename("t1", to: "New", ifMatch: nil) }
            await reconnect(cxone, client)
            #expect(try name(cxone, client) == "New")
            #expect(await eventually { names(cxone) == ["New", "New"] })
        }
    }

    @Test func aNameThatWasLostGivesWayToOneThatWasGivenElsewhere() async throws {
        try await withThread { cxone, client in
            cxone.platform.script("UpdateThread") { _ in [] }
            _ = try await client.ask { try await $0.rename("t1", to: "New", ifMatch: nil) }
            cxone.platform.change("t1") { $0.name = "Elsewhere" }
            await reconnect(cxone, client)
            #expect(try name(cxone, client) == "Elsewhere")
            #expect(names(cxone) == ["New"])
        }
    }

    @Test func aNameThatASilentNetworkSwallowedIsToldAgain() async throws {
        try await withThread { cxone, client in
            cxone.platform.script("UpdateThread") { _ in [] }
            _ = try await client.ask { try await $0.rename("t1", to: "New", ifMatch: nil) }
            cxone.clock.advance(by: .seconds(10))
            #expect(
                await eventually {
                    _ = try? await client.ask { try await $0.load("t1", receipt: nil) }
                    return names(cxone) == ["New", "New"]
                })
            #expect(try name(cxone, client) == "New")
        }
    }

    @Test func theLastNameGivenIsTheLastOneTold() async throws {
        try await withThread { cxone, client in
            cxone.platform.script("UpdateThread") { _ in [] }
            for name in ["A", "B", "C"] {
                _ = try await client.ask { try await $0.rename("t1", to: name, ifMatch: nil) }
            }
            #expect(names(cxone) == ["A"])
            cxone.platform.send(cxone.platform.answer(try #require(cxone.platform.requests("UpdateThread").last)))
            #expect(await eventually { names(cxone) == ["A", "C"] })
            #expect(try name(cxone, client) == "C")
        }
    }

    /// A rename whose commit fails has not happened: the platform's names are shown, and later ones are told.
    @Test(.onSQLite("it makes a commit fail by a trigger that runs at COMMIT"))
    func aNameWhoseCommitFailsLeavesNoTrace() async throws {
        try await withThread { cxone, client in
            try cxone.store.onWriter { database in
                for sql in [
                    "CREATE TABLE none (id INTEGER PRIMARY KEY)",
                    "CREATE TABLE doomed (id INTEGER PRIMARY KEY REFERENCES none (id) DEFERRABLE INITIALLY DEFERRED)",
                    "CREATE TRIGGER doom AFTER UPDATE ON thread BEGIN INSERT INTO doomed VALUES (NULL); END",
                ] { try database.run("/* all */ " + sql) }
            }
            let rename = await refusal {
                try await client.ask { try await $0.rename("t1", to: "New", ifMatch: nil) }
            }
            #expect(rename == .storageFailed)
            let set = await refusal {
                try await client.ask { try await $0.setCustomFields(["color": "red"], of: "t1") }
            }
            #expect(set == .storageFailed)
            try cxone.store.onWriter { try $0.run("/* all */ DROP TRIGGER doom") }
            #expect(try name(cxone, client) == "Old")
            #expect(names(cxone).isEmpty)
            #expect(cxone.service.ownNames.count == 0)
            #expect(cxone.service.fieldTimes.count == 0)
            // The platform's names are shown, and the next one given is told.
            cxone.platform.change("t1") { $0.name = "Elsewhere" }
            _ = try await client.ask { try await $0.load("t1", receipt: nil) }
            #expect(try name(cxone, client) == "Elsewhere")
            _ = try await client.ask { try await $0.rename("t1", to: "Last", ifMatch: nil) }
            #expect(names(cxone) == ["Last"])
        }
    }

    @Test func aNameThatIsRefusedGivesWayToThePlatforms() async throws {
        try await withThread { cxone, client in
            let recorder = EventRecorder(cxone.store.feed)
            cxone.platform.fail("UpdateThread", "UpdatingThreadFailed")
            _ = try await client.ask { try await $0.rename("t1", to: "New", ifMatch: nil) }
            #expect(try await eventually { try name(cxone, client) == "Old" })
            #expect(recorder.events.contains { $0.type == .error })
        }
    }
}
