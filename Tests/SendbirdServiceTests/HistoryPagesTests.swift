import Bounds
import Chat
import ChatModel
import ChatStore
import Formats
import HTTPClientPort
@testable import SendbirdService
import TestSupport
import Testing

/// Pages of the platform's history, from answers that were written by its description.
@Suite struct HistoryPagesTests {
    /// Messages of these times: it answers with those around a time, and all of exactly that time on top of the limits.
    private struct Platform: HTTPPort {
        let times: [Int64]
        /// What Parley calls the last one.
        var id = ""

        func send(_ call: HTTPCall, limit: Int) async throws -> HTTPAnswer {
            func number(_ name: String) -> Int64 {
                let rest = call.url.split(separator: name + "=").dropFirst().first ?? ""
                return Int64(rest.prefix { $0 != "&" }) ?? 0
            }
            let place = number("message_ts")
            let all = times.enumerated().map { (id: Int64($0.offset) + 5_000_000_000, time: $0.element) }
            let page =
                all.filter { $0.time < place }.suffix(Int(number("prev_limit"))) + all.filter { $0.time == place }
                + all.filter { $0.time > place }.prefix(Int(number("next_limit")))
            let messages = page.map {
                let extras = #"[{"key":"\#(MessageReader.idKey)","value":["\#($0.time == times.last ? id : "")"]}]"#
                return #"""
                    {"message_id":\#($0.id),"type":"MESG","message":"x","created_at":\#($0.time),"user":{"user_id":"ada"},
                     "sorted_metaarray":\#(extras)}
                    """#
            }
            return HTTPAnswer(status: 200, body: Array("{\"messages\":[\(messages.joined(separator: ","))]}".utf8))
        }
    }

    /// Ada's, where the platform has a thread of hers.
    private static func withHistory(
        of platform: Platform, _ environment: TestEnvironment, _ body: (HistoryPages) async throws -> Void
    ) async throws {
        try await withStore(environment: environment) { store in
            let configuration = try SendbirdConfiguration(
                json: Array(
                    #"{"applications":[{"id":"A","apiToken":"t","getLimit":1000,"channels":[{"id":"c"}]}]}"#.utf8))
            let application = configuration.applications[0]
            let client = SendbirdClient(
                application, port: platform, foreignPort: Platform(times: []), clock: ManualClock(),
                memory: ByteCounter(limit: 1000), notice: { _ in })
            let account = try await store.write {
                try $0.openAccount(AccountKey(service: "sendbird", channel: "c", customer: "ada"))
            }
            try await body(
                HistoryPages(
                    account: ConnectedUser(
                        store: store, client: AccountClient(client: client, account: account.number), application: "A",
                        entry: application.channels[0], record: account, channel: Channel(application.channels[0])),
                    progress: ReadProgress(now: store.environment.now)))
        }
    }

    /// More messages of the customer are newer than one question looks at: the next one goes on.
    @Test func aQuestionForAnOwnMessageGoesOn() async throws {
        let environment = TestEnvironment()
        let start = environment.now.milliseconds - 1_000_000
        let times = (0..<4100).map { start + $0 }
        try await Self.withHistory(of: Platform(times: times, id: "mine"), environment) { history in
            var place = start - 1
            await #expect(throws: ChatError.self) {
                _ = try await history.message(sentAs: "mine", in: "t", since: &place)
            }
            #expect((start + 1...start + 4099).contains(place))
            let found = try await history.message(sentAs: "mine", in: "t", since: &place)
            #expect(found?.message.createdAt.milliseconds == times.last)
        }
    }

    /// Where many messages have the same millisecond, none is lost at the edge of a page, in either direction.
    @Test(arguments: 2...9) func equalTimesAtAnEdge(limit: Int) async throws {
        let environment = TestEnvironment()
        let start = environment.now.milliseconds - 1_000_000
        let times = (0..<40).map { start + [0, 1, 2, 2, 2, 2, 2, 3, 4, 4][$0 % 10] + Int64($0 / 10) * 10 }
        try await Self.withHistory(of: Platform(times: times), environment) { history in
            for isBackward in [true, false] {
                var (query, found) = (HistoryQuery.newest(limit: limit), Set<String>())
                if !isBackward { query = .after(Timestamp(milliseconds: start - 1), limit: limit) }
                for step in 0..<100 {
                    let page = try await history.messages(of: "t", query)
                    let messages = page.messages.map(\.message)
                    found.formUnion(messages.map(\.id))
                    guard isBackward ? page.hasPrevious : page.hasNext else { break }
                    let edge = try #require(isBackward ? messages.first?.createdAt : messages.last?.createdAt)
                    query = isBackward ? .before(edge, limit: limit) : .after(edge, limit: limit)
                    #expect(step < 99, "it ends")
                }
                #expect(found.count == times.count, "back: \(isBackward)")
            }
        }
    }
}
