import ChatModel
import ChatStore

@testable import Gateway
import Formats
import GatewaySupport

extension EventStreamSource: ReadableSource {}

extension CollectionStreamSource: ReadableSource {}

/// A hub on a log of its own.
struct StreamWorld {
    let feed: FakeLog
    let loop = TestLoop()
    let hub: StreamHub

    init(deskMembers: String = "") {
        feed = FakeLog(deskMembers: deskMembers)
        hub = StreamHub(log: feed, random: { 0.5 })
        hub.state = { $0.hasPrefix("gone") ? nil : (.ready, .multithread) }
        hub.attach(to: loop)
    }

    func session(
        _ id: String = "s1", account: Int64 = 1, types: String? = nil, after: String? = nil, limit: Int = 65_536
    ) throws -> Reader {
        try reader(
            StreamScope(kind: .session, sessions: [.init(id: id, account: account)], hasDesk: false), types, after,
            limit)
    }

    func combined(_ sessions: [(String, Int64)], desk: Bool = false, after: String? = nil) throws -> Reader {
        try reader(
            StreamScope(kind: .combined, sessions: sessions.map { .init(id: $0.0, account: $0.1) }, hasDesk: desk), nil,
            after, 65_536)
    }

    func desk() throws -> Reader { try reader(StreamScope(kind: .desk, sessions: [], hasDesk: true), nil, nil, 65_536) }

    func log(after: String? = nil) throws -> Reader { try reader(.log, nil, after, 65_536) }

    private func reader(_ scope: StreamScope, _ types: String?, _ after: String?, _ limit: Int) throws -> Reader {
        let source = EventStreamSource(
            hub: hub, scope: scope, filter: try EventFilter(types.map { [$0] } ?? []),
            start: StreamStart(after, log: hub.log),
            since: Timestamp(milliseconds: 0))
        return Reader(source, loop: loop, limit: limit)
    }

    func log(
        _ text: String, _ audiences: [Audience] = [.account(1)], type: EventType = .messageCreated,
        counts: [Int64: Int] = [:]
    ) {
        feed.commit([(type, Array("{\"n\":\"\(text)\"}".utf8), audiences, counts)])
    }

    func say(_ text: String, to audiences: [Audience] = [.account(1)]) {
        feed.publish(.typing, data: Array("{\"n\":\"\(text)\"}".utf8), to: audiences)
    }
}

/// What the test wrote, or the type of what the stream says itself.
func names(_ events: [StreamedEvent]) -> [String] {
    events.map { $0.data.firstMatch(of: /"n":"([^"]*)"/).map { String($0.1) } ?? $0.type }
}
