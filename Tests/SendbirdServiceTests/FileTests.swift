import Chat
import ChatModel
import ChatStore
import Formats
import HTTPClientPort
@testable import SendbirdService
import TestSupport
import Testing

/// Files of messages, between the adapter and the sandbox.
@Suite struct FileTests {
    /// It has what a form is made of, and could end its own part early.
    private static let bytes = Array("one\r\n--parley\r\n\"two\"\r\n--".utf8) + [0, 0xFF]

    private static func upload(_ store: ChatStore, name: String) throws -> FileUpload {
        try FileUpload(staged: name, bytes, in: store)
    }

    private static func content(of file: OpenAttachment) async -> [UInt8]? {
        await FileBody.read(file.descriptor, count: Int(file.attachment.size))
    }

    @Test func aFileOfTheCustomer() async throws {
        try await TwoGateways.run { world in
            let client = try await world.session()
            let thread = try #require(try await client.createThread(ThreadDraft(), receipt: nil).id)
            let name = #"pläne "7"; x.png"#
            let id = try #require(try await client.attach(Self.upload(world.store, name: name), receipt: nil).id)
            world.port.next("POST", "/messages", .loseAnswer)
            _ = try await client.send(MessageDraft(id: "m1", attachments: [id]), to: thread, receipt: nil)
            #expect(world.port.count("POST", "/messages") == 1)
            let far = try await world.farMessages(in: thread)
            #expect(far.count == 1 && far[0].type == .file && far[0].attachments.map(\.mimeType) == ["image/png"])
            #expect(far[0].attachments.map(\.name) == [name.replacing("\"", with: "%22")])
            let file = try await world.desk.attachment(far[0].attachments[0].id, within: ["multi"])
            #expect(await Self.content(of: file) == Self.bytes)
            // The upload's own id stays.
            #expect(try await world.messages(of: client, in: thread)[0].attachments.map(\.id) == [id])
            // A reply may be a file, too.
            let other = try #require(try await client.attach(Self.upload(world.store, name: "b"), receipt: nil).id)
            _ = try await client.send(
                MessageDraft(id: "m2", parentID: "m1", attachments: [other]), to: thread, receipt: nil)
            #expect(try await world.farMessages(in: thread).last?.parentID == far[0].id)
        }
    }

