import Formats
@testable import SendbirdSandbox
import TestSupport
import Testing

/// Reactions to messages, and the search for messages.
@Suite struct ReactionTests {
    @Test func reactionsComeAndGo() async throws {
        try await SendbirdScene.run { scene in
            let path = try await scene.channel("ada", "bob")
            let id = try await Self.send("Hello", as: "ada", to: path, scene)
            let reactions = "\(path)/messages/\(id)/reactions"
            let added = try await scene.ask("POST", reactions, #"{"user_id":"bob","reaction":"wave/1"}"#)
            #expect(added["operation"]?.string == "ADD" && added["success"]?.bool == true)
            #expect(added["msg_id"]?.integer == id && added["reaction"]?.string == "wave/1")
            _ = try await scene.ask("POST", reactions, #"{"user_id":"ada","reaction":"wave/1"}"#)
            _ = try await scene.ask("POST", reactions, #"{"user_id":"ada","reaction":"wave/1"}"#)
            let users = try await scene.ask("GET", "\(reactions)?list_users=true")["wave/1"]?.array
            #expect(users?.map { $0["user_id"]?.string } == ["bob", "ada"])
            func shown(_ target: String) async throws -> JSONValue? { try await scene.ask("GET", target)["reactions"] }
            #expect(try await shown("\(path)/messages/\(id)") == nil, "nobody has asked for them")
            let all = try await shown("\(path)/messages/\(id)?include_reactions=true")?.array
            #expect(all?.count == 1 && all?[0]["user_ids"]?.array == [.string("bob"), .string("ada")])
            let list = try await scene.ask(
                "GET", "\(path)/messages?message_ts=0&include_reactions=true&message_id=\(id)")
            #expect(list["messages"]?.array?.first?["reactions"]?.array?.count == 1)
            let removed = try await scene.ask("DELETE", "\(reactions)?user_id=bob&reaction=wave%2F1")
            #expect(removed["operation"]?.string == "DELETE")
            _ = try await scene.ask("DELETE", "\(reactions)?user_id=ada&reaction=wave%2F1")
            #expect(try await scene.ask("GET", reactions) == .object([]))
        }
    }

    @Test func whatIsNoReactionIsRefused() async throws {
        try await SendbirdScene.run { scene in
            let path = try await scene.channel("ada", "bob")
            let id = try await Self.send("Hello", as: "ada", to: path, scene)
            let reactions = "\(path)/messages/\(id)/reactions"
            #expect(try await scene.code("POST", reactions, #"{"user_id":"bob"}"#) == 400105)
            #expect(try await scene.code("POST", reactions, #"{"user_id":"bob","reaction":""}"#) == 400110)
            let long = String(repeating: "x", count: 193)
            #expect(try await scene.code("POST", reactions, #"{"user_id":"bob","reaction":"\#(long)"}"#) == 400110)
            #expect(
                try await scene.code("POST", "\(path)/messages/77/reactions", #"{"user_id":"bob","reaction":"x"}"#)
                    == 400201)
            #expect(try await scene.code("DELETE", "\(reactions)?user_id=bob") == 400105)
            _ = try await scene.ask("POST", "/v3/users", #"{"user_id":"eve","nickname":"","profile_url":""}"#)
            #expect(try await scene.code("POST", reactions, #"{"user_id":"eve","reaction":"x"}"#) == 400108)
            for number in 0..<50 {
                _ = try await scene.ask("POST", reactions, #"{"user_id":"bob","reaction":"\#(number)"}"#)
            }
            #expect(try await scene.code("POST", reactions, #"{"user_id":"bob","reaction":"50"}"#) == 400203)
            #expect(try await scene.ask("GET", reactions)["50"] == nil)
        }
    }

    @Test func messagesAreFoundByTheirWords() async throws {
        try await SendbirdScene.run { scene in
            let first = try await scene.channel("ada", "bob", url: "chan_1")
            let second = try await scene.channel("ada", "cy", url: "chan_2")
            _ = try await Self.send("Where is my parcel?", as: "ada", to: first, scene)
            _ = try await Self.send("The parcel is here", as: "bob", to: first, scene)
            _ = try await Self.send("Another parcel", as: "cy", to: second, scene)
            _ = try await Self.send("Nothing", as: "cy", to: second, scene)
            func found(_ query: String) async throws -> [String?] {
                try await scene.ask("GET", "/v3/search/messages?\(query)")["results"]?.array?
                    .map { $0["message"]?.string } ?? []
            }
            #expect(try await Set(found("query=parcel&user_id=ada")).count == 3)
            #expect(try await Set(found("query=parcel&user_id=bob")) == ["Where is my parcel?", "The parcel is here"])
            #expect(try await found("query=parcel&channel_url=chan_2") == ["Another parcel"])
            let order = try await found("query=parcel&channel_url=chan_1&sort_field=ts")
            #expect(order == ["The parcel is here", "Where is my parcel?"])
            #expect(try await found("query=parcel&channel_url=chan_1&sort_field=ts&reverse=true") == order.reversed())
            let page = try await scene.ask("GET", "/v3/search/messages?query=parcel&user_id=ada&limit=2&sort_field=ts")
            #expect(page["total_count"]?.integer == 3 && page["has_next"]?.bool == true)
            let next = try #require(page["next"]?.string)
            let rest = "query=parcel&user_id=ada&limit=2&sort_field=ts&token=\(next)"
            #expect(try await found(rest) == ["Where is my parcel?"])
            #expect(try await found("query=nowhere&user_id=ada").isEmpty)
            #expect(try await scene.code("GET", "/v3/search/messages?user_id=ada") == 400105)
            #expect(try await scene.code("GET", "/v3/search/messages?query=x") == 400105)
            #expect(try await scene.code("GET", "/v3/search/messages?query=x&channel_url=none") == 400201)
        }
    }

    private static func send(
        _ text: String, as user: String, to path: String, _ scene: SendbirdScene
    ) async throws -> Int64 {
        let sent = try await scene.ask(
            "POST", "\(path)/messages", #"{"message_type":"MESG","user_id":"\#(user)","message":"\#(text)"}"#)
        return try #require(sent["message_id"]?.integer)
    }
}
