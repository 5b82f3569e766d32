import Chat
import ChatModel
import ChatStore
import Formats
import LocalService
import TestSupport
import Testing

/// Conversations that come from elsewhere, and leave for another place, on both engines.
@Suite struct ArchiveTests {
    private static let ann = Author(id: "c1", name: "Ann", kind: .customer)
    private static let mara = Author(id: "mara", name: "Mara", kind: .agent)

    private func message(_ id: String, _ time: Timestamp, _ author: Author, _ text: String = "text") -> Message {
        Message(
            id: id, threadID: "", createdAt: time, direction: author.kind == .customer ? .toAgent : .toClient,
            author: author, text: text, status: .delivered)
    }

    /// A conversation that began so many seconds before now: a question, an answer after 60 s, the end after 300 s.
    private func conversation(
        _ id: String = "old", digest: String = "d1", before now: Timestamp, seconds: Int = 90_000, isClosed: Bool = true
    ) -> ImportedThread {
        let start = now.advanced(bySeconds: -seconds)
        var thread = ImportedThread(
            id: id, digest: digest, members: [Customer(id: "c1", firstName: "Ann")], createdAt: start,
            isClosed: isClosed)
        thread.tags = [ImportedTag(id: nil, name: "Refund")]
        thread.messages = [
            message("m1", start, Self.ann, "a heron"), message("m2", start.advanced(bySeconds: 60), Self.mara),
            message("m3", start.advanced(bySeconds: 70), Self.ann),
        ]
        thread.contacts = [
            ImportedContact(openedAt: start, closedAt: isClosed ? start.advanced(bySeconds: 300) : nil)
        ]
        thread.contacts[0].closedBy = isClosed ? "mara" : nil
        thread.contacts[0].score = isClosed ? 5 : nil
        thread.notes = [
            Note(id: "n1", threadID: "", createdAt: start.advanced(bySeconds: 65), author: Self.mara, text: "Kind")
        ]
        return thread
    }

    private func take(_ thread: ImportedThread, _ local: Local) async throws -> Outcome.Kind {
        try await local.desk.importThread(thread, on: "multi", addsTags: true, receipt: nil).kind
    }

    /// Why a conversation is refused; nil if it is not.
    private func refusal(_ thread: ImportedThread, _ local: Local) async -> ChatError.Code? {
        do {
            _ = try await local.desk.importThread(thread, on: "multi", addsTags: true, receipt: nil)
            return nil
        } catch { return error.code }
    }

    @Test func itIsThereWithItsTimesAndNobodyIsTold() async throws {
        try await Local.run(onBothEngines: true) { local in
            let now = local.environment.now
            #expect(try await take(conversation(before: now), local) == .created)
            #expect(try await local.desk.tags().map(\.name) == ["Refund"])
            let events = local.recorder.take().filter { $0.offset != nil }
            #expect(events.map(\.type) == [.threadCreated])
            #expect(events.map(\.isImport) == [true])
            let thread = try local.deskThread("old")
            #expect(thread["createdAt"]?.string == now.advanced(bySeconds: -90_000).rfc3339)
            #expect(thread["contactClosedAt"]?.string == now.advanced(bySeconds: -89_700).rfc3339)
            #expect(thread["deskUnreadCount"] == .integer(0) && thread["waitingSince"] == nil)
            #expect(thread["imported"]?["digest"] == .string("d1"))
            let person = try await local.person()
            #expect(try person.messages("old").compactMap { $0["id"]?.string } == ["m3", "m2", "m1"])
            #expect(try person.thread("old")["unreadCount"] == .integer(0))
            #expect(try person.thread("old")["imported"] == nil)
            let reader = try local.store.backend.makeReader()
            defer { reader.close() }
            var faults: [String] = []
            _ = try reader.inspect(end: { _ in }) { faults.append("\($0)") }
            #expect(faults == [])
        }
    }

    @Test func reportsCountItInItsOwnTime() async throws {
        try await Local.run(onBothEngines: true) { local in
            let now = local.environment.now
            _ = try await take(conversation(before: now), local)
            let query = ReportQuery(since: now.advanced(bySeconds: -100_000), until: now, grouping: .agent)
            let figures = try await local.desk.report(query)
            #expect(figures.total.opened == 1 && figures.total.closed == 1)
            #expect(figures.total.messagesIn == 2 && figures.total.messagesOut == 1)
            #expect(figures.total.firstAnswers == [60_000] && figures.total.resolutions == [300_000])
            #expect(figures.total.scores == [0, 0, 0, 0, 1])
            #expect(figures.rows.map(\.key) == ["mara"])
        }
    }

