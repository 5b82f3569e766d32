import Formats
import Testing

@testable import parley

@Suite struct FeedTests {
    @Test(arguments: [1, 2, 5, 1000])
    func readsEventsInPiecesOfAnyLength(pieces: Int) throws {
        let text = """
            retry: 1500

            id: e-1
            event: message.created
            data: {"text":"ä"}

            : a comment

            event: typing
            data: {"isTyping":true}

            id: e-2\r
            event: reset\r
            data: {\r
            data: }\r
            \r
            id: e-3
            event: never complete
            data: {}
            """
        var parser = FeedParser()
        var rest = Array(text.utf8)[...]
        var events: [FeedEvent] = []
        while !rest.isEmpty {
            try parser.add(Array(rest.prefix(pieces)))
            rest = rest.dropFirst(pieces)
            while let event = parser.next() { events.append(event) }
        }
        #expect(parser.retry == 1500)
        #expect(
            events == [
                FeedEvent(id: "e-1", type: "message.created", data: Array(#"{"text":"ä"}"#.utf8)),
                FeedEvent(id: nil, type: "typing", data: Array(#"{"isTyping":true}"#.utf8)),
                FeedEvent(id: "e-2", type: "reset", data: Array("{\n}".utf8)),
            ])
        #expect(
            events.map { String(decoding: $0.line, as: UTF8.self) }.prefix(2) == [
                #"{"id":"e-1","type":"message.created","data":{"text":"ä"}}"#,
                #"{"type":"typing","data":{"isTyping":true}}"#,
            ])
    }

    @Test func anEventHasALimit() {
        var parser = FeedParser()
        let piece = Array(repeating: UInt8(ascii: "x"), count: 1 << 20)
        #expect(throws: BrokenAnswer.self) { for _ in 0...FeedParser.limit >> 20 { try parser.add(piece) } }
    }

    @Test func anotherFeedHasItsPath() {
        let scope = FeedScope(["sandbox", "frames", "events"], [("customer", "a b"), ("socket", nil)])
        #expect(scope.path(from: .after("x-1")) == "/v1/sandbox/frames/events?customer=a%20b&after=x-1")
        let all = FeedScope(sessions: [], isDesk: false, isAll: true)
        #expect(all.path(from: .now) == "/v1/events?all=true")
    }

    @Test(arguments: [
        (["a b"], false, "/v1/sessions/a%20b/events"), ([], true, "/v1/desk/events"),
        (["a", "b"], false, "/v1/events?session=a&session=b"), (["a"], true, "/v1/events?session=a&desk=true"),
    ])
    func aScopeHasItsPath(sessions: [String], isDesk: Bool, path: String) {
        let scope = FeedScope(sessions: sessions, isDesk: isDesk, types: nil)
        #expect(scope.path(from: .now) == path)
        let filtered = FeedScope(sessions: sessions, isDesk: isDesk, types: "typing")
        #expect(filtered.path(from: .after("e-1")).hasSuffix("types=typing&after=e-1"))
        #expect(filtered.path(from: .last(3)).hasSuffix("types=typing&last=3"))
        let time = Timestamp(milliseconds: 0)
        #expect(filtered.path(from: .since(time)).hasSuffix("since=1970-01-01T00%3A00%3A00.000Z"))
    }
}
