import ChatModel
import Foundation
import Glibc
import TestSupport
import Testing

@testable import ChatStore

struct AttachmentTests {
    private static func attach(
        _ id: String, _ text: String = "bytes", to store: ChatStore, as uploader: Audience
    ) async throws {
        let file = try store.stageFile()
        try Array(text.utf8).withUnsafeBytes { try file.write($0) }
        try file.synchronize()
        let attachment = Attachment(id: id, name: "a.txt", mimeType: "text/plain", size: Int64(text.utf8.count))
        try await store.storeFile(file, as: id) { try $0.insert(attachment, uploader: uploader, digest: []) }
    }

    /// A message that carries uploads of the account.
    private static func send(_ id: String, _ attachments: [String], in room: Room) async throws {
        try await room.unit { transaction, record in
            var message = Message(
                id: id, threadID: room.thread, createdAt: transaction.now, direction: .toAgent,
                author: Author(record.owner.customer),
                type: .file, text: nil, status: .delivered)
            message.attachments = try transaction.uploads(attachments, of: room.audience)
            guard let sent = try transaction.insert(message, into: &record, withDesk: true) else { return }
            try transaction.bind(message.attachments, to: sent.number, in: record)
            try transaction.save(&record, logging: .threadUpdated, withDesk: true)
        }
    }

