import ChatModel
import ChatStore
import Formats
import GatewaySupport
import HTTPRouting
import TestSupport
import Testing

@testable import Gateway

/// `--message-days`: what is done once an hour for it.
@Suite struct MessageDaysTests {
    private static let day: Int64 = 86_400_000

    private func answer(
        _ gateway: TestGateway, _ method: String, _ path: String, _ body: String? = nil
    ) async throws
        -> Answer
    {
        var headers = [("Authorization", "Bearer \(TestGateway.token)")]
        if body != nil { headers.append(("Content-Type", "application/json")) }
        let request = Request(method: method, path: path, headers: headers, body: body)
        return try await Driver.process.answers(to: [request], at: gateway)[0]
    }

    @Test func oldMessagesGoByDaysAndClosedConversationsWhole() async throws {
        try await TestGateway.run { gateway in
            let threads = "/v1/sessions/\(gateway.session)/threads"
            for (id, isClosed) in [("done", true), ("open", false)] {
                #expect(try await answer(gateway, "POST", threads, #"{"id":"\#(id)"}"#).status == 201)
                #expect(
                    try await answer(gateway, "POST", "\(threads)/\(id)/messages", #"{"text":"old"}"#).status == 201)
                if isClosed { #expect(try await answer(gateway, "POST", "\(threads)/\(id)/archive").status == 200) }
            }
            gateway.environment.advance(milliseconds: 3 * Self.day)
            try await gateway.application.applyRetention()
            #expect(try await answer(gateway, "GET", "\(threads)/open/messages").body.contains("old"), "kept for ever")
            var rules = gateway.application.core.rules
            rules.messageDays = 3
            gateway.application.follow(rules)
            // The day of the messages is not over: the closed conversation alone has no such day.
            gateway.environment.advance(milliseconds: 1)
            try await gateway.application.applyRetention()
            #expect(try await answer(gateway, "GET", "\(threads)/done").status == 404)
            #expect(try await answer(gateway, "GET", "\(threads)/open/messages").body.contains("old"))
            gateway.environment.advance(milliseconds: Self.day)
            try await gateway.application.applyRetention()
            let page = try await answer(gateway, "GET", "\(threads)/open/messages").body
            #expect(page.contains(#""items":[]"#), "\(page)")
            #expect(try await answer(gateway, "GET", "\(threads)/open").body.contains("historyResetAt"))
        }
    }
}
