import ChatModel
import Foundation
import Glibc
import TestSupport
import Testing

@testable import ChatStore

/// Attachments whose bytes are rows of the database, so that a gateway with another disk has them.
@Suite(.enabled(if: TestServer.address != nil, "no server: Tests/with-postgres starts one"))
struct FilePartTests {
    /// Two whole parts and one byte.
    private static let bytes = (0...2 * FilePart.size).map { UInt8(truncatingIfNeeded: $0 / 7 + $0) }

    private static func attachment(_ id: String, _ bytes: [UInt8] = bytes) -> ChatModel.Attachment {
        ChatModel.Attachment(id: id, name: "a.bin", mimeType: "application/octet-stream", size: Int64(bytes.count))
    }

    private static func stage(_ bytes: [UInt8] = bytes, in store: ChatStore) throws -> StagedFile {
        let file = try store.stageFile()
        try bytes.withUnsafeBytes { try file.write($0) }
        try file.synchronize()
        return file
    }

    private static func attach(_ id: String, _ bytes: [UInt8] = bytes, to store: ChatStore) async throws {
        try await store.storeFile(stage(bytes, in: store), as: id) {
            try $0.insert(attachment(id, bytes), uploader: .desk, digest: [])
        }
    }

    private static func read(_ id: String, _ bytes: [UInt8] = bytes, in store: ChatStore) async throws -> [UInt8] {
        let descriptor = try await store.openFile(of: attachment(id, bytes))
        return Array(try FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).readToEnd() ?? Data())
    }

    private static func names(of gateway: String, in database: TestDatabase) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(database.folder)/\(gateway)/files")
            .filter { $0 != "incoming" && $0 != "unclaimed" }.sorted()
    }

    @Test func anotherGatewayReadsTheFile() async throws {
        try await TestDatabase.run { database in
            try await database.open("g1") { store in
                try await Self.attach("a", to: store)
                try await Self.attach("empty", [], to: store)
                #expect(
                    try database.column("SELECT length(bytes)::text FROM filePart ORDER BY attachment, number") == [
                        "\(FilePart.size)", "\(FilePart.size)", "1",
                    ])
                #expect(try database.number("SELECT count(*) FROM arrivingFile") == 0)
            }
            try await database.open("g2") { store in
                #expect(try Self.names(of: "g2", in: database).isEmpty)
                #expect(try await Self.read("a", in: store) == Self.bytes)
                #expect(try await Self.read("empty", [], in: store).isEmpty)
                #expect(try Self.names(of: "g2", in: database) == ["a", "empty"])
                #expect(try await Self.read("a", in: store) == Self.bytes, "from the folder")
                // A part that is not there is not a shorter file.
                _ = try database.column("DELETE FROM filePart WHERE number = 1 RETURNING ''")
                await store.files.trimCopies(to: 0)
                await #expect(throws: ChatError.unknownAttachment("a")) { _ = try await Self.read("a", in: store) }
                // An empty copy takes no room, so it may have stayed.
                #expect(try !Self.names(of: "g2", in: database).contains("a"))
            }
        }
    }

    @Test func manyReadersOfAMissingCopyGetTheWholeFile() async throws {
        try await TestDatabase.run { database in
            try await database.open { store in
                try await Self.attach("a", to: store)
                await store.files.trimCopies(to: 0)
                try await withThrowingTaskGroup(of: Bool.self) { group in
                    for _ in 0..<8 { group.addTask { try await Self.read("a", in: store) == Self.bytes } }
                    for try await isWhole in group { #expect(isWhole) }
                }
            }
        }
    }

    @Test func partsGoWithTheAttachment() async throws {
        try await TestDatabase.run { database in
            let environment = TestEnvironment()
            try await database.open(environment: environment) { store in
                try await Self.attach("a", to: store)
                environment.advance(milliseconds: AttachmentRecord.lifetimeInMilliseconds + 1)
                await store.sweepFiles()
                #expect(try database.number("SELECT count(*) FROM filePart") == 0)
                #expect(try Self.names(of: "g1", in: database).isEmpty)
            }
        }
    }

    /// A process may die between the parts and the attachment.
    @Test func partsWithoutAnAttachmentAreRemovedAfterADay() async throws {
        try await TestDatabase.run { database in
            let environment = TestEnvironment()
            try await database.open(environment: environment) { store in
                let file = try Self.stage(in: store)
                let code = await refusal {
                    try await store.storeFile(file, as: "a") { _ in throw ChatError(.invalidParameter, "no") }
                }
                #expect(code == .invalidParameter)
                environment.advance(milliseconds: AttachmentRecord.lifetimeInMilliseconds)
                await store.sweepFiles()
                #expect(try database.number("SELECT count(*) FROM filePart") == 3)
                environment.advance(milliseconds: 1)
                await store.sweepFiles()
                #expect(try database.number("SELECT count(*) FROM filePart") == 0)
                #expect(try database.number("SELECT count(*) FROM arrivingFile") == 0)
            }
        }
    }

    /// A file that arrives once more for an attachment that is there keeps its parts, whatever comes of the second one.
    @Test func partsOfAnAttachmentThatIsThereStay() async throws {
        try await TestDatabase.run { database in
            let environment = TestEnvironment()
            try await database.open(environment: environment) { store in
                try await Self.attach("a", to: store)
                _ = try database.column(
                    "UPDATE attachment SET message = 1, createdAt = createdAt + 1000000000 RETURNING ''")
                _ = try database.column(
                    "INSERT INTO message (number, thread, id, createdAt, isToAgent, isSeen, version, json) VALUES (1, 1, 'm', 0, 0, 0, 1, '') RETURNING ''"
                )
                let file = try Self.stage(in: store)
                let code = await refusal {
                    try await store.storeFile(file, as: "a") { _ in throw ChatError(.invalidParameter, "no") }
                }
                #expect(code == .invalidParameter)
                environment.advance(milliseconds: AttachmentRecord.lifetimeInMilliseconds + 1)
                await store.sweepFiles()
                await store.files.trimCopies(to: 0)
                #expect(try await Self.read("a", in: store) == Self.bytes)
                #expect(try database.number("SELECT count(*) FROM arrivingFile") == 0)
            }
        }
    }

    /// The kernel leaves an access time that is not past as it is, and any with `noatime`.
    @Test func aReadingIsNotedAlsoWhereTheKernelNotesNone() async throws {
        try await TestDatabase.run { database in
            try await database.open { store in
                try await Self.attach("a", to: store)
                let (path, future) = ("\(database.folder)/g1/files/a", 4_000_000_000)
                let times = [timespec(tv_sec: future, tv_nsec: 0), timespec(tv_sec: 0, tv_nsec: 0)]
                #expect(utimensat(AT_FDCWD, path, times, 0) == 0)
                #expect(try await Self.read("a", in: store) == Self.bytes)
                var info = stat()
                #expect(stat(path, &info) == 0 && info.st_atim.tv_sec < future && info.st_mtim.tv_sec == 0)
            }
        }
    }

    @Test func theCopyThatWasNotReadForTheLongestTimeGoesFirst() async throws {
        try await TestDatabase.run { database in
            try await database.open { store in
                for id in ["a", "b", "c"] { try await Self.attach(id, to: store) }
                for (id, second) in [("a", 300), ("b", 100), ("c", 200)] {
                    let times = [timespec(tv_sec: second, tv_nsec: 0), timespec(tv_sec: 0, tv_nsec: 0)]
                    #expect(utimensat(AT_FDCWD, "\(database.folder)/g1/files/\(id)", times, 0) == 0)
                }
                await store.files.trimCopies(to: Int64(2 * Self.bytes.count))
                #expect(try Self.names(of: "g1", in: database) == ["a", "c"])
                // Nothing of the folder is set aside: it holds copies alone.
                try Data("x".utf8).write(to: URL(fileURLWithPath: database.folder + "/g1/files/stray"))
                #expect(await store.sweepFiles() == FileSweep())
                #expect(try Self.names(of: "g1", in: database) == ["a", "c"])
                #expect(try await Self.read("b", in: store) == Self.bytes)
            }
        }
    }
}
