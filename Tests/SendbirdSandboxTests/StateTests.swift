import Chat
import ChatModel
import ChatStore
import Formats
import LocalService
@testable import SendbirdSandbox
import TestSupport
import Testing

/// What the embedded service does not know, and the sandbox keeps beside its rows.
@Suite struct StateTests {
    @Test(arguments: ["users/ada", "group_channels/chan_1"]) func metadataIsKept(owner: String) async throws {
        try await SendbirdScene.run { scene in
            _ = try await scene.channel("ada")
            let path = "/v3/\(owner)/metadata"
            #expect(try await scene.ask("GET", path) == .object([]))
            _ = try await scene.ask("POST", path, #"{"metadata":{"tier":"gold","a b":"é"}}"#)
            #expect(try await scene.ask("GET", "\(path)/a%20b")["a b"]?.string == "é")
            let changed = try await scene.ask("PUT", path, #"{"metadata":{"tier":"tin","new":"x"}}"#)
            #expect(changed["tier"]?.string == "tin" && changed["new"] == nil)
            #expect(try await scene.ask("PUT", path, #"{"metadata":{"new":"x"},"upsert":true}"#)["new"]?.string == "x")
            #expect(try await scene.code("PUT", "\(path)/none", #"{"value":"x"}"#) == 400201)
            #expect(try await scene.ask("PUT", "\(path)/none", #"{"value":"x","upsert":true}"#)["none"]?.string == "x")
            #expect(try await scene.ask("GET", "\(path)?keys=new,x")["new"]?.string == "x")
            #expect(try await scene.code("POST", path, #"{"metadata":{"5":"","6":""}}"#) == 400203)
            #expect(try await scene.ask("GET", path)["5"] == nil, "all or nothing")
            #expect(try await scene.ask("DELETE", "\(path)/none") == .object([]))
            #expect(try await scene.code("DELETE", "\(path)/none") == 400201)
            #expect(try await scene.ask("DELETE", path) == .object([]))
            #expect(try await scene.ask("GET", path) == .object([]))
        }
    }

    @Test func aUserKeepsWhatWasWritten() async throws {
        try await SendbirdScene.run { scene in
            let made = try await scene.ask(
                "POST", "/v3/users",
                #"{"user_id":"a","nickname":"A","metadata":{"k":"v"},"discovery_keys":["d"],"issue_access_token":true}"#
            )
            #expect(made["metadata"]?["k"]?.string == "v" && made["access_token"]?.string?.utf8.count == 40)
            _ = try await scene.ask("PUT", "/v3/users/a", #"{"preferred_languages":["de"]}"#)
            let read = try await scene.ask("GET", "/v3/users/a?include_unread_count=true")
            #expect(read["discovery_keys"]?.array?.first?.string == "d")
            #expect(read["preferred_languages"]?.array?.first?.string == "de")
            #expect(read["unread_message_count"]?.integer == 0)
            #expect(try await scene.ask("POST", "/v3/users/a/token", "{}")["token"] == made["access_token"])
            #expect(
                try await scene.ask("GET", "/v3/users?metadatakey=k&metadatavalues_in=v,w")["users"]?.array?.count == 1)
            #expect(
                try await scene.ask("GET", "/v3/users?metadatakey=k&metadatavalues_in=w")["users"]?.array?.count == 0)
        }
    }

    @Test func aDeactivatedUserDoesNothing() async throws {
        try await SendbirdScene.run { scene in
            let path = try await scene.channel("ada", "bob")
            _ = try await scene.ask("PUT", "/v3/users/ada", #"{"is_active":false,"leave_all_when_deactivated":false}"#)
            let message = #"{"message_type":"MESG","user_id":"ada","message":"x"}"#
            #expect(try await scene.code("POST", "\(path)/messages", message) == 400300)
            #expect(try await scene.ask("GET", "/v3/users?active_mode=deactivated")["users"]?.array?.count == 1)
            #expect(try await scene.ask("GET", "/v3/users")["users"]?.array?.count == 1)
            _ = try await scene.ask("PUT", "/v3/users/ada", #"{"is_active":true}"#)
            _ = try await scene.ask("POST", "\(path)/messages", message)
            _ = try await scene.ask("PUT", "/v3/users/ada", #"{"is_active":false}"#)
            #expect(try await scene.ask("GET", "\(path)/members/ada")["is_member"]?.bool == false)
        }
    }

    @Test func aDeletedUserIsGoneAndMayComeAgain() async throws {
        try await SendbirdScene.run { scene in
            let path = try await scene.channel("ada", "bob")
            _ = try await scene.send("Hello", as: "ada", to: path)
            #expect(try await scene.ask("DELETE", "/v3/users/ada") == .object([]))
            #expect(try await scene.code("GET", "/v3/users/ada") == 400301)
            #expect(try await scene.ask("GET", "\(path)/messages/total_count")["total"]?.integer == 1)
            let again = try await scene.ask("POST", "/v3/users", #"{"user_id":"ada","nickname":"New"}"#)
            #expect(again["nickname"]?.string == "New")
        }
    }

    @Test func aChannelKeepsWhatWasWritten() async throws {
        try await SendbirdScene.run { scene in
            _ = try await scene.channel("ada", "bob", url: "other")
            let made = try await scene.ask(
                "POST", "/v3/group_channels",
                #"""
                {"users":[{"user_id":"ada"}],"channel_url":"chan_1","data":"{\"a\":1}","cover_url":"https:\/\/p\/c.png",
                "operators":[{"user_id":"ada"}],"inviter_id":"bob","is_public":true}
                """#)
            #expect(made["operators"]?.array?.first?["nickname"]?.string == "N ada")
            #expect(made["inviter"]?["user_id"]?.string == "bob")
            let read = try await scene.ask("GET", "/v3/group_channels/chan_1?user_id=ada&show_member=1")
            #expect(read["data"]?.string == #"{"a":1}"# && read["cover_url"]?.string == "https://p/c.png")
            #expect(
                read["my_role"]?.string == "operator" && read["members"]?.array?.first?["role"]?.string == "operator")
            let path = "/v3/group_channels/chan_1"
            #expect(try await scene.ask("PUT", path, #"{"data":"x","name":"N"}"#)["data"]?.string == "x")
            #expect(try await scene.ask("GET", path)["cover_url"] == read["cover_url"])
            #expect(
                try await scene.ask("PUT", "\(path)/join", #"{"user_id":"bob"}"#)["member_state"]?.string == "joined")
            #expect(try await scene.code("PUT", "/v3/group_channels/other/join", #"{"user_id":"bob"}"#) == 400108)
            _ = try await scene.ask("POST", "\(path)/operators", #"{"operator_ids":["bob","ada"]}"#)
            let operators = try await scene.ask("GET", "\(path)/operators")["operators"]?.array
            #expect(operators?.compactMap { $0["user_id"]?.string } == ["ada", "bob"])
            _ = try await scene.ask("DELETE", "\(path)/operators?operator_ids=ada")
            #expect(try await scene.ask("GET", "\(path)/operators")["operators"]?.array?.count == 1)
            #expect(try await scene.code("DELETE", "\(path)/operators") == 400105)
        }
    }

    @Test func onlyOperatorsWriteInAFrozenChannel() async throws {
        try await SendbirdScene.run { scene in
            let path = try await scene.channel("ada", "bob")
            _ = try await scene.ask("POST", "\(path)/operators", #"{"operator_ids":["bob"]}"#)
            #expect(try await scene.ask("PUT", "\(path)/freeze", #"{"freeze":true}"#)["freeze"]?.bool == true)
            let message = #"{"message_type":"MESG","user_id":"ada","message":"x"}"#
            #expect(try await scene.code("POST", "\(path)/messages", message) == 400108)
            let sent = try await scene.send("x", as: "bob", to: path)
            #expect(sent["user"]?["role"]?.string == "operator" && sent["is_op_msg"]?.bool == true)
            _ = try await scene.ask("PUT", "\(path)/freeze", #"{"freeze":false}"#)
            _ = try await scene.ask("POST", "\(path)/messages", message)
        }
    }

    @Test func aMessageKeepsWhatWasWritten() async throws {
        try await SendbirdScene.run { scene in
            let path = try await scene.channel("ada", "bob")
            let more = #"""
                ,"data":"d","mentioned_user_ids":["bob","nobody"],"mention_type":"users","dedup_id":"1",
                "sorted_metaarray":[{"key":"k","value":["1","2"]}]
                """#
            let sent = try await scene.send("Hello", as: "ada", to: path, more)
            let id = try #require(sent["message_id"]?.integer)
            #expect(sent["data"]?.string == "d")
            #expect(sent["mentioned_users"]?.array?.map { $0["nickname"]?.string } == ["N bob", ""])
            #expect(sent["sorted_metaarray"]?.array?.first?["value"]?.array?.count == 2)
            #expect(try await scene.send("Hello", as: "ada", to: path, #","dedup_id":"1""#) == sent)
            #expect(try await scene.ask("GET", "\(path)/messages/\(id)") == sent)
            let extras = "\(path)/messages/\(id)/sorted_metaarray"
            func items(_ method: String, _ body: String, _ query: String = "") async throws -> String {
                let answer = try await scene.ask(method, extras + query, body)["sorted_metaarray"]?.array ?? []
                return answer.map { item in
                    (item["key"]?.string ?? "") + (item["value"]?.array?.compactMap(\.string).joined() ?? "")
                }.joined(separator: " ")
            }
            #expect(try await items("POST", #"{"sorted_metaarray":[{"key":"j","value":["a"]}]}"#) == "k12 ja")
            #expect(
                try await items("PUT", #"{"sorted_metaarray":[{"key":"k","value":["2"]}],"mode":"remove"}"#) == "k1 ja")
            #expect(
                try await items("PUT", #"{"sorted_metaarray":[{"key":"j","value":["b"]}],"mode":"add"}"#) == "k1 jab")
            #expect(try await items("DELETE", "", "?keys=k") == "jab")
            let edited = try await scene.ask("PUT", "\(path)/messages/\(id)", #"{"message_type":"MESG","data":"e"}"#)
            #expect(edited["data"]?.string == "e" && edited["message"]?.string == "Hello")
        }
    }

    @Test func aFileIsSentAndFetched() async throws {
        try await SendbirdScene.run { scene in
            let path = try await scene.channel("ada", "bob")
            let form = """
                --b\r\nContent-Disposition: form-data; name="message_type"\r\n\r\nFILE\r
                --b\r\nContent-Disposition: form-data; name="user_id"\r\n\r\nada\r
                --b\r\nContent-Disposition: form-data; name="data"\r\n\r\nd\r
                --b\r\nContent-Disposition: form-data; name="file"; filename="../a b.txt"\r
                Content-Type: text/plain\r\n\r\nfour\r\n--b--\r\n
                """
            let type = "multipart/form-data; boundary=b"
            let sent = try await scene.call("POST", "\(path)/messages", form, type: type).json
            #expect(sent["type"]?.string == "FILE" && sent["message"]?.string == "" && sent["data"]?.string == "d")
            let file = sent["file"]
            #expect(file?["name"]?.string == "a b.txt" && file?["size"]?.integer == 4)
            let url = try #require(file?["url"]?.string)
            #expect(url.hasPrefix("http://localhost:8787/v3/files/") && url.hasSuffix("/a%20b.txt"))
            let target = String(url.dropFirst("http://localhost:8787".count))
            #expect(try await scene.answer("GET", target, token: .some(nil)).status == 200)
            #expect(try await scene.code("GET", "\(path)/messages?message_type=FILE&message_ts=x") == 400101)
            #expect(
                try await scene.ask("GET", "\(path)/messages?message_type=FILE&message_ts=0")["messages"]?.array?.count
                    == 1)
            for broken in [
                form.replacing("--b--", with: ""), "x", form.replacing("name=\"file\"", with: "name=\"other\""),
            ] {
                let answer = try await scene.call("POST", "\(path)/messages", broken, type: type)
                #expect(answer.status == 400 && answer.json["error"]?.bool == true)
            }
            let linked = try await scene.ask(
                "POST", "\(path)/messages",
                #"{"message_type":"FILE","user_id":"ada","url":"https:\/\/x\/y.png","file_name":"y.png","file_size":7}"#
            )
            #expect(linked["type"]?.string == "FILE" && linked["file"]?["url"]?.string == "https://x/y.png")
        }
    }
}