    /// The line is slow: the client hears after ten seconds that nothing is known yet, and the upload goes on.
    @Test func anUploadTakesLong() async throws {
        try await TwoGateways.run { world in
            let client = try await world.session()
            let thread = try #require(try await client.createThread(ThreadDraft(), receipt: nil).id)
            let id = try #require(try await client.attach(Self.upload(world.store, name: "a"), receipt: nil).id)
            let (gate, open) = AsyncStream.makeStream(of: Void.self)
            world.port.next("POST", "/messages", .wait { for await _ in gate {} })
            let sending = Task {
                try await client.send(MessageDraft(id: "m1", attachments: [id]), to: thread, receipt: nil)
            }
            #expect(await eventually { world.port.count("POST", "/messages") == 1 })
            for _ in 0..<40 { world.pass(.seconds(1)) }
            _ = try await sending.value
            open.finish()
            #expect(
                try await world.passes { try await world.messages(of: client, in: thread).map(\.status) == [.sent] })
            #expect(try await world.farMessages(in: thread).count == 1 && world.port.count("POST", "/messages") == 1)
        }
    }

    @Test func aFileOfAnAgent() async throws {
        try await TwoGateways.run { world in
            let client = try await world.session()
            let thread = try #require(try await client.createThread(ThreadDraft(), receipt: nil).id)
            _ = try await client.send(MessageDraft(text: "Hello"), to: thread, receipt: nil)
            let id = try #require(
                try await world.desk.attach(Self.upload(world.farStore, name: "plan.png"), receipt: nil).id)
            world.environment.advance(milliseconds: 1)
            _ = try await world.desk.send(
                MessageDraft(attachments: [id]), as: TwoGateways.agent, to: DeskThread(id: thread), receipt: nil)
            #expect(try await world.passes { try await world.messages(of: client, in: thread).count == 2 })
            let message = try #require(try await world.messages(of: client, in: thread).last)
            #expect(message.type == .file && message.attachments.map(\.name) == ["plan.png"] && message.text == nil)
            let file = try await client.attachment(message.attachments[0].id)
            #expect(await Self.content(of: file) == Self.bytes)
            // It is fetched once.
            let again = try await client.attachment(message.attachments[0].id)
            #expect(await Self.content(of: again) == Self.bytes)
            #expect(world.port.calls.count { $0.path.hasPrefix("/v3/files/") } == 1)
        }
    }

    @Test func whatThePlatformDoesNotTake() async throws {
        try await TwoGateways.run { world in
            let client = try await world.session()
            let thread = try #require(try await client.createThread(ThreadDraft(), receipt: nil).id)
            var files: [String] = []
            for name in ["a", "b", "c"] {
                files.append(
                    try #require(try await client.attach(Self.upload(world.store, name: name), receipt: nil).id))
            }
            for draft in [
                MessageDraft(text: "both", attachments: [files[0]]), MessageDraft(attachments: [files[1], files[2]]),
            ] {
                let error = await #expect(throws: ChatError.self) {
                    _ = try await client.send(draft, to: thread, receipt: nil)
                }
                #expect(error?.code == .invalidParameter)
            }
            #expect(world.port.count("POST", "/messages") == 0)
        }
    }

    /// A file is in memory as long as it is on its way: so few are at a time, and one of each account.
    @Test func fewFilesAreOnTheirWayAtATime() async throws {
        try await TwoGateways.run { world in
            let mayArrive = Watched(false)
            var works: [Task<Bool, Never>] = []
            for (customer, count) in [("ada", 3), ("bob", 1), ("cy", 1), ("dee", 1), ("eve", 1), ("fay", 1)] {
                let client = try await world.session(customer)
                let thread = try #require(try await client.createThread(ThreadDraft(), receipt: nil).id)
                for number in 0..<count {
                    let name = "\(customer) \(number)"
                    let id = try #require(
                        try await client.attach(Self.upload(world.store, name: name), receipt: nil).id)
                    world.port.next(
                        "POST", "/messages", .wait { _ = await eventually { mayArrive.withLock { $0 } } })
                    works.append(
                        Task {
                            (try? await client.send(MessageDraft(attachments: [id]), to: thread, receipt: nil)) != nil
                        })
                }
            }
            #expect(await eventually { world.port.count("POST", "/messages") == 4 })
            for _ in 0..<1000 { await Task.yield() }
            let paths = world.port.calls.filter { $0.method == "POST" && $0.path.hasSuffix("/messages") }.map(\.path)
            #expect(paths.count == 4 && Set(paths).count == 4, "one of each account")
            mayArrive.change { $0 = true }
            #expect(await eventually { world.port.count("POST", "/messages") == 8 && world.port.isQuiet })
            for work in works { #expect(await work.value) }
        }
    }

    /// Its bytes count in the gateway's memory as long as it is on its way.
    @Test func aFileOnItsWayIsCounted() async throws {
        try await TwoGateways.run { world in
            let client = try await world.session()
            let thread = try #require(try await client.createThread(ThreadDraft(), receipt: nil).id)
            let id = try #require(try await client.attach(Self.upload(world.store, name: "a"), receipt: nil).id)
            let isFree = Watched(false)
            world.port.next("POST", "/messages", .wait { _ = await eventually { isFree.withLock { $0 } } })
            let sent = Task {
                (try? await client.send(MessageDraft(attachments: [id]), to: thread, receipt: nil)) != nil
            }
            #expect(await eventually { world.port.count("POST", "/messages") == 1 })
            #expect(world.memory.used >= 2 * Self.bytes.count)
            isFree.change { $0 = true }
            #expect(await sent.value)
            #expect(world.memory.used == 0)
            #expect(world.memory.reserve(world.memory.limit - Self.bytes.count))
            let other = try #require(try await client.attach(Self.upload(world.store, name: "b"), receipt: nil).id)
            let error = await #expect(throws: ChatError.self) {
                _ = try await client.send(MessageDraft(attachments: [other]), to: thread, receipt: nil)
            }
            #expect(error?.code == .tooManyUnsent && world.port.count("POST", "/messages") == 1)
        }
    }

    /// The token goes to the files of the configured address and to the platform's hosts of files over TLS, and to
    /// nobody else whose address a stranger has written.
    @Test(arguments: [
        ("https://api-A.sendbird.com/v3/files/7/a%20b.pdf?auth=x", PlatformFiles.Reach.own),
        ("https://file-ap-1.sendbird.com/0a1b.pdf", .platform), ("https://FILE-ap-1.sendbird.com/x", .platform),
        // All else of the API is no file.
        ("https://api-A.sendbird.com/v3/users?limit=100", .nowhere), ("https://api-a.sendbird.com/x", .nowhere),
        ("https://api-A.sendbird.com/v3/files", .nowhere), ("https://api-A.sendbird.com?/v3/files/", .nowhere),
        ("https://api-A.sendbird.com/v3/files/../users", .nowhere),
        ("https://api-A.sendbird.com/v3/files/%2E%2e/users", .nowhere),
        ("https://api-A.sendbird.com/v3/files/..%2Fusers", .nowhere),
        ("https://api-A.sendbird.com/v3/files/%252e%252e/users", .nowhere),
        (#"https://api-A.sendbird.com/v3/files/..\users"#, .nowhere),
        ("https://api-A.sendbird.com/v3/files//users", .nowhere), ("https://x@api-A.sendbird.com/v3/files/x", .nowhere),
        // Other APIs, and other hosts.
        ("https://api-B.sendbird.com/v3/users", .stranger), ("https://api.sendbird.com/v3/users", .stranger),
        ("https://file-1.api-B.sendbird.com/x", .stranger), ("https://dashboard.sendbird.com/x", .stranger),
        ("http://api-A.sendbird.com/v3/files/x", .stranger), ("http://file-ap-1.sendbird.com/x", .stranger),
        ("https://file-ap-1.sendbird.com:8443/x", .stranger),
        ("https://file-ap-1.sendbird.com@other.example/x", .stranger),
        ("https://sendbird.com.example/x", .stranger), ("https://other-sendbird.com/x", .stranger),
        ("https://other.example/.sendbird.com:443", .stranger),
        ("https://other.example/#.sendbird.com:443", .stranger),
    ])
    func whoGetsTheToken(url: String, reach: PlatformFiles.Reach) throws {
        let configuration = try SendbirdConfiguration(
            json: Array(#"{"applications":[{"id":"A","apiToken":"t","channels":[{"id":"c"}]}]}"#.utf8))
        let files = PlatformFiles(
            configuration.applications[0], port: NoPort(), foreignPort: NoPort(), clock: ManualClock())
        #expect(try files.reach(of: CallTarget("GET", url)) == reach)
    }

    /// Somebody names an answer of the API as the file of a message: it is not fetched with the application's token.
    @Test func aFileThatIsAnAnswerOfTheAPI() async throws {
        try await TwoGateways.run { world in
            let ada = try await world.session("ada")
            _ = try await world.session("bob")
            _ = try await world.desk.createThread(
                DeskThreadDraft(
                    id: "both_1", channel: "multi", members: [MemberDraft(id: "ada"), MemberDraft(id: "bob")]),
                as: nil, receipt: nil)
            try await world.asks(
                "POST", "/group_channels/both_1/messages",
                """
                {"message_type":"FILE","user_id":"bob","url":"http://127.0.0.1:1/v3/users?limit=100",
                  "file_name":"a.json","file_type":"application/json"}
                """)
            #expect(
                await world.passes { (try? await world.messages(of: ada, in: "both_1").count) == 1 })
            let id = try #require(try await world.messages(of: ada, in: "both_1")[0].attachments.first?.id)
            let error = await #expect(throws: ChatError.self) { _ = try await ada.attachment(id) }
            #expect(error?.code == .serverError)
            #expect(world.port.calls.allSatisfy { $0.method != "GET" || $0.path != "/v3/users" })
        }
    }
}

private struct NoPort: HTTPPort {
    func send(_ request: HTTPCall, limit: Int) async throws -> HTTPAnswer { throw HTTPCallError.noAnswer }
}

extension FileUpload {
    /// A picture, as far as its type says.
    init(staged name: String, _ bytes: [UInt8] = Array("bytes".utf8), in store: ChatStore) throws {
        let file = try store.stageFile()
        try bytes.withUnsafeBytes { try file.write($0) }
        self.init(
            file: file, name: name, mimeType: "image/png", size: Int64(bytes.count),
            digest: Array(repeating: 0, count: 32))
    }
}
