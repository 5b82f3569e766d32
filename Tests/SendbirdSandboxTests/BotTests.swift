import ChatModel
import Formats
@testable import SendbirdSandbox
import TestSupport
import Testing

/// Bots: users whom the sandbox calls where they are members.
@Suite struct BotTests {
    /// The callbacks of bots since an offset.
    private func told(_ scene: SendbirdScene, after offset: inout Int64) async throws -> [JSONValue] {
        let replay = try await scene.sandbox.store.replay([.everyone], after: offset, limit: 1 << 22)
        offset = replay.through
        return try replay.events.filter { $0.type == .callback }.map {
            try JSONParser.parse(CallbackEvent(canonicalJSON: $0.data).body)
        }
    }

    private func makeBot(_ scene: SendbirdScene, _ more: String = "") async throws -> JSONValue {
        try await scene.ask(
            "POST", "/v3/bots",
            #"{"bot_userid":"help","bot_nickname":"Help","bot_profile_url":"","bot_type":"","bot_callback_url":"http://127.0.0.1:9/bot"\#(more)}"#
        )
    }

    @Test func aBotIsMadeChangedListedAndDeleted() async throws {
        try await SendbirdScene.run { scene in
            let made = try await makeBot(scene)
            #expect(made["bot"]?["bot_userid"]?.string == "help" && made["is_privacy_mode"]?.bool == true)
            #expect(made["bot_callback_url"]?.string == "http://127.0.0.1:9/bot")
            #expect(made["bot"]?["bot_token"]?.string?.utf8.count == 40)
            #expect(try await scene.code("POST", "/v3/bots", #"{"bot_userid":"help","bot_nickname":""}"#) == 400202)
            #expect(try await scene.code("POST", "/v3/bots", #"{"bot_userid":"b"}"#) == 400105)
            #expect(
                try await scene.code(
                    "POST", "/v3/bots", #"{"bot_userid":"b","bot_nickname":"","bot_callback_url":"http://refused"}"#)
                    == 400114)
            let long = String(repeating: "a", count: 1025)
            #expect(try await scene.code("PUT", "/v3/bots/help", #"{"bot_callback_url":"\#(long)"}"#) == 400110)
            let changed = try await scene.ask("PUT", "/v3/bots/help", #"{"bot_nickname":"H","is_privacy_mode":false}"#)
            #expect(changed["bot"]?["bot_nickname"]?.string == "H" && changed["is_privacy_mode"]?.bool == false)
            #expect(try await scene.ask("GET", "/v3/bots/help") == changed)
            #expect(try await scene.ask("GET", "/v3/users/help")["nickname"]?.string == "H")
            _ = try await scene.channel("ada")
            #expect(try await scene.ask("GET", "/v3/bots")["bots"]?.array == [changed], "Users are no bots.")
            #expect(try await scene.code("GET", "/v3/bots/ada") == 400301)
            _ = try await scene.ask("DELETE", "/v3/bots/help")
            #expect(try await scene.code("GET", "/v3/bots/help") == 400301)
            let id = scene.sandbox.targetID(ofBot: "help")
            #expect(try await scene.sandbox.store.read { try $0.target(id) } == nil)
        }
    }

    @Test func aBotIsToldOfMessagesAndAnswers() async throws {
        try await SendbirdScene.run { scene in
            let path = try await scene.channel("ada", "bob")
            _ = try await makeBot(scene)
            var offset = scene.sandbox.store.feed.head
            _ = try await scene.ask("POST", "/v3/bots/help/channels", #"{"channel_urls":["chan_1"]}"#)
            #expect(
                try await told(scene, after: &offset).map { $0["category"]?.string }
                    == ["bot_event/group_channel:join"])
            _ = try await scene.send("Hello", as: "ada", to: path)
            #expect(try await told(scene, after: &offset).isEmpty, "It is private.")
            _ = try await scene.send("you", as: "ada", to: path, #","mentioned_user_ids":["help"]"#)
            let sent = try await scene.send("/help me", as: "ada", to: path)
            let calls = try await told(scene, after: &offset)
            #expect(calls.map { $0["message"]?["text"]?.string } == ["you", "/help me"])
            #expect(calls.allSatisfy { $0["category"]?.string == "bot_message_notification" })
            #expect(calls.last?["message"]?["message_id"] == sent["message_id"])
            #expect(calls.last?["sender"]?["user_id"]?.string == "ada")
            #expect(calls.last?["bot"]?["bot_userid"]?.string == "help")
            #expect(calls.last?["channel"]?["channel_url"]?.string == "chan_1")
            #expect(calls.last?["members"]?.array?.count == 3)
            _ = try await scene.ask("PUT", "/v3/bots/help", #"{"is_privacy_mode":false}"#)
            _ = try await scene.send("Hello", as: "ada", to: path)
            #expect(try await told(scene, after: &offset).count == 1)
            let answer = try await scene.ask(
                "POST", "/v3/bots/help/send", #"{"channel_url":"chan_1","message":"/Yes?","data":"d"}"#)
            #expect(answer["message"]?["user"]?["user_id"]?.string == "help")
            #expect(answer["message"]?["message"]?.string == "/Yes?" && answer["message"]?["data"]?.string == "d")
            #expect(try await told(scene, after: &offset).isEmpty, "Its own messages make no callback.")
            #expect(
                try await scene.code("POST", "/v3/bots/ada/send", #"{"channel_url":"chan_1","message":"x"}"#) == 400301)
            _ = try await scene.ask("DELETE", "/v3/bots/help/channels/chan_1")
            #expect(
                try await told(scene, after: &offset).map { $0["category"]?.string }
                    == ["bot_event/group_channel:leave"])
            #expect(
                try await scene.code("POST", "/v3/bots/help/send", #"{"channel_url":"chan_1","message":"x"}"#) == 400108
            )
        }
    }

    /// A bot that has to be asked comes when it accepts, and is told of nothing before.
    @Test func anInvitedBotIsNotThereYet() async throws {
        try await SendbirdScene.run { scene in
            let path = try await scene.channel("ada")
            _ = try await makeBot(scene, #","is_privacy_mode":false"#)
            _ = try await scene.ask("PUT", "/v3/users/help/channel_invitation_preference", #"{"auto_accept":false}"#)
            var offset = scene.sandbox.store.feed.head
            _ = try await scene.ask("POST", "\(path)/invite", #"{"user_ids":["help"],"inviter_id":"ada"}"#)
            _ = try await scene.send("Hello", as: "ada", to: path)
            #expect(try await told(scene, after: &offset).isEmpty)
            _ = try await scene.ask("PUT", "\(path)/accept", #"{"user_id":"help"}"#)
            _ = try await scene.send("Hello", as: "ada", to: path)
            #expect(
                try await told(scene, after: &offset).map { $0["category"]?.string }
                    == ["bot_event/group_channel:join", "bot_message_notification"])
        }
    }

    /// A reset removes what calls bots, too, and no list passes the bounds of a page.
    @Test func botsArePagedAndReset() async throws {
        try await SendbirdScene.run { scene in
            for id in ["a", "b", "c"] {
                _ = try await scene.ask(
                    "POST", "/v3/bots",
                    #"{"bot_userid":"\#(id)","bot_nickname":"","bot_callback_url":"http://127.0.0.1:9/"}"#)
            }
            let first = try await scene.ask("GET", "/v3/bots?limit=2"), next = first["next"]?.string ?? ""
            let second = try await scene.ask("GET", "/v3/bots?limit=2&token=\(next)")
            #expect(first["bots"]?.array?.count == 2 && !next.isEmpty)
            #expect(second["bots"]?.array?.count == 1 && second["next"]?.string == "")
            #expect(try await scene.code("GET", "/v3/bots?limit=101") == 400113)
            let many = Array(repeating: "\"chan_1\"", count: 101).joined(separator: ",")
            #expect(try await scene.code("POST", "/v3/bots/a/channels", #"{"channel_urls":[\#(many)]}"#) == 400203)
            _ = try await scene.sandbox.reset()
            let targets = ["a", "b", "c"].map(scene.sandbox.targetID(ofBot:))
            let left = try await scene.sandbox.store.read { store in try targets.compactMap { try store.target($0) } }
            #expect(left.isEmpty)
            #expect(try await scene.ask("GET", "/v3/bots")["bots"]?.array == [])
        }
    }

    /// The official client sends a form.
    @Test func aBotAnswersByAForm() async throws {
        try await SendbirdScene.run { scene in
            _ = try await scene.channel("ada")
            _ = try await makeBot(scene)
            _ = try await scene.ask("POST", "/v3/bots/help/channels", #"{"channel_urls":["chan_1"]}"#)
            let fields = ["channel_url": "chan_1", "message": "Hi", "message_type": "MESG"].sorted { $0.key < $1.key }
            let form = fields.map { "--b\r\nContent-Disposition: form-data; name=\"\($0.key)\"\r\n\r\n\($0.value)\r\n" }
            let answer = try await scene.call(
                "POST", "/v3/bots/help/send", form.joined() + "--b--\r\n", type: "multipart/form-data; boundary=b")
            #expect(answer.status == 200 && answer.json["message"]?["message"]?.string == "Hi")
        }
    }
}
