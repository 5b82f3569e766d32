import Chat
import ChatModel
import ChatStore
import Formats
import LocalService
@testable import SendbirdSandbox
import TestSupport
import Testing

/// What is told by webhooks: for each deed its categories, in order. How they go out is the deliveries'.
@Suite struct WebhookTests {
    private static let path = "/v3/applications/settings/webhook"

    private func run(
        _ settings: String = #"{"enabled":true,"url":"http://127.0.0.1:9/"}"#,
        _ body: (SendbirdScene, Told) async throws -> Void
    ) async throws {
        try await SendbirdScene.run { scene in
            _ = try await scene.ask("PUT", Self.path, settings)
            try await body(scene, Told(scene))
        }
    }

    /// Reads what was told since the last time.
    private final class Told {
        private let scene: SendbirdScene
        private var offset: Int64

        init(_ scene: SendbirdScene) { (self.scene, offset) = (scene, scene.sandbox.store.feed.head) }

        func bodies() async throws -> [JSONValue] {
            let replay = try await scene.sandbox.store.replay([.everyone], after: offset, limit: 1 << 22)
            offset = replay.through
            return try replay.events.filter { $0.type == .callback }.map { event in
                let callback = try CallbackEvent(canonicalJSON: event.data)
                let json = try JSONParser.parse(callback.body)
                #expect(json["category"]?.string == callback.category && event.threadID == callback.threadID)
                #expect(json["app_id"]?.string == scene.sandbox.applicationID)
                #expect(event.audiences.count == 1 && event.audiences != [.desk])
                return json
            }
        }

        /// The categories without their common beginning.
        func names() async throws -> [String] {
            try await bodies().map { String(($0["category"]?.string ?? "").dropFirst("group_channel:".count)) }
        }
    }

