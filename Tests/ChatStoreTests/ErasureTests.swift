import ChatModel
import Formats
import Foundation
import TestSupport
import Testing

@testable import ChatStore

/// Erasing an account, as far as the store does it, and the export of one.
struct ErasureTests {
    /// A room with everything that a customer may leave behind. The customer's texts and names begin with "secret".
    private func fill(_ store: ChatStore) async throws -> Room {
        let room = try await Room.make(in: store, customer: "c1")
        try await store.write { transaction in
            var account = try transaction.account(room.account.number)
            (account.customer.firstName, account.customFields) = ("secretAda", ["note": "secretField"])
            account.customer.email = "secret@shop.example"
            try transaction.save(account)
            _ = try transaction.addNote(
                "secretCustomerNote", by: Author(id: "a1", kind: .agent), about: account,
                receipt: Receipt(scope: "customerNote", fingerprint: "f"))
        }
        try await room.unit { transaction, record in
            record.thread.name = "secretName"
            record.thread.customFields = ["order": "secretOrder"]
            try transaction.save(&record, logging: .threadUpdated, withDesk: true)
            let agent = Author(id: "a1", kind: .agent)
            _ = try transaction.addNote(
                "secretNote", by: agent, to: record, receipt: Receipt(scope: "note", fingerprint: "f"))
            try transaction.record(
                Receipt(scope: "thread", fingerprint: "f"),
                Outcome(.ok, id: "t1", body: record.json(for: room.account.number)))
        }
        for number in 0..<450 {
            try await room.send(
                "m\(number)", "secretText \(number)", number % 2 == 0 ? .toAgent : .toClient,
                receipt: number < 3 ? Receipt(scope: "r\(number)", fingerprint: "f") : nil)
        }
        let file = try store.stageFile()
        try Array("secretBytes".utf8).withUnsafeBytes { try file.write($0) }
        try file.synchronize()
        let upload = Attachment(id: "f1", name: "secretFile", mimeType: "text/plain", size: 11)
        try await store.storeFile(file, as: "f1") {
            try $0.insert(upload, uploader: .account(room.account.number), digest: [])
        }
        try await store.write { transaction in
            try transaction.save(
                SessionRecord(
                    id: "secretSession", account: room.account.number, generation: 1, isConnected: false,
                    createdAt: transaction.now))
        }
        return room
    }

    /// All that the tables contain, as one text.
    private func dump(_ store: ChatStore) async throws -> String {
        try await store.read { transaction in
            var text = ""
            let columns = [
                "account": "service, channel, customer, json, customFields, email, nameKey", "customerNote": "json",
                "session": "id", "thread": "json",
                "member": "id", "message": "json", "note": "json", "log": "data", "receipt": "body",
                "attachment": "json", "tombstone": "id", "target": "json", "contact": "thread", "outgoing": "json",
            ]
            for (table, names) in columns.sorted(by: { $0.key < $1.key }) {
                let count = Int32(names.split(separator: ",").count)
                try transaction.db.query("/* all */ SELECT \(names) FROM \(table)", []) { row in
                    for column in 0..<count {
                        let bytes = row.withBlob(column) { Array($0) }
                        text += "\(table): \(String(decoding: bytes, as: UTF8.self))\n"
                    }
                    return true
                }
            }
            return text
        }
    }

    private func eraseAll(_ store: ChatStore) async throws {
        for account in try await store.read({ try $0.erasingAccounts() }) {
            for id in try await store.read({
                try $0.sessionPage(SessionFilter(account: account.number), PageRequest(limit: 50, cursor: nil)).items
                    .map(\.session.id)
            }) {
                try await store.write { _ = try $0.deleteSession(id) }
            }
            repeat {
                try await store.eraseThreads(ownedBy: account.number)
            } while try await !store.eraseRows(of: account)
        }
    }