    private static func names(in folder: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder + "/files")) ?? []
        return names.filter { $0 != "incoming" && $0 != "unclaimed" }.sorted()
    }

    private static func namesAside(in folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder + "/files/unclaimed")) ?? []).sorted()
    }

    private static func run(_ body: (ChatStore, String, TestEnvironment) async throws -> Void) async throws {
        try await withFolder { folder in
            let environment = TestEnvironment()
            let store = try openStore(folder: folder, environment: environment.environment)
            try await body(store, folder, environment)
            await store.close()
        }
    }

    /// As when the process has no descriptor left: the file is there all the same.
    @Test func aFileThatCannotBeOpenedIsNotGone() async throws {
        try await Self.run { store, folder, _ in
            let room = try await Room.make(in: store)
            try await Self.attach("a", to: store, as: room.audience)
            let attachment = try await store.read { try $0.attachment("a", for: room.audience).attachment }
            close(try await store.openFile(of: attachment))
            let path = folder + "/files/a"
            #expect(unlink(path) == 0 && symlink("a", path) == 0, "a link to itself")
            await #expect { _ = try await store.openFile(of: attachment) } throws: {
                ($0 as? ChatError)?.code == .storageFailed
            }
            #expect(unlink(path) == 0)
            // A database that keeps files itself gives the file again.
            if TestDatabases.isPostgres {
                close(try await store.openFile(of: attachment))
                return
            }
            await #expect { _ = try await store.openFile(of: attachment) } throws: {
                ($0 as? ChatError)?.code == .unknownAttachment
            }
        }
    }

    @Test func whoMayReadAnAttachment() async throws {
        try await Self.run { store, _, _ in
            let (room, other) = (
                try await Room.make(in: store), try await Room.make(in: store, thread: "t2", customer: "c2")
            )
            try await Self.attach("a", to: store, as: room.audience)
            func readers() -> [Bool] {
                [room.audience, other.audience, Audience.desk].map { (reader: Audience) -> Bool in
                    do throws(ChatError) {
                        return try store.readBlocking { try $0.attachment("a", for: reader).attachment.id == "a" }
                    } catch {
                        #expect(error.code == .unknownAttachment)
                        return false
                    }
                }
            }
            #expect(readers() == [true, false, false])
            try await Self.send("m1", ["a"], in: room)
            #expect(readers() == [true, false, true])
            try await room.remove("m1")
            #expect(readers() == [false, false, false])
        }
    }

    @Test func anUploadThatIsNotSentInADayIsRemoved() async throws {
        try await Self.run { store, folder, environment in
            let room = try await Room.make(in: store)
            try await Self.attach("old", to: store, as: room.audience)
            try await Self.attach("sent", to: store, as: room.audience)
            try await Self.send("m1", ["sent"], in: room)
            environment.advance(milliseconds: AttachmentRecord.lifetimeInMilliseconds)
            try await Self.attach("new", to: store, as: room.audience)
            await store.sweepFiles()
            #expect(Self.names(in: folder) == ["new", "old", "sent"])
            environment.advance(milliseconds: 1)
            await store.sweepFiles()
            #expect(Self.names(in: folder) == ["new", "sent"])
            await #expect(throws: ChatError.unknownAttachment("old", pointer: "/attachments/0/id")) {
                try await Self.send("m2", ["old"], in: room)
            }
        }
    }

    @Test func filesWithoutRowsAndRowsWithoutMessagesAreSwept() async throws {
        try await Self.run { store, folder, _ in
            let room = try await Room.make(in: store)
            try await Self.attach("kept", to: store, as: room.audience)
            try await Self.attach("lost", to: store, as: room.audience)
            try await Self.send("m1", ["lost"], in: room)
            try Data("x".utf8).write(to: URL(fileURLWithPath: folder + "/files/stray"))
            try await store.onTables { try $0.run("/* all */ DELETE FROM message WHERE id = 'm1'") }
            let sweep = await store.sweepFiles()
            #expect(Self.names(in: folder) == ["kept"])
            // What had no row is kept for a while; what a lost message carried had one. A copy of the database's is not.
            let isCopy = store.backend.keepsFiles
            #expect(Self.namesAside(in: folder) == (isCopy ? [] : ["stray"]))
            #expect(sweep == FileSweep(setAside: isCopy ? 0 : 1, deleted: 0))
        }
    }

    @Test func messagesOfARemovedThreadAreSweptWithTheirFiles() async throws {
        try await Self.run { store, folder, _ in
            let room = try await Room.make(in: store),
                other = try await Room.make(in: store, thread: "t2", customer: "c2")
            for (id, room) in [("lost", room), ("kept", other)] {
                try await Self.attach(id, to: store, as: room.audience)
                try await Self.send("m1", [id], in: room)
            }
            try await store.write { try $0.removeRemoteThread("t1", of: room.account.number) }
            await store.sweepFiles()
            #expect(Self.names(in: folder) == ["kept"])
            #expect(try await store.count(of: "message") == 1)
            #expect(try await store.count(of: "orphan") == 0)
        }
    }

    /// The writer is there for others meanwhile: it looks only at what was found.
    @Test(.onSQLite("follows SQLite's statements")) func lostAttachmentsAreLookedForBesideTheWriter() async throws {
        try await Self.run { store, _, _ in
            let room = try await Room.make(in: store)
            // More than one step of the sweep.
            try await room.unit { transaction, record in
                for index in 0..<600 {
                    let attachment = Attachment(id: "a\(index)", name: "a.txt", mimeType: "text/plain", size: 1)
                    try transaction.insert(attachment, uploader: room.audience, digest: [])
                    let message = try Room.send("m\(index)", to: &record, in: transaction)
                    try transaction.bind([attachment], to: message, in: record)
                }
            }
            let seen = Journal<String>()
            try store.onWriter { $0.trace { seen.add($0) } }
            func looks() -> [String] {
                seen.entries.filter { sql in
                    sql.hasPrefix("SELECT") && ["FROM message", "FROM outgoing"].contains { sql.contains($0) }
                }
            }
            await store.sweepFiles()
            #expect(!seen.entries.isEmpty && looks() == [])
            try store.onWriter { try $0.run("/* all */ DELETE FROM message WHERE id = 'm300'") }
            await store.sweepFiles()
            #expect(Set(looks()).count == 2)
            let (lost, kept) = try await store.read { (try $0.attachment("a300"), try $0.attachment("a301")) }
            #expect(lost == nil && kept != nil)
        }
    }

    /// A gateway that stops does not wait for it.
    @Test func aCancelledSweepLeavesTheRestToTheNext() async throws {
        try await Self.run { store, folder, environment in
            let room = try await Room.make(in: store)
            try await Self.attach("old", to: store, as: room.audience)
            try Data("x".utf8).write(to: URL(fileURLWithPath: folder + "/files/stray"))
            environment.advance(milliseconds: AttachmentRecord.lifetimeInMilliseconds + 1)
            let cancelled = await withTaskGroup(of: FileSweep.self) { group in
                group.cancelAll()
                group.addTask { await store.sweepFiles() }
                return await group.next()
            }
            #expect(cancelled == FileSweep())
            #expect(Self.names(in: folder) == ["old", "stray"])
            #expect(await store.sweepFiles() == FileSweep(setAside: store.backend.keepsFiles ? 0 : 1, deleted: 0))
            #expect(Self.names(in: folder) == [])
        }
    }

    @Test(.onSQLite("PostgreSQL sets no file aside")) func aFileWithoutARowIsDeletedAfterAWeek() async throws {
        try await Self.run { store, folder, environment in
            try Data("x".utf8).write(to: URL(fileURLWithPath: folder + "/files/stray"))
            #expect(await store.sweepFiles() == FileSweep(setAside: 1, deleted: 0))
            environment.advance(milliseconds: FileSweep.graceInMilliseconds)
            #expect(await store.sweepFiles() == FileSweep())
            #expect(Self.namesAside(in: folder) == ["stray"])
            environment.advance(milliseconds: 1000)
            #expect(await store.sweepFiles() == FileSweep(setAside: 0, deleted: 1))
            #expect(Self.namesAside(in: folder) == [])
        }
    }

    /// An older database that was restored for a day does not cost the files of the right one.
    @Test(.onSQLite("PostgreSQL sets no file aside")) func aFileWhoseRowComesBackIsThereAgain() async throws {
        try await Self.run { store, folder, _ in
            let room = try await Room.make(in: store)
            for id in ["a", "b"] { try await Self.attach(id, to: store, as: room.audience) }
            _ = await store.files.setAside(["a", "b"], at: TestEnvironment.start)
            #expect(Self.names(in: folder) == [])
            let descriptor = try await store.openFile(
                of: Attachment(id: "a", name: "a", mimeType: "text/plain", size: 5))
            close(descriptor)
            #expect(Self.names(in: folder) == ["a"])
            await store.sweepFiles()
            #expect(Self.names(in: folder) == ["a", "b"] && Self.namesAside(in: folder) == [])
        }
    }

    /// What is between its file's place and its row's commit is nobody's orphan.
    @Test func theSweepLeavesWhatIsArriving() async throws {
        try await Self.run { store, folder, _ in
            let file = try store.stageFile()
            try await store.files.place(file, as: "arriving")
            await store.sweepFiles()
            #expect(Self.names(in: folder) == ["arriving"])
            store.files.settle("arriving")
            await store.sweepFiles()
            #expect(Self.names(in: folder) == [])
        }
    }

    @Test func aUnitThatFailsLeavesNoFile() async throws {
        try await Self.run { store, folder, _ in
            let room = try await Room.make(in: store)
            try await Self.attach("a", to: store, as: room.audience)
            let file = try store.stageFile()
            await #expect(throws: ChatError.self) {
                try await store.storeFile(file, as: "b") { _ in throw ChatError(.invalidParameter, "no") }
            }
            await store.files.finish()
            #expect(Self.names(in: folder) == ["a"])
        }
    }

    /// Two fetches of one file may place it, each for the other.
    @Test func aUnitThatFailsLeavesTheFileOfAnAttachmentThatIsThere() async throws {
        try await Self.run { store, folder, _ in
            let room = try await Room.make(in: store)
            try await Self.attach("a", "bytes", to: store, as: room.audience)
            let file = try store.stageFile()
            try Array("bytes".utf8).withUnsafeBytes { try file.write($0) }
            try file.synchronize()
            await #expect(throws: ChatError.self) {
                try await store.storeFile(file, as: "a") { _ in throw ChatError(.storageFailed, "no") }
            }
            await store.files.finish()
            #expect(Self.names(in: folder) == ["a"])
            #expect(try String(contentsOfFile: folder + "/files/a", encoding: .utf8) == "bytes")
        }
    }

    /// A unit that is undone has removed nothing.
    @Test func aRemovalThatIsUndoneKeepsItsFile() async throws {
        try await Self.run { store, folder, _ in
            let room = try await Room.make(in: store)
            try await Self.attach("a", to: store, as: room.audience)
            try await Self.send("m1", ["a"], in: room)
            await #expect(throws: ChatError.self) {
                try await room.unit { transaction, record in
                    guard let message = try transaction.message("m1", in: record) else { return }
                    try transaction.remove(message, in: &record, withDesk: true)
                    throw ChatError(.invalidParameter, "no")
                }
            }
            await store.files.finish()
            #expect(Self.names(in: folder) == ["a"])
            try await room.remove("m1")
            await store.files.finish()
            #expect(Self.names(in: folder) == [])
        }
    }

    @Test func uploadsThatAreNotSentAreLimited() async throws {
        try await Self.run { store, folder, environment in
            let room = try await Room.make(in: store)
            let allowance = UploadAllowance(count: 3, byteCount: 100)
            func attach(_ id: String, _ size: Int64, as uploader: Audience) async throws {
                let file = try store.stageFile()
                let attachment = Attachment(id: id, name: "a", mimeType: "text/plain", size: size)
                try await store.storeFile(file, as: id) {
                    try $0.insert(attachment, uploader: uploader, digest: [], within: allowance)
                }
            }
            try await attach("a", 40, as: room.audience)
            try await attach("b", 40, as: room.audience)
            #expect(await refusal { try await attach("c", 40, as: room.audience) } == .tooManyUploads)
            try await attach("c", 20, as: room.audience)
            #expect(await refusal { try await attach("d", 0, as: room.audience) } == .tooManyUploads)
            // Others have their own; what was sent counts no longer, nor what is a day old.
            try await attach("e", 100, as: .desk)
            try await Self.send("m1", ["a"], in: room)
            try await attach("d", 40, as: room.audience)
            #expect(await refusal { try await attach("f", 1, as: room.audience) } == .tooManyUploads)
            environment.advance(milliseconds: AttachmentRecord.lifetimeInMilliseconds + 1)
            await store.sweepFiles()
            try await attach("f", 100, as: room.audience)
            #expect(Self.names(in: folder) == ["a", "f"])
        }
    }

    // MARK: Readiness

    @Test func itSaysWhyNoFileCanBeStored() async throws {
        try await Self.run { store, folder, environment in
            #expect(await store.fileFault() == nil)
            // A file stands where the folder was: whoever runs the tests may write into every folder.
            let incoming = folder + "/files/incoming"
            try FileManager.default.removeItem(atPath: incoming)
            try "x".write(toFile: incoming, atomically: false, encoding: .utf8)
            #expect(await store.fileFault()?.contains("Not a directory") == true)
            #expect(throws: ChatError.self) { _ = try store.stageFile() }
            try FileManager.default.removeItem(atPath: incoming)
            // After a failure it is tried, and the folder made again.
            #expect(await store.fileFault() == nil)
            _ = try store.stageFile()
        }
    }

    /// What a write meets that no quick look foresees counts until a file was stored.
    @Test func aFailureCountsUntilAFileWasStored() async throws {
        try await Self.run { store, folder, environment in
            let room = try await Room.make(in: store)
            let file = try store.stageFile()
            await #expect(throws: ChatError.self) { try await store.files.place(file, as: "no/such/folder") }
            #expect(await store.fileFault() == nil)  // tried out at once, and well
            try FileManager.default.removeItem(atPath: folder + "/files/incoming")
            symlink("/proc/nowhere", folder + "/files/incoming")
            #expect(throws: ChatError.self) { _ = try store.stageFile() }
            #expect(await store.fileFault() != nil)
            unlink(folder + "/files/incoming")
            #expect(await store.fileFault() == nil)
            try await Self.attach("a", to: store, as: room.audience)
            #expect(await store.fileFault() == nil)
        }
    }

    @Test func whatWasBeingReceivedIsGoneAfterwards() async throws {
        try await withFolder { folder in
            let environment = TestEnvironment()
            await (try openStore(folder: folder, environment: environment.environment)).close()
            try Data("half".utf8).write(to: URL(fileURLWithPath: folder + "/files/incoming/7"))
            let store = try openStore(folder: folder, environment: environment.environment)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/files/incoming") == [])
            do {
                let file = try store.stageFile()
                try Array("x".utf8).withUnsafeBytes { try file.write($0) }
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/files/incoming").count == 1)
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/files/incoming") == [])
            await store.close()
        }
    }
}
