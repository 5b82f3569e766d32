import Chat
import ChatModel
import Formats
@testable import SendbirdSandbox
import TestSupport
import Testing

/// Messages that are removed, and what stays of them.
@Suite struct RemovalTests {
    /// The replies stay, and so does their thread.
    @Test func aMessageWithRepliesIsRemoved() async throws {
        try await SendbirdScene.run { scene in
            let path = try await scene.channel("ada", "bob")
            let parent = try await scene.send("One", as: "ada", to: path)["message_id"]?.integer ?? 0
            let more = #","parent_message_id":\#(parent)"#
            let reply = try await scene.send("Two", as: "bob", to: path, more)["message_id"]?.integer ?? 0
            _ = try await scene.ask("DELETE", "\(path)/messages/\(parent)")
            #expect(try await scene.code("DELETE", "\(path)/messages/\(parent)") == 400201)
            #expect(
                try await scene.code("PUT", "\(path)/messages/\(parent)", #"{"message_type":"MESG","data":"d"}"#)
                    == 400201)
            #expect(try await scene.code("GET", "\(path)/messages/\(parent)") == 400201)
            let list = "\(path)/messages?message_ts=0&next_limit=100&include_reply_type=ALL"
            #expect(try await scene.ask("GET", "\(path)/messages/total_count")["total"]?.integer == 1)
            let left = try await scene.ask("GET", list)["messages"]?.array ?? []
            #expect(left.map { $0["message_id"]?.integer } == [reply])
            #expect(left.first?["parent_message_id"]?.integer == parent)
            #expect(try await scene.ask("GET", "\(path)/messages/\(reply)")["message"]?.string == "Two")
            let all = try await scene.ask("GET", "\(list)&including_removed=true")["messages"]?.array ?? []
            #expect(Set(all.compactMap { $0["message_id"]?.integer }) == [parent, reply])
            #expect(!all.contains { $0["message"]?.string == "One" }, "The text is gone.")
            #expect(try await scene.code("POST", "\(path)/messages", Self.reply(to: parent)) == 400201)
            _ = try await scene.ask("DELETE", "\(path)/messages/\(reply)")
            #expect(try await scene.ask("GET", list)["messages"]?.array == [])
        }
    }

    /// Whoever had not read it has one less to read, also where it stays for its replies.
    @Test(arguments: [false, true]) func aRemovedMessageIsNotUnread(hasReply: Bool) async throws {
        try await SendbirdScene.run { scene in
            let path = try await scene.channel("ada", "bob", "cy")
            func unread() async throws -> [Int64?] {
                let counts = try await scene.ask("GET", "\(path)/messages/unread_count")["unread"]
                return ["ada", "bob", "cy"].map { counts?[$0]?.integer }
            }
            let first = try await scene.send("One", as: "ada", to: path)["message_id"]?.integer ?? 0
            _ = try await scene.ask("PUT", "\(path)/messages/mark_as_read", #"{"user_id":"cy"}"#)
            _ = try await scene.send("Two", as: "ada", to: path)
            #expect(try await unread() == [0, 2, 1])
            var reply: Int64 = 0
            if hasReply {
                let more = #","parent_message_id":\#(first),"mark_as_read":false"#
                reply = try await scene.send("Three", as: "cy", to: path, more)["message_id"]?.integer ?? 0
            }
            _ = try await scene.ask("DELETE", "\(path)/messages/\(first)")
            #expect(try await unread() == [0, 1, 1], "who has read it has as many as before")
            guard hasReply else { return }
            _ = try await scene.ask("DELETE", "\(path)/messages/\(reply)")
            #expect(try await unread() == [0, 1, 1])
            let empty = try await scene.deskMessages(of: "chan_1").first { $0["text"]?.string == "" }
            try await scene.service.desk.remove(
                try #require(empty?["id"]?.string), in: DeskThread(id: "chan_1", channel: scene.sandbox.channel),
                ifMatch: nil, as: nil)
            #expect(try await unread() == [0, 1, 1], "it is taken off once")
        }
    }

    private static func reply(to parent: Int64) -> String {
        #"{"message_type":"MESG","user_id":"bob","message":"x","parent_message_id":\#(parent)}"#
    }

    /// What is not served is said, and nothing is done.
    @Test func aSilentMessageIsRefused() async throws {
        try await SendbirdScene.run { scene in
            let path = try await scene.channel("ada")
            let message = #"{"message_type":"MESG","user_id":"ada","message":"x","is_silent":"#
            #expect(try await scene.code("POST", "\(path)/messages", message + "true}") == 400930)
            #expect(try await scene.ask("GET", "\(path)/messages/total_count")["total"]?.integer == 0)
            _ = try await scene.ask("POST", "\(path)/messages", message + "false}")
        }
    }

    /// An edit that changes the type alone is told, and keeps the text.
    @Test func aMessagesTypeIsChanged() async throws {
        try await SendbirdScene.run { scene in
            let path = try await scene.channel("ada")
            let id = try await scene.send("One", as: "ada", to: path)["message_id"]?.integer ?? 0
            let changed = try await scene.ask(
                "PUT", "\(path)/messages/\(id)", #"{"message_type":"MESG","custom_type":"t"}"#)
            #expect(changed["custom_type"]?.string == "t" && changed["message"]?.string == "One")
            #expect(try await scene.ask("GET", "\(path)/messages/\(id)")["custom_type"]?.string == "t")
        }
    }

    /// A path with a slash at its end is another one.
    @Test(arguments: ["/v3/group_channels/chan_1/", "/v3/bots/", "/v3/group_channels/chan_1/messages/"])
    func aSlashAtTheEndIsNoPath(_ path: String) async throws {
        try await SendbirdScene.run { scene in
            _ = try await scene.channel("ada")
            #expect(try await scene.code("GET", path) == 400930)
        }
    }
}
