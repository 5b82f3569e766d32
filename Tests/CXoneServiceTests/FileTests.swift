@testable import Chat
import ChatModel
import ChatStore
@testable import CXoneService
import CXoneWire
import Foundation
import Glibc
import HTTPClientPort
import Synchronization
import TestSupport
import Testing

/// Files that the platform keeps, as they are fetched.
@Suite(.timeLimit(.minutes(5))) struct FileTests {
    /// A session with a message that carries a file. Returns the attachment's id.
    private func withFile(_ body: (Fixture, ChatClient, String) async throws -> Void) async throws {
        try await withCXone(.multithread) { cxone in
            cxone.platform.add("hello", to: "t1")
            let client = try await cxone.session()
            _ = try await client.ask { try await $0.load("t1", receipt: nil) }
            var message = cxone.platform.add("look", to: "t1")
            message.attachments = [
                WireAttachment(
                    url: "https://files.test/1", friendlyName: "a.txt", mimeType: "text/plain", fileName: "a.txt")
            ]
            let carrying = message
            cxone.platform.change("t1") { $0.messages[1] = carrying }
            cxone.platform.push(.messageCreated(cxone.platform.created(message)))
            try await cxone.platform.heard()
            let attachment = try #require(try await cxone.messages("t1", of: client).last?.attachments.first)
            try await body(cxone, client, attachment.id)
        }
    }

    private static func read(_ file: OpenAttachment) -> [UInt8] {
        defer { close(file.descriptor) }
        var bytes = [UInt8](repeating: 0, count: Int(file.attachment.size) + 1)
        let count = Glibc.read(file.descriptor, &bytes, bytes.count)
        return Array(bytes.prefix(max(0, count)))
    }

    private static func sizes(in folder: String) -> [Int] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.map { name in
            var status = stat()
            return stat(folder + "/" + name, &status) == 0 ? Int(status.st_size) : -1
        }
    }

    private static func path(_ file: OpenAttachment) throws -> String {
        defer { close(file.descriptor) }
        return try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(file.descriptor)")
    }

    @Test("One fetch serves all who ask at the same time, and who asks later") func oneFetchServesAll() async throws {
        try await withFile { cxone, client, id in
            let gate = Gate()
            cxone.platform.hold("files.test") { await gate.pass() }
            let content = Array("some content".utf8)
            cxone.platform.http("files.test") { _ in .init(status: 200, body: content) }
            let readers = (0..<20).map { _ in Task { Self.read(try await client.attachment(id)) } }
            #expect(await eventually { cxone.sessions.remote.files.waiterCount(of: id) == 20 })
            gate.open()
            for reader in readers { #expect(try await reader.value == content) }
            let later = try await client.attachment(id)
            #expect(later.attachment.size == Int64(content.count))
            #expect(later.digest.prefix(4) == [0x29, 0x0F, 0x49, 0x3C], "SHA-256")
            #expect(Self.read(later) == content)
            #expect(cxone.platform.calls("files.test").count == 1)
        }
    }

    @Test("A file that takes long: who asks has an answer after 9 s, and the fetch goes on for who asks again")
    func aSlowFileIsFetchedOn() async throws {
        try await withFile { cxone, client, id in
            let gate = Gate()
            cxone.platform.hold("files.test") { await gate.pass() }
            cxone.platform.http("files.test") { _ in .init(status: 200, body: Array("slow".utf8)) }
            async let code = refusal { try await client.attachment(id) }
            #expect(
                await eventually {
                    cxone.sessions.remote.files.waiterCount(of: id) == 1 && cxone.clock.nextWaking == .seconds(9)
                })
            cxone.clock.advance(by: .seconds(9))
            #expect(await code == .eventTimeout)
            async let again = client.attachment(id)
            #expect(await eventually { cxone.sessions.remote.files.waiterCount(of: id) == 1 })
            gate.open()
            let file = try await again
            #expect(Self.read(file) == Array("slow".utf8))
            #expect(cxone.platform.calls("files.test").count == 1)
            #expect(cxone.sessions.remote.files.count == 0)
        }
    }

    @Test("A fetch that fails leaves no file, and harms none that is there") func aFetchThatFailsHarmsNothing()
        async throws
    {
        try await withFile { cxone, client, id in
            cxone.platform.http("files.test") { _ in .init(status: 403) }
            #expect(await refusal { try await client.attachment(id) } == .serverError)
            cxone.platform.http("files.test") { _ in .init(status: 200, body: Array("there".utf8)) }
            #expect(Self.read(try await client.attachment(id)) == Array("there".utf8))
            // A second fetch, begun before the first one had ended, whose unit fails.
            struct Failure: Error {}
            let staged = try cxone.store.stageFile()
            #expect(
                await refusal {
                    try await cxone.store.storeFile(staged, as: id) { _ in
                        throw ChatError(.storageFailed, "as scripted")
                    }
                } == .storageFailed)
            await cxone.store.sweepFiles()
            await #expect(throws: Never.self) {
                close(try await cxone.store.openFile(of: try await client.attachment(id).attachment))
            }
        }
    }

    @Test("A file that was cut here is fetched anew, and never promised whole") func aCutFileIsFetchedAnew()
        async throws
    {
        try await withFile { cxone, client, id in
            let content = Array("some content".utf8)
            cxone.platform.http("files.test") { _ in .init(status: 200, body: content) }
            let path = try Self.path(try await client.attachment(id))
            try #require(truncate(path, 4) == 0)
            #expect(Self.read(try await client.attachment(id)) == content)
            #expect(cxone.platform.calls("files.test").count == 2)
            try #require(truncate(path, 4) == 0)
            cxone.platform.http("files.test") { _ in .init(status: 404) }
            #expect(await refusal { try await client.attachment(id) } == .serverError)
        }
    }

    @Test("A file that comes too slowly is given up, however steadily it comes", arguments: [1, 50_000])
    func aFileMustComeFastEnough(_ byteCount: Int) async throws {
        let port = SteadyPort(), clock = ManualClock(), http = PlatformHTTP(port: port, foreignPort: port, clock: clock)
        let taken = Journal<Int>()
        let isFast = byteCount > SteadyDownload.leastBytes
        let expected: ChatError.Code? = isFast ? nil : .eventTimeout
        async let code = refusal {
            try await http.file(at: "https://files.test/1", of: PlatformAddress(Fixture.address), limit: 1 << 20) {
                taken.add($0.count)
            }
        }
        for lap in 1...2 {
            // The time for the whole file, and one for each lap.
            #expect(await eventually { clock.sleepCount == lap + 1 })
            port.send(byteCount: byteCount)
            #expect(await eventually { taken.entries.count == lap })
            clock.advance(by: SteadyDownload.piecePatience)
        }
        if isFast {
            #expect(await eventually { clock.sleepCount == 4 })
            port.finish()
        }
        #expect(await code == expected)
    }

    @Test("The next piece of a large file is not read before the last one was taken")
    func aFileIsNotHeldInMemory() async throws {
        let server = try await FaultyServer(.endless),
            http = PlatformHTTP(port: AsyncHTTPPort(), foreignPort: AsyncHTTPPort(), clock: ManualClock())
        let gate = Gate(), taken = Journal<Int>()
        let fetching = Task {
            try await http.file(
                at: "http://127.0.0.1:\(server.port)/", of: PlatformAddress(Fixture.address), limit: 1 << 30
            ) { piece in
                taken.add(piece.count)
                await gate.pass()
                throw ChatError(.serverError, "enough")
            }
        }
        #expect(await eventually { taken.entries.count == 1 })
        // The server sends until the kernel's buffers and the client's are full. While anybody reads, each turn brings
        // more on its way.
        let bound = 64 << 20
        var sent = -1, turnsInVain = 0
        while turnsInVain < 100, server.sentByteCount < bound {
            let before = sent
            try await server.turn()
            sent = server.sentByteCount
            turnsInVain = sent == before ? turnsInVain + 1 : 0
        }
        #expect(server.sentByteCount < bound)
        #expect(taken.entries.count == 1 && taken.entries.allSatisfy { $0 <= 1 << 20 })
        gate.open()
        #expect(await refusal { try await fetching.value } == .serverError)
        #expect(await eventually { server.openCount == 0 })
        await server.stop()
    }

    @Test("A piece of a file is written before the next one has come") func piecesAreNotHeldInMemory() async throws {
        try await withFolder { folder in
            let store = try openStore(
                folder: folder, options: StoreOptions(), environment: TestEnvironment().environment)
            let port = SteadyPort(), staged = try store.stageFile()
            let service = CXoneService(
                store: store, clock: ManualClock(), tokens: .folder(folder + "/cxone"),
                sockets: ScriptedPlatform(.multithread),
                http: port, foreignHTTP: port, notice: { _ in })
            let channel = try await service.channel(at: Fixture.address)
            async let file = service.fetch("https://files.test/1", of: channel, into: staged, limit: 1 << 20)
            port.send(byteCount: 1000)
            #expect(await eventually { Self.sizes(in: folder + "/files/incoming") == [1000] })
            port.send(byteCount: 1000)
            port.finish()
            #expect(try await file.size == 2000)
            await store.close()
        }
    }

    @Test(
        "Only the platform's own origins are asked without a look at the address",
        arguments: [
            ("http://platform.test/files/1", true), ("HTTP://Platform.Test:80/1", true),
            ("https://files.test/1", false), ("http://platform.test:8787/v1/sessions", false),
            ("https://platform.test/1", false), ("http://platform.test@127.0.0.1/1", false),
            ("http://platform.test.evil.test/1", false), ("http://127.0.0.1/", false),
        ])
    func foreignURLsAreJudged(_ url: String, isOwn: Bool) async throws {
        let own = ScriptedPlatform(.multithread), foreign = ScriptedPlatform(.multithread)
        let http = PlatformHTTP(port: own, foreignPort: foreign, clock: ManualClock())
        let address = try PlatformAddress(Fixture.address)
        _ = await refusal { try await http.file(at: url, of: address, limit: 1 << 20) { _ in } }
        _ = await refusal { _ = try await http.largeEvent(at: url, of: address) }
        #expect(own.calls("/").count == (isOwn ? 2 : 0))
        #expect(foreign.calls("/").count == (isOwn ? 0 : 2))
    }

    @Test("A file that is larger than what is taken is refused, and leaves nothing") func aFileTooLargeIsRefused()
        async throws
    {
        let server = try await FaultyServer(.endless),
            http = PlatformHTTP(port: AsyncHTTPPort(), foreignPort: AsyncHTTPPort(), clock: ManualClock())
        let taken = Atomic<Int>(0)
        let code = await refusal {
            try await http.file(
                at: "http://127.0.0.1:\(server.port)/", of: PlatformAddress(Fixture.address), limit: 1 << 20
            ) {
                taken.add($0.count, ordering: .relaxed)
            }
        }
        #expect(code == .serverError)
        #expect(taken.load(ordering: .relaxed) <= 1 << 20)
        #expect(await eventually { server.openCount == 0 })
        await server.stop()
    }
}

/// A file of the platform whose pieces come when the test sends them.
private final class SteadyPort: HTTPPort {
    private let pieces: AsyncStream<[UInt8]>
    private let feed: AsyncStream<[UInt8]>.Continuation

    init() { (pieces, feed) = AsyncStream.makeStream(of: [UInt8].self) }

    func send(byteCount: Int) { feed.yield([UInt8](repeating: 7, count: byteCount)) }
    func finish() { feed.finish() }

    func send(_ request: HTTPCall, limit: Int) async throws -> HTTPAnswer { HTTPAnswer(status: 200) }

    func receive(
        _ request: HTTPCall, limit: Int, begin: @escaping @Sendable (HTTPAnswer) throws -> Void,
        take: @escaping @Sendable ([UInt8]) async throws -> Void
    ) async throws {
        try begin(HTTPAnswer(status: 200))
        for await piece in pieces { try await take(piece) }
        try Task.checkCancellation()
    }
}
