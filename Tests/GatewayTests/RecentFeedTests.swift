import Formats
import GatewaySupport
import MicroHTTP
import Testing

@testable import HTTPRouting

/// The stream of the newest items: what it says when some are gone.
@Suite struct RecentFeedTests {
    private let items = RecentItems(limit: 3, blank: "", incarnation: "first")

    private func add(_ texts: String...) { for text in texts { items.add { $0 = text } } }

    private func feed(
        from start: RecentStart, where isWanted: @escaping @Sendable (String) -> Bool = { _ in true }
    ) -> RecentFeed<String> {
        RecentFeed(
            items, from: start, as: .serverSent, named: "item", snapshot: "/items", retry: 1000, where: isWanted
        ) { number, text, json in
            json.value("\(number) \(text)")
        }
    }

    /// What the stream says now, as `type#id data`.
    ///
    /// - Parameter limit: how many bytes are taken at once.
    private func said(_ feed: RecentFeed<String>, limit: Int = 65_536) -> [String] {
        var out = EventBuffer(limit: limit)
        _ = feed.fill(&out)
        return StreamedEvent.parse(String(decoding: out.contents, as: UTF8.self)).map(\.description)
    }

    private func ready(_ place: String) -> String { #"ready#\#(place) {"cursor":"\#(place)"}"# }

    private func reset(_ place: String, _ reason: String) -> String {
        #"reset#\#(place) {"reason":"\#(reason)","snapshot":"/items"}"#
    }

    @Test func itGoesOnWithNewOnes() {
        add("a", "b")
        let feed = feed(from: .after("first-1"))
        #expect(said(feed) == [#"item#first-2 "2 b""#, ready("first-2")])
        add("c")
        #expect(said(feed) == [#"item#first-3 "3 c""#])
        #expect(said(feed).isEmpty)
    }

    @Test func aReaderThatIsTooSlowIsToldThatItemsAreGone() {
        add("a")
        let feed = feed(from: .earliest)
        #expect(said(feed) == [#"item#first-1 "1 a""#, ready("first-1")])
        // Three are kept, so the second is gone, and the list has the others.
        add("b", "c", "d", "e")
        #expect(said(feed) == [reset("first-5", "expired"), ready("first-5")])
        add("f")
        #expect(said(feed) == [#"item#first-6 "6 f""#])
    }

    @Test func aReaderThatIsJustInTimeMissesNothing() {
        add("a")
        let feed = feed(from: .earliest)
        _ = said(feed)
        add("b", "c", "d")
        #expect(said(feed) == [#"item#first-2 "2 b""#, #"item#first-3 "3 c""#, #"item#first-4 "4 d""#])
    }

    @Test func whatIsGoneWhileABufferIsFullIsTold() {
        add("a", "b", "c")
        let feed = feed(from: .earliest)
        // There is room for the time of the next try, and then for one event.
        #expect(said(feed, limit: 1).isEmpty)
        #expect(said(feed, limit: 1) == [#"item#first-1 "1 a""#])
        add("d", "e", "f", "g")
        #expect(said(feed) == [reset("first-7", "expired"), ready("first-7")])
    }

    @Test func afterARestartItBeginsAnew() {
        add("a", "b")
        let feed = feed(from: .now)
        #expect(said(feed) == [ready("first-2")])
        items.restart(as: "second")
        #expect(said(feed) == [reset("second-0", "foreignEpoch"), ready("second-0")])
        add("c")
        #expect(said(feed) == [#"item#second-1 "1 c""#])
    }

    @Test(arguments: [
        ("first-1", "expired"), ("first-6", "ahead"), ("6", "ahead"), ("second-4", "foreignEpoch"), ("x", "malformed"),
        ("first-", "malformed"), ("-4", "foreignEpoch"), ("first-99999999999999999999", "malformed"),
    ])
    func aPlaceThatCannotBeUsedIsReset(_ place: String, _ reason: String) {
        add("a", "b", "c", "d", "e")
        #expect(said(feed(from: .after(place))) == [reset("first-5", reason), ready("first-5")])
    }

    @Test func theBeginningIsWhereItWasAskedFor() {
        add("a", "b", "c", "d", "e")
        #expect(said(feed(from: .after("first-2"))).count == 4, "the third to the fifth, and ready")
        #expect(said(feed(from: .after("4"))) == [#"item#first-5 "5 e""#, ready("first-5")])
        #expect(said(feed(from: .last(1))) == [#"item#first-5 "5 e""#, ready("first-5")])
        #expect(said(feed(from: .last(9))).first == #"item#first-3 "3 c""#)
        #expect(said(feed(from: .earliest)).first == #"item#first-3 "3 c""#)
        #expect(said(feed(from: .now)) == [ready("first-5")])
    }

    @Test func whatIsNotWantedMovesThePlace() {
        add("a", "b")
        let feed = feed(from: .earliest) { $0 == "a" }
        #expect(said(feed) == [#"item#first-1 "1 a""#, ready("first-2")])
        add("c", "a", "c", "c")
        #expect(said(feed) == [reset("first-6", "expired")] + [ready("first-6")])
    }
}
