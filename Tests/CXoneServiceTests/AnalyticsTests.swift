import Chat
import ChatModel
import CXoneWire
import Formats
import TestSupport
import Testing

/// What a visitor does, as the platform's web analytics hear of it; triggers and what they fire.
@Suite struct AnalyticsTests {
    private static let cart = VisitorActivity.Page(title: "Cart", url: "/cart")
    private static let shop = VisitorActivity.Page(title: "Shop", url: "/shop")

    private func withVisitor(connect: Bool = false, _ body: (Fixture, ChatClient) async throws -> Void) async throws {
        try await withCXone(.multithread) { cxone in try await body(cxone, try await cxone.session(connect: connect)) }
    }

    private func events(_ cxone: Fixture) throws -> [AnalyticsEvent] {
        try cxone.platform.calls("/events").map { try AnalyticsEvent(json: $0.body ?? []) }
    }

    @Test("1.7 viewPage: a visit begins with the first page view")
    func aVisitBegins() async throws {
        try await withVisitor { cxone, client in
            try await client.record(.pageViewed(Self.cart))
            let told = try events(cxone)
            #expect(told.map(\.action) == [.visitorVisit, .pageView(title: "Cart", url: "/cart")])
            let visitor = try #require(cxone.platform.calls("/visitors/").first { $0.method == "PUT" })
            #expect(
                cxone.platform.calls("/events").allSatisfy { $0.url == visitor.url + "/events" && $0.method == "POST" })
            #expect(Set(told.map(\.visitID)).count == 1 && told[0].visitID != nil)
            #expect(Set(told.map(\.destinationID)).count == 1 && told[0].destinationID != nil)
            #expect(Set(told.map(\.id)).count == 2)
            #expect(told.allSatisfy { $0.createdAt.milliseconds == cxone.environment.now.milliseconds })
        }
    }

    @Test("1.7 viewPage: another page ends the one before, the same one does not")
    func anotherPageEndsTheOneBefore() async throws {
        try await withVisitor { cxone, client in
            try await client.record(.pageViewed(Self.cart))
            cxone.environment.advance(milliseconds: 61_900)
            try await client.record(.pageViewed(Self.cart))
            try await client.record(.pageViewed(Self.shop))
            #expect(
                try events(cxone).dropFirst(2).map(\.action) == [
                    .pageView(title: "Cart", url: "/cart"), .timeSpentOnPage(title: "Cart", url: "/cart", seconds: 61),
                    .pageView(title: "Shop", url: "/shop"),
                ])
        }
    }

    @Test("1.7 viewPageEnded: counts for the page that is open, once")
    func aPageEnds() async throws {
        try await withVisitor { cxone, client in
            try await client.record(.pageViewed(Self.cart))
            cxone.environment.advance(milliseconds: 5000)
            try await client.record(.pageLeft(Self.shop))
            try await client.record(.pageLeft(Self.cart))
            try await client.record(.pageLeft(Self.cart))
            #expect(
                try events(cxone).dropFirst(2).map(\.action) == [
                    .timeSpentOnPage(title: "Cart", url: "/cart", seconds: 5)
                ])
        }
    }

    @Test("3.6: a visit lasts for 30 minutes from the last page view, restarts and other sessions included")
    func aVisitExpires() async throws {
        try await withVisitor { cxone, client in
            try await client.record(.pageViewed(Self.cart))
            cxone.environment.advance(milliseconds: 30 * 60_000 - 1)
            try await cxone.session(connect: false).record(.pageViewed(Self.cart))
            cxone.environment.advance(milliseconds: 30 * 60_000 - 1)
            try await client.record(.pageViewed(Self.cart))
            let before = try events(cxone)
            #expect(Set(before.map(\.visitID)).count == 1)
            cxone.environment.advance(milliseconds: 30 * 60_000)
            try await client.record(.pageViewed(Self.cart))
            let told = try events(cxone)
            #expect(told.count { $0.action == .visitorVisit } == 2)
            #expect(told.suffix(2).map(\.action) == [.visitorVisit, .pageView(title: "Cart", url: "/cart")])
            #expect(Set(told.map(\.visitID)).count == 2)
        }
    }

    @Test(
        "1.7: the other activities",
        arguments: [
            (VisitorActivity.chatWindowOpened, "ChatWindowOpened"),
            (.conversion(type: "order", value: 49.9), "Conversion"),
            (.proactiveAction(.displayed, id: "a", name: "n", type: "CustomPopupBox"), "ProactiveActionDisplayed"),
            (.proactiveAction(.clicked, id: "a", name: "n", type: "CustomPopupBox"), "ProactiveActionClicked"),
            (.proactiveAction(.success, id: "a", name: "n", type: "CustomPopupBox"), "ProactiveActionSuccess"),
            (.proactiveAction(.failed, id: "a", name: "n", type: "CustomPopupBox"), "ProactiveActionFailed"),
        ])
    func otherActivities(_ activity: VisitorActivity, _ type: String) async throws {
        try await withVisitor { cxone, client in
            #expect(await refusal { try await client.record(activity) } == .missingVisitId)
            #expect(cxone.platform.calls("/events").isEmpty)
            try await client.record(.pageViewed(Self.cart))
            try await client.record(activity)
            let last = try #require(try events(cxone).last)
            #expect(last.action.type == type)
            if case .conversion(let kind, let value, let time) = last.action {
                #expect((kind, value) == ("order", 49.9))
                #expect(time == last.createdAt)
            }
        }
    }

    @Test("1.7: in every state but initial and preparing; what the platform answers is not looked at")
    func statesAndAnswers() async throws {
        try await withCXone(.liveChat) { cxone in
            cxone.platform.state.withLock { $0.isOnline = false }
            let client = try await cxone.session()
            #expect(client.state == .offline)
            cxone.platform.http("/events") { _ in .init(status: 500) }
            try await client.record(.pageViewed(Self.cart))
            cxone.platform.http("/events") { _ in nil }
            #expect(await refusal { try await client.record(.chatWindowOpened) } == .serverError)
            cxone.platform.http("/channel/") { _ in .init(status: 200, body: Array("{}".utf8)) }
            #expect(await refusal { try await client.prepare() } == .channelConfigFailure)
            #expect(await refusal { try await client.record(.chatWindowOpened) } == .illegalChatState)
        }
    }

    @Test("4.4 ExecuteTrigger: sent with the run of the app, not awaited")
    func aTriggerIsExecuted() async throws {
        try await withVisitor(connect: true) { cxone, client in
            cxone.platform.script("ExecuteTrigger") { _ in [] }
            try await client.ask { try await $0.executeTrigger("77778888") }
            let request = try #require(cxone.platform.requests("ExecuteTrigger").first)
            #expect(request.event == .executeTrigger(id: "77778888"))
            try await client.record(.pageViewed(Self.cart))
            let told = try events(cxone)
            #expect(request.destinationID != nil && request.destinationID == told.first?.destinationID)
            #expect(cxone.platform.requests("FetchThreadList").allSatisfy { $0.destinationID == nil })
            try await client.disconnect()
            #expect(await refusal { try await client.ask { try await $0.executeTrigger("77778888") } } == .notConnected)
        }
    }

    @Test("2.9 FireProactiveAction: a popup box is told, and kept nowhere")
    func aPopupBoxIsTold() async throws {
        try await withVisitor(connect: true) { cxone, client in
            let recorder = EventRecorder(cxone.store.feed)
            cxone.platform.push(
                .fireProactiveAction(
                    FireProactiveAction(
                        destinationID: "d", actionID: "a1", actionName: "Spring", actionType: .customPopupBox,
                        content: ProactiveContent(
                            variables: .init(
                                headingText: "Sale", bodyText: "Today only", actionText: "Look",
                                actionURL: "https://shop.example/")))))
            try await cxone.platform.heard()
            #expect(recorder.types(for: .account(client.account)) == ["proactive"])
            let event = try #require(recorder.events.first)
            #expect(event.offset == nil)
            let box = try JSONParser.parse(event.data)["customPopupBox"]
            #expect(box?["actionId"]?.string == "a1")
            #expect(box?["heading"]?.string == "Sale")
            #expect(box?["buttonUrl"]?.string == "https://shop.example/")
        }
    }
}
