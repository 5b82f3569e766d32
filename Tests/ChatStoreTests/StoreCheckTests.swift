import ChatModel
import Foundation
import TestSupport
import Testing

@testable import ChatStore

/// A fault is planted in a sound store, and must be found by the check that is there for it.
struct StoreCheckTests {
    /// A statement that breaks a rule, and what is then said.
    struct Fault: Sendable, CustomTestStringConvertible {
        let sql: String
        var values: [SQLValue] = []
        let words: String

        var testDescription: String { words }

        init(_ sql: String, _ values: [SQLValue] = [], says words: String) {
            (self.sql, self.values, self.words) = (sql, values, words)
        }
    }

    /// The name of an attachment is also its bytes, and the digest is made of these bytes.
    private static func attach(_ id: String, in room: Room) async throws {
        let file = try room.store.stageFile()
        try Array(id.utf8).withUnsafeBytes { try file.write($0) }
        try file.synchronize()
        let attachment = Attachment(id: id, name: "a.txt", mimeType: "text/plain", size: Int64(id.utf8.count))
        try await room.store.storeFile(file, as: id) {
            try $0.insert(attachment, uploader: room.audience, digest: digest(of: Array(id.utf8)))
        }
    }

    /// As long as a SHA-256.
    private static func digest(of bytes: [UInt8]) -> [UInt8] {
        Array((bytes + [UInt8](repeating: 0, count: 32)).prefix(32))
    }