    /// The number of steps after which the process ends.
    @Test(arguments: [0, 1, 2, 100]) func nothingIsLeftHoweverOftenItIsCutOff(steps: Int) async throws {
        try await withFolder { folder in
            let environment = TestEnvironment().environment
            var store = try openStore(folder: folder, environment: environment)
            let room = try await fill(store)
            let other = try await Room.make(in: store, thread: "t2", customer: "c2")
            try await other.send("kept", "keptText")
            try await store.catchUpSearch()
            let head = store.feed.head
            let begun = try await store.write { try $0.beginErasure(of: room.account.key) }
            #expect(begun?.key == room.account.key)
            for step in 0..<steps {
                try await store.write { transaction in
                    if step == 0 {
                        _ = try transaction.removeOldestThread(of: room.account.number)
                    } else {
                        _ = try transaction.eraseHistory()
                    }
                }
            }
            // The key is free at once, and nobody gets the old account by it.
            let account = try await store.write { try $0.openAccount(room.account.key) }
            #expect(account.number != room.account.number)
            await store.close()
            store = try openStore(folder: folder, environment: environment)
            try await eraseAll(store)
            let left = try await dump(store)
            #expect(!left.contains("secret"), "\(left.split(separator: "\n").filter { $0.contains("secret") })")
            #expect(left.contains("keptText"))
            #expect(try await store.read { try $0.erasingAccounts() }.isEmpty)
            #expect(!FileManager.default.fileExists(atPath: folder + "/files/f1"))
            // Whoever was away is told, the desk with the customer's id.
            let events = try await store.replay([.desk], after: head, limit: 1 << 20).events
            #expect(events.map(\.type) == [.threadRemoved])
            #expect(
                events.first.map { String(decoding: $0.data(for: .desk), as: UTF8.self).contains("\"c1\"") } == true)
            // The search has forgotten them.
            try await store.catchUpSearch()
            let index = try store.search.opened()
            let texts = try await index.readers.reading { db in
                try db.all("/* all */ SELECT body FROM words", []) { $0.text(0) }
            }
            #expect(texts == ["kepttext"])
            await store.close()
        }
    }

    /// The row goes when the log does not name it any more.
    @Test func theLastTraceGoesWithTheLog() async throws {
        try await withStore { store in
            let room = try await fill(store)
            _ = try await store.write { try $0.beginErasure(of: room.account.key) }
            try await eraseAll(store)
            await store.sweepFiles()
            #expect(try await dump(store).contains("erased:"))
            try await store.write { try $0.setMeta("floor", $0.head) }
            await store.sweepFiles()
            #expect(try await !dump(store).contains("erased:"))
        }
    }

    @Test func noThreadIsMadeForAnErasedAccount() async throws {
        try await withStore { store in
            let room = try await fill(store)
            _ = try await store.write { try $0.beginErasure(of: room.account.key) }
            await #expect(throws: ChatError.self) {
                try await store.write { transaction in
                    let owner = try transaction.account(room.account.number)
                    _ = try transaction.insert(
                        ChatThread(id: "new", createdAt: transaction.now, members: [owner.customer]), owner: owner)
                }
            }
        }
    }

    @Test func anExportHasEverything() async throws {
        try await withStore { store in
            let room = try await fill(store)
            let account = try await store.read { try $0.account(room.account.number) }
            var export = AccountExport(store, of: [account], hasNotes: true)
            var bytes: [UInt8] = []
            while let piece = try await export.next() {
                #expect(piece.count < 1 << 20)
                bytes += piece
            }
            let lines = try bytes.split(separator: UInt8(ascii: "\n")).map { try JSONParser.parse(Array($0)) }
            func those(_ kind: String) -> [JSONValue] { lines.filter { $0["kind"] == .string(kind) } }
            #expect(those("account").first?[path: "customer", "firstName"] == .string("secretAda"))
            #expect(those("session").count == 1 && those("thread").count == 1 && those("note").count == 1)
            let ids = those("message").compactMap { $0[path: "message", "id"]?.string }
            #expect(ids == (0..<450).map { "m\($0)" })
            #expect(those("customerNote").first?[path: "note", "text"]?.string == "secretCustomerNote")
            let part = those("filePart").first?["base64"]?.string.flatMap { Data(base64Encoded: $0) }
            #expect(part == Data("secretBytes".utf8))
            #expect(lines.last?["kind"] == .string("end") && lines.last?["messages"]?.integer == 450)
        }
    }

    @Test func notesAreExportedOnlyWhenTheyAreWanted() async throws {
        try await withStore { store in
            let room = try await fill(store)
            let account = try await store.read { try $0.account(room.account.number) }
            var export = AccountExport(store, of: [account], hasNotes: false)
            var text = ""
            while let piece = try await export.next() { text += String(decoding: piece, as: UTF8.self) }
            #expect(text.contains("secretText") && !text.contains("secretNote") && !text.contains("secretCustomerNote"))
        }
    }
}
