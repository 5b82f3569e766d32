import Chat
import ChatModel
import CXoneWire
import Formats
import TestSupport
import Testing

/// History behind scroll tokens: pages only go backwards there, and in any way here.
@Suite struct HistoryTests {
    private func withHistory(_ count: Int, _ body: (Fixture, ChatClient) async throws -> Void) async throws {
        try await withCXone(.singlethread) { cxone in
            for index in 0..<count { cxone.platform.add("text \(index)", to: "t1") }
            try await body(cxone, try await cxone.session())
        }
    }

    @Test(arguments: [0, 1, 19, 20, 21, 40, 137])
    func allOfItIsThereByPaging(_ count: Int) async throws {
        guard count > 0 else { return }
        try await withHistory(count) { cxone, client in
            let holds =
                try await cxone.messages("t1", of: client).compactMap(\.text) == (0..<count).map { "text \($0)" }
            #expect(holds)
        }
    }

    @Test func equalTimesAcrossTheEdgesOfPagesAreNotLost() async throws {
        try await withCXone(.singlethread) { cxone in
            for index in 0..<100 {
                cxone.platform.add("text \(index)", to: "t1", at: 1_772_442_000_000 + Int64(index / 30) * 1000)
            }
            let client = try await cxone.session()
            #expect(
                Set(try await cxone.messages("t1", of: client).compactMap(\.text))
                    == Set((0..<100).map { "text \($0)" }))
        }
    }

    @Test func hiddenMessagesThatFillAPageEndNothing() async throws {
        try await withCXone(.singlethread) { cxone in
            for index in 0..<90 {
                let isHidden = index < 75 && index >= 15
                cxone.platform.add(
                    "text \(index)", to: "t1",
                    content: isHidden
                        ? MessageContent(
                            .text("x"), parameters: MessageParameters(isUnsupportedMessageTypeAnswer: true)) : nil)
            }
            let client = try await cxone.session()
            #expect(try await cxone.messages("t1", of: client).count == 30)
        }
    }

    @Test func everyQueryIsAnsweredFromAWalk() async throws {
        try await withHistory(200) { cxone, client in
            let account = try await cxone.store.read { try $0.account(client.account) }
            let connection = try await cxone.service.connect(account, channel: client.channel) {}
            let platform = try #require(connection.platform)
            let all = (cxone.platform.room("t1")?.messages ?? []).map { $0.time.milliseconds }
            for place in [150, 20, 100, 199, 0, 60] {
                let time = Timestamp(milliseconds: all[place])
                let before = try await platform.messages(of: "t1", .before(time, limit: 30)).messages.map(
                    \.message.createdAt.milliseconds)
                #expect(before.last == all[place])
                #expect(before.count >= min(31, place + 1))
                #expect(before == Array(all[(place + 1 - before.count)...place]))
                let after = try await platform.messages(of: "t1", .after(time, limit: 30))
                let times = after.messages.map(\.message.createdAt.milliseconds)
                #expect(times == Array(all[place..<(place + times.count)]))
                #expect(place == 199 || times.count > 1)
                #expect(after.hasNext == (place + times.count < 200))
            }
            await connection.close()
        }
    }

    @Test func aWalkGoesOnWhereItWas() async throws {
        try await withHistory(200) { cxone, client in
            let holds = try await eventually { try await cxone.messages("t1", of: client).count == 200 }
            #expect(holds)
            #expect(cxone.platform.requests("LoadMoreMessages").count <= 20)
        }
    }
}