    private static func digest(_ next: () throws -> [UInt8]?) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while let piece = try next() { bytes += piece }
        return digest(of: bytes)
    }

    /// A store in which a bit of everything has happened.
    private static func run(_ body: (ChatStore, String) async throws -> Void) async throws {
        try await withFolder { folder in
            let store = try openStore(folder: folder, environment: TestEnvironment().environment)
            let (room, other) = (
                try await Room.make(in: store), try await Room.make(in: store, thread: "t2", customer: "c2")
            )
            for number in 0..<150 { try await room.send("m\(number)", "word \(number)") }
            try await room.send("a1", "answer", .toClient)
            try await room.send("a2", "answer", .toClient)
            try await room.edit("m149", to: "changed")
            try await room.remove("m7")
            // A service counts what it removes.
            try await room.unit { transaction, record in
                record.thread.deskUnreadCount -= 1
                try transaction.save(&record, logging: .threadUpdated, withDesk: true)
            }
            try await other.send("m1", "word")
            try await other.send("a1", "answer", .toClient)
            try await other.markRead()
            try await attach("file1", in: room)
            try await store.write { transaction in
                try transaction.keepAnswer(CannedAnswerDraft(name: "hours", text: "9 to 5", shortcut: "Hours"))
                try transaction.insert(sampleKey("k1", createdAt: transaction.now))
                try transaction.audit(NewAuditEntry(actor: "gateway", actorName: "", action: "key.made", subject: "k1"))
                try transaction.insert(samplePerson("ada", createdAt: transaction.now))
                try transaction.insert(samplePerson("bo", createdAt: transaction.now))
                try transaction.insert(sampleLogin("l1", of: "ada", createdAt: transaction.now))
                try transaction.insert(sampleLogin("l2", of: Login.operatorID, createdAt: transaction.now))
                try transaction.insert(sampleInvitation("code", of: "ada", createdAt: transaction.now))
                try transaction.setPicture(samplePicture("face"), ofPerson: "ada")
                try transaction.setExtra("k", of: .thread(1), to: Array("{}".utf8))
            }
            try await body(store, folder)
            await store.close()
        }
    }

    private static func faults(_ store: ChatStore, _ folder: String) throws -> [String] {
        let reader = try store.backend.makeReader()
        defer { reader.close() }
        var faults: [String] = []
        var parts: [CheckedPart] = []
        let count = try reader.inspect(end: { parts.append($0) }) { faults.append("\($0)") }
        #expect(count == faults.count && parts.map(\.faults).reduce(0, +) == count)
        let files = try reader.inspectFiles(in: .folder(folder + "/files"), digest: digest) { faults.append("\($0)") }
        #expect(count + files.faults == faults.count)
        return faults
    }

    @Test func aSoundStoreHasNoFault() async throws {
        try await Self.run { store, folder in
            let faults = try Self.faults(store, folder)
            #expect(faults == [])
        }
    }

    @Test(.onSQLite("SQLite's table of numbers"))
    func numbersThatWereNotDrawnAreFound() async throws {
        try await Self.run { store, folder in
            try await store.write { try $0.db.run("/* fault */ DELETE FROM sqlite_sequence WHERE name = 'thread'") }
            let faults = try Self.faults(store, folder)
            #expect(faults == ["numbers: thread: its last number is 2, and only 0 were given out"])
        }
    }

    @Test(.onSQLite("SQLite's file"))
    func aDamagedIndexIsFound() async throws {
        try await Self.run { store, folder in
            // The rows of the index are taken for those of another one.
            try store.onWriter { db in
                try db.execute(
                    """
                    PRAGMA writable_schema = ON;
                    UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM sqlite_master WHERE name = 'session_use')
                    WHERE name = 'message_order';
                    PRAGMA writable_schema = OFF;
                    """)
            }
            let faults = try Self.faults(store, folder)
            #expect(faults.contains { $0.hasPrefix("engine: the database file: ") }, "\(faults)")
        }
    }

    static let faults: [Fault] = [
        Fault(
            "UPDATE meta SET value = 1000000 WHERE name = 'floor'", says: "positions: the log's floor 1000000 is beyond"
        ),
        Fault("UPDATE account SET json = ? WHERE number = 1", [.blob([1])], says: "accounts: account 1: its JSON"),
        Fault("UPDATE account SET email = 'x' WHERE number = 1", says: "accounts: account 1: email is not"),
        Fault("UPDATE account SET nameKey = 'x' WHERE number = 1", says: "accounts: account 1: nameKey is not"),
        Fault(
            "INSERT INTO customerNote (account, id, json) VALUES (99, 'n', ?)", [.blob([])],
            says: "accounts: note n on a customer: its account is missing"),
        Fault(
            "INSERT INTO customerNote (account, id, json) VALUES (1, 'n', ?)", [.blob([1])],
            says: "customers: note n on a customer: its JSON cannot be read"),
        Fault("UPDATE answer SET shortcut = 'x'", says: "customers: answer"),
        Fault(
            "INSERT INTO session (id, account, generation, isConnected, createdAt) VALUES ('s', 99, 1, 0, 0)",
            says: "accounts: session s: its account is missing"),
        Fault(
            "INSERT INTO collection (session, id, createdAt, definition) VALUES ('s', 'c', 0, ?)", [.blob([])],
            says: "accounts: collection c: its session is missing"),
        Fault("UPDATE accessKey SET digest = ?", [.blob([1])], says: "keys: key k1: digest has 1 bytes"),
        Fault("UPDATE accessKey SET scopes = ?", [.blob([123])], says: "keys: key k1: its JSON cannot be read"),
        Fault(
            "UPDATE accessKey SET channels = ?", [.blob(Array("[1]".utf8))],
            says: "keys: key k1: its JSON cannot be read"),
        Fault("UPDATE person SET role = 'x' WHERE id = 'bo'", says: "people: person bo: its JSON cannot be read"),
        Fault("UPDATE person SET settings = ?", [.blob([123])], says: "people: person bo, settings: its JSON"),
        Fault("UPDATE person SET email = 'X@y' WHERE id = 'bo'", says: "people: person bo: email is not that"),
        Fault(
            "UPDATE person SET proxyName = 'ada@shop.example' WHERE id = 'bo'",
            says: "people: person ada: a proxy tells of another person"),
        Fault("DELETE FROM picture", says: "people: person ada: the picture is missing"),
        Fault(
            "UPDATE person SET picture = NULL",
            says: "people: a picture of 10 bytes has neither a person nor a channel"),
        Fault("DELETE FROM person WHERE id = 'ada'", says: "logins: login l1: its person is missing"),
        Fault("DELETE FROM person WHERE id = 'ada'", says: "logins: person ada is missing, and has an invitation"),
        Fault("UPDATE login SET pageDigest = ?", [.blob([1])], says: "logins: login l2: pageDigest has 1 bytes"),
        Fault("UPDATE audit SET detail = ?", [.blob([123])], says: "audit: entry 1: its JSON cannot be read"),
        Fault("UPDATE thread SET json = ? WHERE id = 't1'", [.blob([123])], says: "threads: thread 1 (t1): its JSON"),
        Fault(
            "UPDATE thread SET owner = 99 WHERE id = 't1'", says: "threads: thread 1 (t1): its owner, account 99, is"),
        Fault("UPDATE thread SET isClosed = 1 WHERE id = 't1'", says: "threads: thread 1 (t1): isClosed is true"),
        Fault("UPDATE thread SET deskAgent = 'x' WHERE id = 't1'", says: "threads: thread 1 (t1): deskAgent is"),
        Fault("UPDATE thread SET deskWait = 5 WHERE id = 't1'", says: "threads: thread 1 (t1): deskWait is"),
        Fault("UPDATE thread SET activity = 5 WHERE id = 't1'", says: "threads: thread 1 (t1): activity is 5"),
        Fault("UPDATE thread SET version = 90000 WHERE id = 't1'", says: "threads: thread 1 (t1): version is 90000"),
        Fault("UPDATE thread SET channel = 'x' WHERE id = 't1'", says: "threads: thread 1 (t1): channel is x"),
        Fault(
            "UPDATE thread SET lastMessage = NULL WHERE id = 't1'", says: "threads: thread 1 (t1): lastMessage is none"),
        Fault(
            "UPDATE thread SET lastMessage = 90000 WHERE id = 't1'",
            says: "threads: thread 1 (t1): lastMessage is 90000"),
        Fault(
            "UPDATE thread SET lastMessage = (SELECT number FROM message WHERE id = 'm5') WHERE id = 't1'",
            says: "threads: thread 1 (t1): the preview's id is a2, and should be m5"),
        Fault(
            "UPDATE thread SET deskReadAt = 9000000000000 WHERE id = 't1'",
            says: "threads: thread 1 (t1): deskUnreadCount is 149, and should be 0"),
        Fault(
            "INSERT INTO contact (thread, openedAt) VALUES (77, 0)",
            says: "threads: thread 77 is missing, and has a row of contact"),
        Fault("DELETE FROM thread WHERE id = 't2'", says: "members: thread 2 is missing, and has a member"),
        Fault(
            "UPDATE member SET unread = 3 WHERE id = 't1'",
            says: "members: account 1 in thread 1 (t1): unread is 3, and 2 messages can be"),
        Fault(
            "UPDATE member SET unread = -1 WHERE id = 't1'", says: "members: account 1 in thread 1 (t1): unread is -1"),
        Fault(
            "UPDATE member SET activity = 5 WHERE id = 't1'", says: "members: account 1 in thread 1 (t1): activity is 5"
        ),
        Fault("UPDATE member SET id = 'x' WHERE id = 't1'", says: "members: account 1 in thread 1 (t1): id is x"),
        Fault(
            "UPDATE member SET createdAt = 5 WHERE id = 't1'", says: "members: account 1 in thread 1 (t1): the keys of"),
        Fault("DELETE FROM thread WHERE id = 't2'", says: "(m1): its thread 2 is missing"),
        Fault("UPDATE message SET json = ? WHERE id = 'm140'", [.blob([])], says: "(m140): its JSON cannot be read"),
        Fault("UPDATE message SET createdAt = 5 WHERE id = 'm9'", says: "(m9): createdAt is 5"),
        Fault("UPDATE message SET isToAgent = 0 WHERE id = 'm9'", says: "(m9): isToAgent is false"),
        Fault("UPDATE message SET isSeen = 1 WHERE id = 'm9'", says: "(m9): isSeen is true"),
        Fault("UPDATE message SET parent = 'm1' WHERE id = 'm9'", says: "(m9): parent is m1"),
        Fault("UPDATE message SET isInThread = 0 WHERE id = 'm9'", says: "(m9): isInThread is false"),
        Fault("UPDATE message SET type = 'file' WHERE id = 'm9'", says: "(m9): type is file"),
        Fault("UPDATE message SET customType = 'x' WHERE id = 'm9'", says: "(m9): customType is not that of"),
        Fault("UPDATE message SET version = 90000 WHERE id = 'm9'", says: "(m9): version is 90000"),
        Fault(
            "INSERT INTO tombstone (thread, id) VALUES (1, 'm9')",
            says: "messages: message of thread 1 (m9): it was removed, and is there"),
        Fault(
            "INSERT INTO replier (parent, kind, id, count, author) VALUES (90000, 'agent', 'a', 1, ?)", [.blob([])],
            says: "replies: message 90000"),
        Fault(
            "UPDATE log SET data = ? WHERE place = 200", [.blob([1])], says: "log: event 200: its JSON cannot be read"),
        Fault("UPDATE log SET type = 'x' WHERE place = 200", says: "log: event 200: nobody knows its type"),
        Fault("UPDATE log SET owner = 99 WHERE place = 200", says: "log: event 200: its owner, account 99, is missing"),
        Fault("DELETE FROM audience WHERE place = 200", says: "log: event 200: no replay of account 1 finds it"),
        Fault(
            "UPDATE log SET audience = ? WHERE place = 200", [.blob([UInt8](repeating: 255, count: 12))],
            says: "log: event 200: its audience cannot be read"),
        Fault("DELETE FROM log WHERE place = 200", says: "audience: account 1: event 200 is not there"),
        Fault(
            "INSERT INTO audience (account, place) VALUES (2, 200)",
            says: "audience: account 2: event 200 is not there, or does not concern it"),
        Fault(
            """
            INSERT INTO delivery (target, place, lane, type, state, createdAt) VALUES (9, 1, 0, 'x', 'pending', 0)
            """, says: "deliveries: delivery 1: its target is missing"),
        Fault(
            "INSERT INTO attempt (delivery, number, at, milliseconds) VALUES (9, 1, 0, 0)",
            says: "deliveries: delivery 9 is missing, and has an attempt"),
        Fault("UPDATE attachment SET json = ?", [.blob([1])], says: "attachments: attachment file1: its JSON"),
        Fault(
            "UPDATE attachment SET digest = ?", [.blob([1])], says: "attachments: attachment file1: its digest is no"),
        Fault(
            "UPDATE attachment SET digest = ?", [.blob([1])], says: "files: attachment file1: its file has other"),
        Fault(
            "UPDATE attachment SET thread = 2, message = (SELECT number FROM message WHERE id = 'm5')",
            says: "attachments: attachment file1: it is in another thread than its message"),
        Fault(
            "INSERT INTO remoteFile (attachment, url, isHere) VALUES ('x', '', 0)",
            says: "attachments: attachment x is missing, and a service has its file"),
        Fault(
            "INSERT INTO usage (account, texts, files) VALUES (1, 5, 0)",
            says: "usage: account 1: the bytes of its texts are another number"),
        Fault(
            "UPDATE message SET payer = 2, bytes = 9 WHERE id = 'm9'", says: "usage: account 2: the bytes of its texts"),
        Fault("UPDATE extra SET row = 99", says: "extras: thread 99 is missing, and has an extra"),
        Fault("UPDATE extra SET kind = 'x'", says: "extras: row 1 has an extra of an unknown kind"),
        Fault("UPDATE extra SET json = ?", [.blob([123])], says: "extras: thread 1, extra: its JSON cannot be read"),
        Fault("UPDATE attachment SET bytes = 5", says: "usage: account 1: the bytes of its files"),
    ]

    @Test(arguments: faults) func whatIsPlantedIsFound(fault: Fault) async throws {
        try await Self.run { store, folder in
            // The comment keeps the statement from being judged: some of these read a whole table.
            try await store.write { try $0.db.run("/* fault */ " + fault.sql, fault.values) }
            let faults = try Self.faults(store, folder)
            #expect(faults.contains { $0.contains(fault.words) }, "\(faults)")
        }
    }

    @Test(arguments: [
        ("missing", "its file is missing"), ("short", "its file has 4 bytes, and should have 5"),
        ("other", "its file has other bytes than were stored"),
    ])
    func faultsOfFilesAreFound(kind: String, words: String) async throws {
        try await Self.run { store, folder in
            let path = folder + "/files/file1"
            switch kind {
            case "missing": try FileManager.default.removeItem(atPath: path)
            case "short": try Data("file".utf8).write(to: URL(fileURLWithPath: path))
            default: try Data("file2".utf8).write(to: URL(fileURLWithPath: path))
            }
            let faults = try Self.faults(store, folder)
            #expect(faults == ["files: attachment file1: \(words)"])
        }
    }

    @Test func aFileThatWasSetAsideIsThere() async throws {
        try await Self.run { store, folder in
            try FileManager.default.moveItem(atPath: folder + "/files/file1", toPath: folder + "/files/unclaimed/file1")
            let faults = try Self.faults(store, folder)
            #expect(faults == [])
        }
    }
}

/// Opening a database for a look at it.
@Suite(.onSQLite("It is about SQLite's file.")) struct StoreReaderTests {
    @Test func aFolderWithoutADatabaseIsRefusedAndStaysEmpty() async throws {
        try await withFolder { folder in
            #expect(throws: StoreError.self) { _ = try ChatStore.reader(folder: folder) }
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(names == [])
        }
    }

    @Test func aStoreIsLookedAtWhileItIsOpen() async throws {
        try await withFolder { folder in
            let store = try openStore(folder: folder, environment: TestEnvironment().environment)
            try await Room.make(in: store).send("m1")
            let reader = try ChatStore.reader(folder: folder)
            let head = try reader.reading { try $0.headOffset() }
            #expect(head == store.feed.head)
            reader.close()
            await store.close()
        }
    }
}