    @Test func theSameAgainChangesNothing() async throws {
        try await Local.run(onBothEngines: true) { local in
            let now = local.environment.now
            _ = try await take(conversation(before: now), local)
            _ = local.recorder.take()
            #expect(try await take(conversation(before: now), local) == .ok)
            #expect(try local.log() == [])
            #expect(await refusal(conversation(digest: "d2", before: now), local) == .threadIdConflict)
        }
    }

    /// What goes wrong late leaves nothing of what came before it. The engines differ in the next free number then, so it
    /// runs on one.
    @Test func aPartIsNeverThere() async throws {
        try await Local.run { local in
            var thread = conversation(before: local.environment.now)
            thread.contacts[0].tags = [ImportedTag(id: nil, name: nil)]
            #expect(await refusal(thread, local) == .invalidParameter)
            let (threads, tags) = (try local.deskThreads(), try await local.desk.tags())
            #expect(threads.isEmpty && tags.isEmpty)
            let account = try await local.store.read {
                try $0.account(AccountKey(service: "local", channel: "multi", customer: "c1"))
            }
            #expect(account == nil)
        }
    }

    @Test func anOpenOneGoesOn() async throws {
        try await Local.run(onBothEngines: true) { local in
            let now = local.environment.now
            _ = try await take(conversation(before: now, isClosed: false), local)
            #expect(try local.deskThread("old")["waitingSince"]?.string == now.advanced(bySeconds: -89_930).rfc3339)
            _ = try await local.send("m4", to: "old")
            #expect(try local.deskThread("old")["waitingSince"] == nil)
            _ = try await local.desk.close(DeskThread(id: "old"), receipt: nil)
            let query = ReportQuery(since: now.advanced(bySeconds: -100_000), until: now.advanced(bySeconds: 60))
            let total = try await local.desk.report(query).total
            #expect(total.messagesIn == 2 && total.messagesOut == 2 && total.firstAnswers == [60_000])
        }
    }

    @Test func searchFindsIt() async throws {
        try await Local.run { local in
            _ = try await take(conversation(before: local.environment.now), local)
            try await local.store.catchUpSearch()
            let page = try await local.store.search(
                .desk(service: "local", within: nil), for: "heron", page: PageRequest(limit: 9, cursor: nil))
            let found = try JSONParser.parse(page.body + Array("}".utf8))["items"]?.array ?? []
            #expect(found.map { $0[path: "message", "id"]?.string } == ["m1"])
        }
    }

    @Test func anExportGoesThroughThreadsInTheirOrder() async throws {
        try await Local.run(onBothEngines: true) { local in
            let now = local.environment.now
            for number in 1...5 {
                _ = try await take(
                    conversation("t\(number)", digest: "\(number)", before: now, seconds: number * 100_000), local)
            }
            func ids(_ times: TimeRange, channels: Set<String>? = nil, limit: Int = 2) async throws -> [String] {
                var (ids, cursor) = ([String](), String?.none)
                repeat {
                    let page = try await local.desk.exportedThreads(
                        within: channels, page: PageRequest(limit: limit, cursor: cursor, times: times))
                    ids += try items(page).compactMap { $0["id"]?.string }
                    cursor = page.next
                } while cursor != nil
                return ids
            }
            #expect(try await ids(.all) == ["t1", "t2", "t3", "t4", "t5"])
            #expect(try await ids(.all, limit: 200) == ["t1", "t2", "t3", "t4", "t5"])
            #expect(try await ids(.all, channels: ["single"]) == [])
            let end = now.advanced(bySeconds: -399_700)
            #expect(try await ids(TimeRange(since: end)) == ["t1", "t2", "t3", "t4"])
            #expect(try await ids(TimeRange(since: end.advanced(byMilliseconds: 1))) == ["t1", "t2", "t3"])
            #expect(try await ids(TimeRange(until: now.advanced(bySeconds: -400_000))) == ["t5"])
        }
    }
}