    @Test func eachDeedHasItsCategories() async throws {
        try await run { scene, told in
            let path = try await scene.channel("ada", "bob")
            #expect(try await told.names() == ["create", "join"])
            _ = try await scene.send("1", as: "ada", to: path)
            #expect(try await told.names() == ["message_send"])
            let two = try await scene.send("2", as: "ada", to: path)["message_id"]?.integer ?? 0
            #expect(try await told.names() == ["message_send"])
            _ = try await scene.ask("PUT", "\(path)/messages/mark_as_read", #"{"user_id":"bob"}"#)
            #expect(try await told.names() == ["message_read"])
            _ = try await scene.ask("PUT", "\(path)/messages/mark_as_read", #"{"user_id":"bob"}"#)
            #expect(try await told.names() == [], "Nothing was unread.")
            _ = try await scene.ask("PUT", "\(path)/messages/\(two)", #"{"message_type":"MESG","message":"2b"}"#)
            #expect(try await told.names() == ["message_update"])
            _ = try await scene.ask("PUT", "\(path)/messages/\(two)", #"{"message_type":"MESG","data":"d"}"#)
            #expect(try await told.names() == ["message_update"])
            _ = try await scene.ask("DELETE", "\(path)/messages/\(two)")
            #expect(try await told.names() == ["message_delete"])
            let parent = try await scene.send("3", as: "ada", to: path)["message_id"]?.integer ?? 0
            _ = try await scene.send("4", as: "ada", to: path, #","parent_message_id":\#(parent)"#)
            _ = try await told.names()
            let both = #"{"message_type":"MESG","message":"3b","custom_type":"t"}"#
            _ = try await scene.ask("PUT", "\(path)/messages/\(parent)", both)
            #expect(try await told.names() == ["message_update"])
            _ = try await scene.ask("PUT", "\(path)/messages/\(parent)", both)
            #expect(try await told.names() == [], "It is the same.")
            _ = try await scene.ask("DELETE", "\(path)/messages/\(parent)")
            #expect(try await told.names() == ["message_delete"], "It has replies, and goes all the same.")
            _ = try await scene.ask("PUT", path, #"{"name":"n","custom_type":"t"}"#)
            #expect(try await told.names() == ["changed"])
            _ = try await scene.ask("PUT", path, #"{"data":"d","cover_url":"http://c"}"#)
            #expect(try await told.names() == ["changed"])
            _ = try await scene.ask("PUT", path, #"{"data":"d"}"#)
            #expect(try await told.names() == [], "Nothing is another.")
            for freeze in [true, false] {
                _ = try await scene.ask("PUT", "\(path)/freeze", #"{"freeze":\#(freeze)}"#)
                #expect(try await told.bodies().map { $0["freeze"]?.bool } == [freeze])
            }
            _ = try await scene.ask("PUT", "\(path)/leave", #"{"user_ids":["bob"]}"#)
            #expect(try await told.names() == ["leave"])
            _ = try await scene.ask("POST", "\(path)/invite", #"{"user_ids":["bob"],"inviter_id":"ada"}"#)
            #expect(try await told.names() == ["invite", "join"])
            _ = try await scene.ask("DELETE", path)
            #expect(try await told.names() == ["remove"])
        }
    }

    @Test func whoIsAskedIsInvitedAndJoinsOrDeclines() async throws {
        try await run { scene, told in
            let path = try await scene.channel("ada")
            for user in ["bob", "cy"] {
                _ = try await scene.ask("POST", "/v3/users", #"{"user_id":"\#(user)","nickname":"","profile_url":""}"#)
                _ = try await scene.ask(
                    "PUT", "/v3/users/\(user)/channel_invitation_preference", #"{"auto_accept":false}"#)
            }
            _ = try await told.names()
            _ = try await scene.ask("POST", "\(path)/invite", #"{"user_ids":["bob","cy"],"inviter_id":"ada"}"#)
            let invited = try await told.bodies()
            #expect(invited.map { $0["category"]?.string } == ["group_channel:invite"])
            #expect(invited.first?["inviter"]?["user_id"]?.string == "ada")
            #expect(invited.first?["invitees"]?.array?.compactMap { $0["user_id"]?.string } == ["bob", "cy"])
            _ = try await scene.ask("PUT", "\(path)/accept", #"{"user_id":"bob"}"#)
            _ = try await scene.ask("PUT", "\(path)/decline", #"{"user_id":"cy"}"#)
            #expect(try await told.names() == ["join", "decline_invite"])
            _ = try await scene.ask("PUT", path, #"{"is_public":true}"#)
            _ = try await scene.ask("PUT", "\(path)/join", #"{"user_id":"cy"}"#)
            #expect(try await told.names() == ["join"], "Who comes by themselves was not invited.")
        }
    }

    /// What a program says beside the deed is there in the same unit.
    @Test func theFirstTellingIsWhole() async throws {
        try await run { scene, told in
            for user in ["ada", "bob"] {
                _ = try await scene.ask("POST", "/v3/users", #"{"user_id":"\#(user)","nickname":"N","profile_url":""}"#)
            }
            _ = try await scene.ask(
                "POST", "/v3/group_channels",
                #"{"user_ids":["ada","bob"],"channel_url":"chan_1","name":"n","custom_type":"t","data":"d","is_public":true,"inviter_id":"bob"}"#
            )
            let create = try await told.bodies()[0]
            #expect(create["channel"]?["data"]?.string == "d" && create["channel"]?["is_public"]?.bool == true)
            #expect(create["channel"]?["custom_type"]?.string == "t" && create["inviter"]?["user_id"]?.string == "bob")
            let path = "/v3/group_channels/chan_1"
            let parent = try await scene.send("1", as: "ada", to: path)["message_id"]?.integer ?? 0
            _ = try await told.bodies()
            let sent = try await scene.send(
                "1/2", as: "bob", to: path,
                #","data":"x","custom_type":"c","mentioned_user_ids":["ada"],"parent_message_id":\#(parent),"mark_as_read":false"#
            )
            let told = try await told.bodies()
            #expect(told.count == 1 && told[0]["sender"]?["user_id"]?.string == "bob")
            let payload = told[0]["payload"]
            #expect(payload?["message_id"]?.integer == sent["message_id"]?.integer)
            #expect(payload?["message"]?.string == "1/2" && payload?["data"]?.string == "x")
            #expect(told[0]["custom_type"]?.string == "c" && told[0]["parent_message_id"]?.integer == parent)
            #expect(told[0]["mentioned_users"]?.array?.first?["user_id"]?.string == "ada")
        }
    }

    /// A customer of the gateway, and an agent at the desk: a program hears of them as well.
    @Test func whatOthersDoIsTold() async throws {
        try await run { scene, told in
            let path = try await scene.channel("ada", "bob")
            _ = try await told.names()
            let desk = scene.service.desk, thread = DeskThread(id: "chan_1", channel: scene.sandbox.channel)
            let answer = try await desk.send(
                MessageDraft(text: "from the desk"), as: Agent(id: "jo", name: "Jo"), to: thread, under: AnswerTerms(),
                receipt: nil)
            let told1 = try await told.bodies()
            #expect(told1.map { $0["category"]?.string } == ["group_channel:message_send"])
            #expect(told1.first?["sender"]?["user_id"]?.string == "agent_jo")
            try await desk.remove(answer.id, in: thread, ifMatch: nil, as: Agent(id: "jo", name: "Jo"))
            let told2 = try await told.bodies()
            #expect(told2.map { $0["category"]?.string } == ["group_channel:message_delete"])
            #expect(told2.first?["payload"]?["message_id"] == told1.first?["payload"]?["message_id"])
            #expect(told2.first?["payload"]?["message"]?.string == "")
            let removed = try await scene.ask(
                "GET", "\(path)/messages?message_ts=0&next_limit=100&including_removed=true")["messages"]?.array
            #expect(removed?.count == 1 && removed?.first?["is_removed"]?.bool == true)
        }
    }

    /// A reply that is not in the channel counts for nobody as unread.
    @Test func whoReadsWhatDidNotCountIsNotTold() async throws {
        try await run { scene, told in
            let path = try await scene.channel("ada", "bob")
            _ = try await scene.send("1", as: "ada", to: path)
            let desk = scene.service.desk, thread = DeskThread(id: "chan_1", channel: scene.sandbox.channel)
            let agent = Agent(id: "jo", name: "Jo")
            let parent = try await desk.send(
                MessageDraft(text: "2"), as: agent, to: thread, under: AnswerTerms(), receipt: nil)
            _ = try await scene.ask("PUT", "\(path)/messages/mark_as_read", #"{"user_id":"bob"}"#)
            _ = try await told.names()
            _ = try await desk.send(
                MessageDraft(text: "aside", parentID: parent.id, alsoInThread: false), as: agent, to: thread,
                under: AnswerTerms(), receipt: nil)
            #expect(try await told.names() == ["message_send"])
            _ = try await scene.ask("PUT", "\(path)/messages/mark_as_read", #"{"user_id":"bob"}"#)
            #expect(try await told.names() == [], "Nothing was unread.")
        }
    }

    @Test func membersAreToldWhereTheyAreAskedFor() async throws {
        try await run(
            #"{"enabled":true,"url":"http://127.0.0.1:9/","include_members":true,"enabled_events":["group_channel:message_send"]}"#
        ) {
            scene, told in
            let path = try await scene.channel("ada", "bob")
            _ = try await scene.send("1", as: "ada", to: path)
            let bodies = try await told.bodies()
            #expect(bodies.map { $0["category"]?.string } == ["group_channel:message_send"], "Nothing else is wanted.")
            let members = bodies.first?["members"]?.array ?? []
            #expect(members.map { $0["user_id"]?.string } == ["ada", "bob"])
            #expect(members.map { $0["channel_unread_message_count"]?.integer } == [0, 1])
        }
    }

    @Test func theSettingsAreKept() async throws {
        try await SendbirdScene.run { scene in
            #expect(try await scene.ask("GET", Self.path)["webhook"]?["enabled"]?.bool == false)
            #expect(try await scene.code("PUT", Self.path, #"{"enabled":true}"#) == 400105)
            #expect(try await scene.code("PUT", Self.path, #"{"url":"http://a"}"#) == 400105)
            #expect(try await scene.code("PUT", Self.path, #"{"enabled":1.5,"url":"http://a"}"#) == 400104)
            let long = String(repeating: "a", count: 2049)
            #expect(try await scene.code("PUT", Self.path, #"{"enabled":true,"url":"\#(long)"}"#) == 400110)
            let many = Array(repeating: "\"x\"", count: 101).joined(separator: ",")
            #expect(
                try await scene.code(
                    "PUT", Self.path, #"{"enabled":true,"url":"http://a","enabled_events":[\#(many)]}"#)
                    == 400203)
            #expect(try await scene.code("PUT", Self.path, #"{"enabled":true,"url":"http://refused/"}"#) == 400114)
            let set = try await scene.ask(
                "PUT", Self.path, #"{"enabled":true,"url":"http://a/b","include_members":true}"#)
            #expect(
                set["webhook"]?["url"]?.string == "http://a/b"
                    && set["webhook"]?["enabled_events"] == .array([.string("*")]))
            _ = try await scene.ask("PUT", Self.path, #"{"enabled":false,"url":"http://a/b","enabled_events":[]}"#)
            let all = try await scene.ask("GET", "\(Self.path)?display_all_webhook_categories=True")["webhook"]
            #expect(all?["enabled"]?.bool == false && all?["include_members"]?.bool == true)
            #expect(all?["enabled_events"] == .array([]) && all?["all_webhook_categories"]?.array?.count == 14)
            let told = Told(scene)
            _ = try await scene.channel("ada")
            #expect(try await told.names() == [], "It is not enabled.")
            _ = try await scene.sandbox.reset()
            #expect(try await scene.ask("GET", Self.path)["webhook"]?["url"]?.string == "")
        }
    }
}
