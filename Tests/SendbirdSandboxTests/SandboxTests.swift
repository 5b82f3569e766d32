import Chat
import ChatModel
import Formats
import LocalService
import SandboxKit
@testable import SendbirdSandbox
import TestSupport
import Testing

/// What a program does through the platform's API, and what the embedded service shows of it.
@Suite struct SandboxTests {
    @Test func aTokenIsNeeded() async throws {
        try await SendbirdScene.run { scene in
            for token in [.some(nil), "", "0", String(scene.sandbox.token.dropLast()) + "x"] as [String??] {
                let answer = try await scene.call("GET", "/v3/users", token: token)
                #expect(answer.status == 400 && answer.json["code"]?.integer == 400401)
            }
            #expect(scene.sandbox.token.utf8.count == 40)
            #expect(try await scene.call("GET", "/v3/users").status == 200)
        }
    }

    @Test func aUserIsMadeOnce() async throws {
        try await SendbirdScene.run { scene in
            let body = #"{"user_id":"k 4711","nickname":"Ada Brink","profile_url":"https:\/\/p.example\/a.png"}"#
            let made = try await scene.ask("POST", "/v3/users", body)
            #expect(made["user_id"]?.string == "k 4711" && made["is_created"]?.bool == true)
            let read = try await scene.ask("GET", "/v3/users/k%204711")
            #expect(read["nickname"]?.string == "Ada Brink" && read["is_created"] == nil)
            #expect(read["profile_url"]?.string == "https://p.example/a.png" && read["last_seen_at"]?.integer == -1)
            #expect(try await scene.code("POST", "/v3/users", body) == 400202)
            let changed = try await scene.ask("PUT", "/v3/users/k%204711", #"{"nickname":"Bo"}"#)
            #expect(changed["nickname"]?.string == "Bo" && changed["profile_url"] == read["profile_url"])
        }
    }

    @Test(
        arguments: [
            ("GET", "/v3/users/nobody", "", 400301), ("PUT", "/v3/users/nobody", "{}", 400301),
            ("POST", "/v3/users", "", 400402), ("POST", "/v3/users", "{", 400403),
            ("POST", "/v3/users", #"{"nickname":"a"}"#, 400105), ("POST", "/v3/users", #"{"user_id":7}"#, 400100),
            ("POST", "/v3/users", #"{"user_id":"é","nickname":"a"}"#, 400151),
            ("GET", "/v3/group_channels/none", "", 400201), ("DELETE", "/v3/group_channels/none", "", 400201),
            ("GET", "/v3/group_channels?limit=0", "", 400113), ("GET", "/v3/group_channels?limit=x", "", 400101),
            ("GET", "/v3/users?token=x", "", 400109),
            ("POST", "/v3/group_channels", #"{"user_ids":["nobody"]}"#, 400111),
            ("GET", "/v3/open_channels", "", 400930), ("PATCH", "/v3/users", "{}", 400930),
            ("DELETE", "/v3/users/nobody", "", 400301), ("POST", "/v3/users/nobody/x/y", "{}", 400930),
            ("GET", "/v3", "", 400930), ("GET", "/v3/", "", 400930), ("GET", "/v3/users/", "", 400930),
            ("GET", "/v3/group_channels/none/messages/1/x", "", 400930), ("GET", "/v3/users/%C3%A9", "", 400930),
            ("GET", "/v3/users?active_mode=x", "", 400111), ("GET", "/v3/files/none/a.png", "", 400201),
            ("POST", "/v3/users", #"{"user_id":"agent_7","nickname":"a"}"#, 400151),
            ("PUT", "/v3/users/nobody", #"{"issue_session_token":true}"#, 400930),
            ("POST", "/v3/group_channels", #"{"user_ids":["a"],"is_super":true}"#, 400930),
            (
                "POST", "/v3/group_channels/none/messages",
                #"{"message_type":"MESG","user_id":"a","message":"x","created_at":5}"#,
                400930
            ),
            ("POST", "/v3/users", #"{"user_id":"a","nickname":"a","metadata":{"a,\u0301b":"x"}}"#, 400151),
        ] as [(String, String, String, Int64)])
    func whatIsWrongHasItsCode(_ method: String, _ path: String, _ body: String, _ code: Int64) async throws {
        try await SendbirdScene.run { scene in
            let answer = try await scene.call(method, path, body)
            #expect(answer.status == 400 && answer.json["code"]?.integer == code && answer.json["error"]?.bool == true)
        }
    }

    @Test func aChannelHasItsMembers() async throws {
        try await SendbirdScene.run { scene in
            let path = try await scene.channel("ada", "bob")
            let channel = try await scene.ask("GET", "\(path)?show_member=True&user_id=ada")
            #expect(channel["member_count"]?.integer == 2 && channel["member_state"]?.string == "joined")
            #expect(channel["members"]?.array?.compactMap { $0["user_id"]?.string }.sorted() == ["ada", "bob"])
            #expect(channel["last_message"] == .null && channel["created_by"] == .null)
            #expect(try await scene.ask("GET", "\(path)/members/bob")["is_member"]?.bool == true)
            _ = try await scene.ask("POST", "/v3/users", #"{"user_id":"cy","nickname":"Cy"}"#)
            #expect(try await scene.ask("GET", "\(path)/members/cy")["state"]?.string == "none")
            let invited = try await scene.ask("POST", "\(path)/invite", #"{"user_ids":["cy"]}"#)
            #expect(invited["member_count"]?.integer == 3 && invited["invited_at"]?.integer != nil)
            _ = try await scene.ask("PUT", "\(path)/leave", #"{"user_ids":["bob"]}"#)
            let members = try await scene.ask("GET", "\(path)/members?limit=1")
            #expect(members["members"]?.array?.count == 1)
            let next = try #require(members["next"]?.string)
            let rest = try await scene.ask("GET", "\(path)/members?limit=1&token=\(next)")
            #expect(rest["members"]?.array?.first?["user_id"]?.string == "ada" && rest["next"]?.string == "")
            #expect(
                try await scene.code("POST", "/v3/group_channels", #"{"user_ids":["ada"],"channel_url":"chan_1"}"#)
                    == 400202)
        }
    }

    @Test func aDistinctChannelIsMadeOnce() async throws {
        try await SendbirdScene.run { scene in
            _ = try await scene.channel("ada", "bob")
            func make(_ ids: String, _ more: String = "") async throws -> String? {
                try await scene.ask(
                    "POST", "/v3/group_channels", #"{"user_ids":[\#(ids)],"is_distinct":true\#(more)}"#)[
                        "channel_url"]?.string
            }
            let first = try #require(try await make(#""ada","bob""#))
            #expect(try await make(#""bob","ada""#) == first)
            #expect(try await make(#""ada""#) != first)
            #expect(try await make(#""ada","bob""#, #","custom_type":"x""#) != first)
            let plain = try await scene.ask("POST", "/v3/group_channels", #"{"user_ids":["ada","bob"]}"#)
            #expect(plain["channel_url"]?.string != first && plain["is_distinct"]?.bool == false)
            #expect(try await scene.ask("GET", "/v3/group_channels/\(first)")["is_distinct"]?.bool == true)
            _ = try await scene.ask("PUT", "/v3/group_channels/\(first)/leave", #"{"user_ids":["bob"]}"#)
            #expect(try await make(#""ada","bob""#) == first)
            #expect(try await scene.ask("GET", "/v3/group_channels/\(first)")["member_count"]?.integer == 2)
        }
    }

    @Test func aMessageIsForAllAndAtTheDesk() async throws {
        try await SendbirdScene.run { scene in
            let path = try await scene.channel("ada", "bob")
            let sent = try await scene.send("Hello", as: "ada", to: path)
            let id = try #require(sent["message_id"]?.integer)
            #expect(sent["user"]?["user_id"]?.string == "ada" && sent["message"]?.string == "Hello")
            #expect(try await scene.ask("GET", "\(path)/messages/\(id)") == sent)
            #expect(try await scene.ask("GET", "/v3/users/bob/unread_message_count")["unread_count"]?.integer == 1)
            #expect(try await scene.ask("GET", "/v3/users/ada/unread_message_count")["unread_count"]?.integer == 0)
            let mine = try await scene.ask("GET", "/v3/users/bob/my_group_channels")["channels"]?.array?.first
            #expect(mine?["unread_message_count"]?.integer == 1 && mine?["last_message"]?["message_id"]?.integer == id)
            #expect(try await scene.ask("PUT", "\(path)/messages/mark_as_read", #"{"user_id":"bob"}"#) == .object([]))
            #expect(try await scene.ask("GET", "/v3/users/bob/unread_message_count")["unread_count"]?.integer == 0)
            // The desk answers, and is a user of its own.
            let desk = scene.service.desk, thread = DeskThread(id: "chan_1", channel: scene.sandbox.channel)
            _ = try await desk.send(
                MessageDraft(id: "d1", text: "Yes?"), as: Agent(id: "7", name: "Marta"), to: thread,
                under: AnswerTerms(), receipt: nil)
            let list = try await scene.ask("GET", "\(path)/messages?message_ts=0&message_id=0")["messages"]?.array
            #expect(list?.compactMap { $0["message"]?.string } == ["Hello", "Yes?"])
            #expect(
                list?.last?["user"]?["user_id"]?.string == "agent_7"
                    && list?.last?["user"]?["role"]?.string == "operator")
        }
    }

    @Test func onlyMembersSend() async throws {
        try await SendbirdScene.run { scene in
            let path = try await scene.channel("ada")
            _ = try await scene.ask("POST", "/v3/users", #"{"user_id":"eve","nickname":"Eve"}"#)
            func code(_ user: String) async throws -> Int64? {
                try await scene.code(
                    "POST", "\(path)/messages", #"{"message_type":"MESG","user_id":"\#(user)","message":"x"}"#)
            }
            #expect(try await code("eve") == 400108)
            #expect(try await code("nobody") == 400301)
            let admin = try await scene.ask("POST", "\(path)/messages", #"{"message_type":"ADMM","message":"Note"}"#)
            #expect(admin["type"]?.string == "ADMM" && admin["user"] == nil)
        }
    }

    @Test func aMessageUnderOneIdIsSentOnce() async throws {
        try await SendbirdScene.run { scene in
            let path = try await scene.channel("ada", "bob")
            let first = try await scene.send("Hello", as: "ada", to: path, #","dedup_id":"x""#)
            #expect(try await scene.send("Hello", as: "ada", to: path, #","dedup_id":"x""#) == first)
            #expect(try await scene.send("Else", as: "ada", to: path, #","dedup_id":"x""#) == first)
            #expect(try await scene.send("Hello", as: "bob", to: path, #","dedup_id":"x""#) != first, "another user's")
            #expect(try await scene.ask("GET", "\(path)/messages/total_count")["total"]?.integer == 2)
        }
    }

    @Test func aReplyBelongsToItsParent() async throws {
        try await SendbirdScene.run { scene in
            let path = try await scene.channel("ada", "bob")
            let parent = try #require(try await scene.send("One", as: "ada", to: path)["message_id"]?.integer)
            let reply = try await scene.send("Two", as: "bob", to: path, #","parent_message_id":\#(parent)"#)
            #expect(reply["parent_message_id"]?.integer == parent && reply["is_reply_to_channel"]?.bool == false)
            #expect(reply["parent_message_info"]?["message"]?.string == "One")
            _ = try await scene.send(
                "Three", as: "bob", to: path, #","parent_message_id":\#(parent),"reply_to_channel":true"#)
            let info = try await scene.ask("GET", "\(path)/messages/\(parent)")["thread_info"]
            #expect(info?["reply_count"]?.integer == 2 && info?["most_replies"]?.array?.count == 1)
            for (type, texts) in [
                ("", ["One"]), ("&include_reply_type=ONLY_REPLY_TO_CHANNEL", ["One", "Three"]),
                ("&include_reply_type=ALL", ["One", "Two", "Three"]),
            ] {
                let list = try await scene.ask("GET", "\(path)/messages?message_ts=0\(type)")["messages"]?.array
                #expect(list?.compactMap { $0["message"]?.string } == texts, "\(type)")
            }
        }
    }

    @Test func messagesArePagedByTime() async throws {
        try await SendbirdScene.run { scene in
            let path = try await scene.channel("ada")
            var times: [Int64] = []
            for number in 1...5 {
                times.append(try await scene.send("\(number)", as: "ada", to: path)["created_at"]?.integer ?? 0)
            }
            func texts(_ query: String) async throws -> String {
                try await scene.ask("GET", "\(path)/messages?\(query)")["messages"]?.array?.compactMap {
                    $0["message"]?.string
                }.joined() ?? ""
            }
            let third = times[2]
            #expect(try await texts("message_ts=\(third)&prev_limit=1&next_limit=1") == "234")
            #expect(try await texts("message_ts=\(third)&prev_limit=1&next_limit=1&include=false") == "24")
            #expect(try await texts("message_ts=\(third)&prev_limit=0&next_limit=200") == "345")
            #expect(try await texts("message_ts=\(third - 1)&prev_limit=200&next_limit=0") == "12")
            #expect(try await texts("message_ts=\(third)&prev_limit=1&next_limit=1&reverse=true") == "432")
            #expect(try await scene.code("GET", "\(path)/messages") == 400105)
        }
    }

    @Test func aMessageIsChangedAndRemoved() async throws {
        try await SendbirdScene.run { scene in
            let path = try await scene.channel("ada")
            let id = try #require(try await scene.send("One", as: "ada", to: path)["message_id"]?.integer)
            let edited = try await scene.ask(
                "PUT", "\(path)/messages/\(id)", #"{"message_type":"MESG","message":"Two"}"#)
            #expect(edited["message"]?.string == "Two" && edited["updated_at"]?.integer != 0)
            #expect(try await scene.ask("DELETE", "\(path)/messages/\(id)") == .object([]))
            #expect(try await scene.code("GET", "\(path)/messages/\(id)") == 400201)
        }
    }

    @Test func channelsAreListedAndFiltered() async throws {
        try await SendbirdScene.run { scene in
            for number in 1...3 {
                let path = try await scene.channel("ada", url: "chan_\(number)")
                if number < 3 { _ = try await scene.send("x", as: "ada", to: path) }
            }
            _ = try await scene.ask("PUT", "/v3/group_channels/chan_1", #"{"name":"First","custom_type":"t"}"#)
            func urls(_ query: String) async throws -> [String]? {
                try await scene.ask("GET", "/v3/group_channels?\(query)")["channels"]?.array?.compactMap {
                    $0["channel_url"]?.string
                }
            }
            #expect(try await urls("") == ["chan_2", "chan_1"], "empty ones are left out")
            #expect(try await urls("show_empty=true&order=chronological") == ["chan_3", "chan_2", "chan_1"])
            #expect(try await urls("custom_types=t,u") == ["chan_1"])
            #expect(try await urls("name_contains=FIR") == ["chan_1"])
            let page = try await scene.ask("GET", "/v3/group_channels?limit=1")
            let next = try #require(page["next"]?.string)
            #expect(try await urls("limit=1&token=\(next)") == ["chan_1"])
            #expect(try await scene.code("GET", "/v3/group_channels?limit=1&name=x&token=\(next)") == 400109)
            #expect(try await scene.ask("DELETE", "/v3/group_channels/chan_1") == .object([]))
            #expect(try await urls("") == ["chan_2"])
        }
    }

    // MARK: What people may ask of the sandbox

    @Test func aFaultRefusesACall() async throws {
        try await SendbirdScene.run { scene in
            let fault = #"{"kind":"refuse","event":"createUser","errorCode":"500910"}"#
            #expect(try await scene.call("POST", "/v1/sandbox/faults", fault).status == 201)
            let refused = try await scene.call("POST", "/v3/users", #"{"user_id":"a","nickname":"a"}"#)
            #expect(refused.status == 429 && refused.json["code"]?.integer == 500910)
            #expect(try await scene.code("GET", "/v3/users/a") == 400301, "nothing was done")
        }
    }

    @Test func noFrameHasTheToken() async throws {
        try await SendbirdScene.run { scene in
            let token = scene.sandbox.token
            _ = try await scene.call("GET", "/v3/users?api_token=\(token)&%61pi%74oken=\(token)")
            _ = try await scene.call("POST", "/v3/users", #"{"user_id":"a","nickname":"a","Api-Token":"\#(token)"}"#)
            _ = try await scene.call(
                "POST", "/v3/users", #"{"user_id":"b","nickname":"b","api\u002Dt\u006Fken":"\#(token)"}"#)
            let shown = try scene.shownFrames()
            #expect(shown.contains { $0["type"]?.string == "createUser" && $0["kind"]?.string == "answer" })
            for frame in shown {
                #expect(
                    frame["text"]?.string?.contains(token) == false && frame["path"]?.string?.contains(token) != true)
            }
            #expect(shown.contains { $0["path"]?.string == "/v3/users?api_token=...&%61pi%74oken=..." })
            let requests = shown.filter { $0["kind"]?.string == "request" }
            #expect(requests.count { $0["text"]?.string?.contains("...") == true } == 2)
        }
    }

    @Test func anAnswerNamesWhatNobodyKnows() async throws {
        try await SendbirdScene.run { scene in
            _ = try await scene.ask("POST", "/v3/users", #"{"user_id":"a","nickname":"a","nicname":"b"}"#)
            let shown = try scene.shownFrames()
            let answer = shown.first { $0["kind"]?.string == "answer" }
            #expect(answer?["unknown"]?.array?.compactMap(\.string) == ["nicname"])
        }
    }

    @Test func aResetRemovesWhatProgramsHaveMade() async throws {
        try await SendbirdScene.run { scene in
            // Two conversations of people who came by the gateway's own API. A program has to do with the second one.
            let (desk, embedded) = (scene.service.desk, scene.sandbox.channel)
            for (id, customer) in [("own_1", "rest"), ("own_2", "ada")] {
                _ = try await desk.createThread(
                    DeskThreadDraft(id: id, channel: embedded, members: [MemberDraft(id: customer, state: .joined)]),
                    as: nil, receipt: nil)
            }
            _ = try await scene.send("Hello", as: "ada", to: "/v3/group_channels/own_2")
            _ = try await scene.ask("POST", "/v3/group_channels", #"{"user_ids":["rest"],"channel_url":"chan_2"}"#)
            let path = try await scene.channel("bob", "cy", "ada")
            _ = try await scene.send("Hello", as: "ada", to: path)
            let done = try await scene.call("POST", "/v1/sandbox/reset").json
            #expect(done["customers"]?.integer == 2 && done["threads"]?.integer == 2)
            for gone in [path, "/v3/group_channels/chan_2"] { #expect(try await scene.code("GET", gone) == 400201) }
            for user in ["bob", "cy"] { #expect(try await scene.code("GET", "/v3/users/\(user)") == 400301) }
            for kept in ["/v3/group_channels/own_1", "/v3/group_channels/own_2", "/v3/users/rest", "/v3/users/ada"] {
                _ = try await scene.ask("GET", kept)
            }
            _ = try await scene.channel("bob", "cy")
        }
    }

    @Test func theApplicationIsAlwaysTheSame() async throws {
        try await SendbirdScene.run { scene in
            let sandbox = scene.sandbox
            let again = StableIDs(seed: sandbox.store.instance).uuid("sendbird\n\(sandbox.channel)")
            #expect(again.uppercased() == sandbox.applicationID && sandbox.applicationID.count == 36)
            let tokens = [7, 7, 8].map { (key: UInt8) in
                SendbirdSandbox.token(of: sandbox.channel, key: Array(repeating: key, count: 32))
            }
            #expect(tokens[0] == tokens[1] && tokens[1] != tokens[2] && tokens.allSatisfy { $0.count == 40 })
            for token in tokens + ["fixed-by_CI-0123456789"] { #expect(SendbirdSandbox.isToken(token)) }
            for token in ["short", String(repeating: "x", count: 129), "with a space 0123456789", "0123456789abcdé/"] {
                #expect(!SendbirdSandbox.isToken(token))
            }
        }
    }
}
