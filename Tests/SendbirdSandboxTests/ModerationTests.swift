import Formats
@testable import SendbirdSandbox
import TestSupport
import Testing

/// Mutes, bans, blocks, the application's further tokens, and what a strict sandbox refuses.
@Suite struct ModerationTests {
    @Test func whoIsMutedReadsAndDoesNotWrite() async throws {
        try await SendbirdScene.run { scene in
            let path = try await scene.channel("ada", "bob")
            let channel = try await scene.ask(
                "POST", "\(path)/mute", #"{"user_id":"bob","seconds":60,"description":"Rude"}"#)
            #expect(channel["channel_url"]?.string == "chan_1")
            #expect(try await scene.code("POST", "\(path)/messages", Self.message("bob")) == 400108)
            #expect(try await scene.ask("GET", "\(path)?user_id=bob")["is_muted"]?.bool == true)
            func members(_ filter: String) async throws -> [String?] {
                try await scene.ask("GET", "\(path)/members?muted_member_filter=\(filter)")["members"]?.array?
                    .map { $0["user_id"]?.string } ?? []
            }
            #expect(try await members("muted") == ["bob"])
            #expect(try await members("unmuted") == ["ada"])
            #expect(try await members("all") == ["ada", "bob"])
            let mute = try await scene.ask("GET", "\(path)/mute/bob")
            #expect(mute["is_muted"]?.bool == true && mute["description"]?.string == "Rude")
            let (start, end) = (mute["start_at"]?.integer ?? 0, mute["end_at"]?.integer ?? 0)
            #expect(end - start == 60_000 && (1...60_000).contains(mute["remaining_duration"]?.integer ?? 0))
            let list = try await scene.ask("GET", "\(path)/mute")
            #expect(list["muted_list"]?.array?.map { $0["user_id"]?.string } == ["bob"])
            #expect(list["total_mute_count"]?.integer == 1 && list["next"]?.string?.isEmpty == true)
            let channels = try await scene.ask("GET", "/v3/users/bob/mute")["muted_channels"]?.array
            #expect(channels?.map { $0["channel_url"]?.string } == ["chan_1"])
            scene.environment.advance(milliseconds: 60_000)
            _ = try await scene.ask("POST", "\(path)/messages", Self.message("bob"))
            #expect(try await scene.ask("GET", "\(path)/mute/bob")["is_muted"]?.bool == false)
            #expect(try await scene.ask("GET", "\(path)/mute")["total_mute_count"]?.integer == 0)
            #expect(try await scene.ask("GET", "/v3/users/bob/mute")["muted_channels"]?.array?.isEmpty == true)
        }
    }

    @Test func aMuteEndsWhenItIsLifted() async throws {
        try await SendbirdScene.run { scene in
            let path = try await scene.channel("ada", "bob")
            _ = try await scene.ask("POST", "\(path)/mute", #"{"user_id":"bob","seconds":-1}"#)
            let mute = try await scene.ask("GET", "\(path)/mute/bob")
            #expect((mute["end_at"]?.integer ?? 0) - (mute["start_at"]?.integer ?? 0) == 315_360_000_000)
            #expect(try await scene.ask("DELETE", "\(path)/mute/bob") == .object([]))
            _ = try await scene.ask("POST", "\(path)/messages", Self.message("bob"))
            #expect(try await scene.code("POST", "\(path)/mute", #"{"user_id":"nobody"}"#) == 400301)
            #expect(try await scene.code("POST", "\(path)/mute", "{}") == 400105)
            #expect(try await scene.code("POST", "\(path)/mute", #"{"user_id":"bob","seconds":"x"}"#) == 400101)
        }
    }

    @Test func whoIsBannedLeavesAndDoesNotComeBack() async throws {
        try await SendbirdScene.run { scene in
            let path = try await scene.channel("ada", "bob")
            _ = try await scene.ask("PUT", path, #"{"is_public":true}"#)
            let ban = try await scene.ask(
                "POST", "\(path)/ban", #"{"user_id":"bob","seconds":60,"description":"Spam"}"#)
            #expect(ban["user"]?["user_id"]?.string == "bob" && ban["description"]?.string == "Spam")
            #expect(try await scene.ask("GET", path)["member_count"]?.integer == 1)
            #expect(try await scene.code("POST", "\(path)/invite", #"{"user_ids":["bob"]}"#) == 400751)
            #expect(try await scene.code("PUT", "\(path)/join", #"{"user_id":"bob"}"#) == 400751)
            #expect(try await scene.ask("GET", "\(path)/ban")["banned_list"]?.array?.count == 1)
            #expect(
                try await scene.ask("GET", "/v3/users/bob/ban")["banned_channels"]?.array?
                    .map { $0["channel_url"]?.string } == ["chan_1"])
            let longer = try await scene.ask("PUT", "\(path)/ban/bob", #"{"seconds":120}"#)
            #expect((longer["end_at"]?.integer ?? 0) - (longer["start_at"]?.integer ?? 0) == 120_000)
            #expect(longer["description"]?.string == "Spam")
            scene.environment.advance(milliseconds: 60_000)
            #expect(try await scene.ask("GET", "\(path)/ban/bob")["user"]?["user_id"]?.string == "bob")
            #expect(try await scene.ask("DELETE", "\(path)/ban/bob") == .object([]))
            #expect(try await scene.code("GET", "\(path)/ban/bob") == 400201)
            #expect(try await scene.code("PUT", "\(path)/ban/bob", #"{"seconds":1}"#) == 400201)
            _ = try await scene.ask("PUT", "\(path)/join", #"{"user_id":"bob"}"#)
            #expect(try await scene.ask("GET", path)["member_count"]?.integer == 2)
        }
    }

    @Test func blocksAreKeptAndTold() async throws {
        try await SendbirdScene.run { scene in
            _ = try await scene.channel("ada", "bob", "cy")
            func blocked() async throws -> [String?] {
                try await scene.ask("GET", "/v3/users/ada/block")["users"]?.array?.map { $0["user_id"]?.string } ?? []
            }
            let answer = try await scene.ask("POST", "/v3/users/ada/block", #"{"target_id":"bob"}"#)
            #expect(answer["users"]?.array?.map { $0["user_id"]?.string } == ["bob"])
            _ = try await scene.ask("POST", "/v3/users/ada/block", #"{"user_ids":["bob","cy"]}"#)
            #expect(try await blocked() == ["bob", "cy"])
            #expect(try await scene.ask("DELETE", "/v3/users/ada/block/bob") == .object([]))
            #expect(try await blocked() == ["cy"])
            #expect(try await scene.code("POST", "/v3/users/ada/block", #"{"target_id":"nobody"}"#) == 400301)
            #expect(try await scene.code("POST", "/v3/users/ada/block", "{}") == 400105)
        }
    }

    @Test func aFurtherTokenOpensAllButTheTokens() async throws {
        try await SendbirdScene.run { scene in
            let tokens = "/v3/applications/api_tokens"
            let made = try await scene.ask("POST", tokens, "{}")
            let token = try #require(made["token"]?.string)
            #expect(token.count == 40 && made["created_at"]?.integer ?? 0 > 0)
            #expect(try await scene.call("GET", "/v3/users", token: token).status == 200)
            #expect(try await scene.call("GET", tokens, token: token).json["code"]?.integer == 400108)
            #expect(try await scene.ask("GET", tokens)["api_tokens"]?.array == [made])
            #expect(try await scene.ask("GET", "\(tokens)/\(token)") == made)
            let frames = try scene.shownFrames().map { "\($0)" }.joined()
            #expect(!frames.contains(token) && frames.contains("api_tokens/..."))
            #expect(try await scene.ask("DELETE", "\(tokens)/\(token)") == made)
            #expect(try await scene.call("GET", "/v3/users", token: token).json["code"]?.integer == 400401)
            #expect(try await scene.code("GET", "\(tokens)/\(token)") == 400201)
        }
    }

    @Test(arguments: [true, false]) func aMisspeltMemberIsRefusedOrNoted(isStrict: Bool) async throws {
        try await SendbirdScene.run(isStrict: isStrict) { scene in
            let path = try await scene.channel("ada")
            let answer = try await scene.call("PUT", path, #"{"name":"Order","is_pulic":true}"#)
            #expect(answer.json["code"]?.integer == (isStrict ? 400111 : nil))
            #expect(try await scene.ask("GET", path)["name"]?.string == (isStrict ? "" : "Order"))
            #expect(try scene.shownFrames().contains { $0["unknown"]?.array == [.string("is_pulic")] })
        }
    }

    private static func message(_ user: String) -> String {
        #"{"message_type":"MESG","user_id":"\#(user)","message":"Hello"}"#
    }
}
