import Chat
import ChatModel
import ChatStore
import Foundation
import Formats
import Synchronization
import TestSupport
import Testing

@testable import LocalService

@Suite struct DemonstrationTests {
    private static func make(_ local: Local) async throws {
        _ = try await Demonstration(of: local.service, clock: ManualClock()) { _ in [1, 2, 3] }
    }

    @Test func allKindsOfConversationsAreThere() async throws {
        try await Local.run { local in
            try await Self.make(local)
            let ada = try await local.person("ada", on: "demo")
            #expect(
                try Set(ada.threads().compactMap { $0["name"]?.string })
                    == ["Hello", "My tent", "Boots that fit", "A torn seam", "An invoice"])
            func types(_ thread: String) throws -> [String] {
                try ada.messages(thread).reversed().compactMap { $0["type"]?.string }
            }
            #expect(try types("demo-hello") == ["text", "text", "quickReplies"])
            #expect(try types("demo-order") == ["text", "text", "listPicker", "text", "file", "text", "text"])
            #expect(try types("demo-appointment") == ["text", "text", "timePicker"])
            let picture = try #require(try ada.messages("demo-order").first { $0["type"] == .string("file") })
            #expect(picture["attachments"]?.array?.first?["name"] == .string("tent.png"))
            let seam = try ada.messages("demo-seam")
            #expect(seam.contains { $0[path: "replyInfo", "count"] == .integer(2) })
            #expect(try ada.thread("demo-seam")[path: "agent", "name"] == .string("Bo"))
            #expect(try ada.threads(.closed).compactMap { $0["id"]?.string } == ["demo-invoice"])

            let live = try await local.person("ada", on: "demo-live")
            #expect(try live.thread("demo-boots")[path: "customFields", "topic"] == .string("return"))
            let grace = try await local.person("grace", on: "demo-live")
            #expect(try grace.thread("demo-waiting")["queuePosition"] == .integer(1))
            #expect(try local.deskThread("demo-waiting")["deskUnreadCount"] == .integer(1))
        }
    }

    @Test func aConversationIsOneCommitThatTheLogTellsInOrder() async throws {
        try await Local.run { local in
            let commits = Mutex<[[LogEvent]]>([])
            let subscription = local.store.feed.subscribe { news in
                if news.contains(where: { $0.offset != nil }) { commits.withLock { $0.append(news) } }
            }
            try await Self.make(local)
            subscription.cancel()
            let told = commits.withLock { $0 }
            #expect(told.count == DemoConversation.all.count)
            for (events, conversation) in zip(told, DemoConversation.all) {
                #expect(events.first?.type == .threadCreated)
                let messages = try events.filter { $0.type == .messageCreated }.compactMap {
                    try JSONParser.parse($0.data)[path: "message", "id"]
                }
                let person = try await local.person(conversation.customer.id, on: conversation.channel)
                let listed = try person.messages(conversation.id).reversed().compactMap { $0["id"] }
                #expect(messages.filter(listed.contains) == Array(listed), "\(conversation.id)")
            }
        }
    }

    @Test func aRestartMakesNoSecondCopy() async throws {
        try await Local.run { local in
            try await Self.make(local)
            let ada = try await local.person("ada", on: "demo")
            try await local.desk.remove(member: "ada", from: DeskThread(id: "demo-hello"))
            try await ada.send("m1", "Another question", to: "demo-appointment")
            let head = local.store.feed.head
            try await Self.make(local)
            #expect(local.store.feed.head == head)
            #expect(try !ada.threads().contains { $0["id"] == .string("demo-hello") }, "what was left stays so")
        }
    }

    @Test func whatCouldNotBeMadeIsMadeTheNextTime() async throws {
        try await withFolder { folder in
            let store = try openStore(folder: folder, environment: TestEnvironment().environment)
            let service = try await LocalService(store: store, clock: ManualClock())
            func make() async throws {
                _ = try await Demonstration(of: service, clock: ManualClock()) { _ in [1, 2, 3] }
            }
            // Files cannot be stored, so the conversation with the picture cannot be made.
            let files = folder + "/files"
            try FileManager.default.moveItem(atPath: files, toPath: files + "-away")
            try Data().write(to: URL(fileURLWithPath: files))
            await #expect(throws: ChatError.self) { try await make() }
            func names() async throws -> [String] {
                let request = PageRequest(limit: 200, cursor: nil)
                let page = try await service.desk.threads(ThreadQuery(state: .all), page: request)
                return try items(page).compactMap { $0["id"]?.string }.sorted()
            }
            #expect(try await names() == ["demo-appointment", "demo-invoice", "demo-seam"])
            try FileManager.default.removeItem(atPath: files)
            try FileManager.default.moveItem(atPath: files + "-away", toPath: files)
            try await make()
            #expect(try await names() == DemoConversation.all.map(\.id).sorted())
            await store.close()
        }
    }

    @Test func aChannelOfSomebodyElseIsLeftAlone() async throws {
        try await Local.run { local in
            _ = try await local.desk.createChannel(ChannelDraft(id: "demo-live", mode: .liveChat), receipt: nil)
            let before = try await local.desk.channels()
            let error = await #expect(throws: ChatError.self) { try await Self.make(local) }
            #expect(error?.code == .channelExists)
            #expect(try await local.desk.channels() == before)
            #expect(try local.deskThreads().isEmpty)
        }
    }

    @Test func channelsAndConversationsFromBeforeStayAsTheyAre() async throws {
        try await Local.run { local in
            let ada = try await local.person("ada", on: "multi")
            try await ada.create("demo-hello")
            try await ada.send("m1", to: "demo-hello")
            let before = (try await local.desk.channels(), try ada.thread("demo-hello"), try ada.messages("demo-hello"))
            try await Self.make(local)
            #expect(Array(try await local.desk.channels().prefix(before.0.count)) == before.0)
            #expect(try ada.thread("demo-hello") == before.1)
            #expect(try ada.messages("demo-hello") == before.2)
        }
    }
}
