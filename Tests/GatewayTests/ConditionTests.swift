import Chat
import ChatModel
import GatewaySupport
import HTTPRouting
import Testing

@testable import Gateway

@Suite struct ConditionTests {
    /// A thread that is closed does not change when its customer takes another name; what the desk sees of it does.
    @Test func theDeskSeesANewNameOfTheCustomerOfAClosedThread() async throws {
        try await TestGateway.run { gateway in
            _ = try await gateway.client.ask { try await $0.archive("t1", receipt: nil) }
            let token = [("Authorization", "Bearer \(TestGateway.token)")]
            for path in ["/v1/desk/threads/t1", "/v1/desk/threads?state=closed"] {
                let first = try await Driver.process.answers(
                    to: [Request(method: "GET", path: path, headers: token)], at: gateway)[0]
                let tag = try #require(first["ETag"])
                let again = Request(method: "GET", path: path, headers: token + [("If-None-Match", tag)])
                #expect(try await Driver.process.answers(to: [again], at: gateway)[0].status == 304)
                _ = try await gateway.client.ask {
                    try await $0.setCustomer(CustomerDraft(firstName: "New \(path.utf8.count)"))
                }
                let renamed = try await Driver.process.answers(to: [again], at: gateway)[0]
                #expect(renamed.status == 200 && renamed.body.contains("New \(path.utf8.count)"))
            }
        }
    }

    @Test(arguments: Driver.allCases)
    func aListIsAskedAboutAndChanged(driver: Driver) async throws {
        try await TestGateway.run { gateway in
            let token = [("Authorization", "Bearer \(TestGateway.token)")]
            let path = "/v1/sessions/\(gateway.session)/threads/t1/messages"
            let first = try await driver.answers(to: [Request(method: "GET", path: path, headers: token)], at: gateway)[
                0]
            let tag = try #require(first["ETag"])
            let again = Request(method: "GET", path: path, headers: token + [("If-None-Match", "\"x\", \(tag)")])
            let other = Request(method: "GET", path: path + "?limit=1", headers: token + [("If-None-Match", tag)])
            let send = Request(
                method: "POST", path: path, headers: token + [("Content-Type", "application/json")],
                body: "{\"text\":\"x\"}")
            let answers = try await driver.answers(to: [again, other, send, again], at: gateway)
            #expect(answers.map(\.status) == [304, 200, 201, 200])
            #expect(answers[0].body == "" && answers[0]["ETag"] == tag)
            #expect(answers[3]["ETag"] != tag)
        }
    }

    @Test(arguments: Driver.allCases)
    func anEditOfAnOldVersionIsRefused(driver: Driver) async throws {
        try await TestGateway.run { gateway in
            let token = [("Authorization", "Bearer \(TestGateway.token)"), ("Content-Type", "application/json")]
            let path = "/v1/sessions/\(gateway.session)/threads/t1/messages/m1"
            let read = try await driver.answers(to: [Request(method: "GET", path: path, headers: token)], at: gateway)[
                0]
            let edit = Request(
                method: "PATCH", path: path, headers: token + [("If-Match", try #require(read["ETag"]))],
                body: "{\"text\":\"new\"}")
            #expect(try await driver.answers(to: [edit, edit], at: gateway).map(\.status) == [200, 412])
        }
    }

    /// A request that takes no version is not carried out as if it had been asked without one.
    @Test(arguments: ["hide", "unhide", "join", "leave", "read", "load", "resetHistory", "inactivity"])
    func whatHasNoVersionIsRefusedWithACondition(action: String) async throws {
        try await TestGateway.run { gateway in
            let token = [("Authorization", "Bearer \(TestGateway.token)"), ("Content-Type", "application/json")]
            let path = "/v1/sessions/\(gateway.session)/threads/t1"
            let thread = try await Driver.process.answers(
                to: [Request(method: "GET", path: path, headers: token)], at: gateway)[0]
            let body = action == "inactivity" ? #"{"answer":"refresh"}"# : "{}"
            for tag in ["*", try #require(thread["ETag"])] {
                let answer = try await Driver.process.answers(
                    to: [
                        Request(
                            method: "POST", path: "\(path)/\(action)", headers: token + [("If-Match", tag)], body: body)
                    ], at: gateway)[0]
                #expect(answer.status == 412 && answer.body.contains("takes no If-Match"), "\(answer.body)")
            }
        }
    }

    @Test func linksLeadThroughAllPages() async throws {
        try await TestGateway.run { gateway in
            for number in 2...7 {
                _ = try await gateway.client.send(.init(id: "m\(number)", text: "x"), to: "t1", receipt: nil)
            }
            var path = "/v1/sessions/\(gateway.session)/threads/t1/messages?limit=3&replies=all"
            var seen: [String] = []
            for _ in 0..<3 {
                let request = Request(
                    method: "GET", path: path, headers: [("Authorization", "Bearer \(gateway.sessionToken)")])
                let page = try await Driver.process.answers(to: [request], at: gateway)[0]
                seen += page.body.matches(of: /"id":"(m\d)","threadId"/).map { String($0.1) }
                guard let link = page["Link"], let next = link.firstMatch(of: /<([^>]*)>; rel="next"/) else { break }
                path = String(next.1)
                #expect(path.contains("replies=all"))
            }
            #expect(seen == ["m7", "m6", "m5", "m4", "m3", "m2", "m1"])
        }
    }
}
