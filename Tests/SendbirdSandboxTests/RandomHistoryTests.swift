import Foundation
import ChatStore
import Formats
import LocalService
import TestSupport
import Testing

/// Random deeds of programs. After each, the sandbox shows what a model of the platform's description shows.
@Suite struct RandomHistoryTests {
    @Test(arguments: [1, 2] as [UInt64]) func theSandboxShowsWhatTheModelShows(seed: UInt64) async throws {
        try await withFolder { folder in
            let history = RandomHistory(seed: seed)
            let environment = TestEnvironment()
            // One whole history, and a shorter one: each comparison reads everything.
            let deeds = TestDatabases.isPostgres || seed > 1 ? 40 : 125
            // With restarts in between.
            for _ in 0..<4 {
                let store = try openStore(folder: folder, environment: environment.environment)
                do {
                    try await SendbirdScene.run(on: store, environment) { scene in
                        try await history.compare(with: scene)
                        for _ in 0..<deeds {
                            try await history.doSomething(at: scene)
                            try await history.compare(with: scene)
                        }
                        try await history.compareDesk(with: scene)
                    }
                    await store.close()
                } catch {
                    await store.close()
                    throw error
                }
            }
            #expect(history.counts.count >= 10 && history.refusals > 0, "\(history.counts)")
        }
    }
}

/// Deeds that a seed chooses, done to a sandbox and to a model of it.
private final class RandomHistory {
    private var random: SeededGenerator
    private var model = HistoryModel()
    /// How often each sort of deed was done.
    private(set) var counts: [String: Int] = [:]
    private(set) var refusals = 0
    private var number = 0

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    private func user() -> String? { model.nicknames.keys.sorted().randomElement(using: &random) }
    private func url() -> String? { model.channels.keys.sorted().randomElement(using: &random) }
    private func chance(_ one: Int, in all: Int) -> Bool { Int.random(in: 0..<all, using: &random) < one }

    private func next() -> Int {
        number += 1
        return number
    }

    func doSomething(at scene: SendbirdScene) async throws {
        guard let user = user(), let url = url() else {
            if model.nicknames.count < 2 { return try await makeUser(at: scene) }
            return try await makeChannel(at: scene)
        }
        let path = "/v3/group_channels/\(url)"
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<4 where model.nicknames.count < 8: try await makeUser(at: scene)
        case 0..<4: try await rename(user, at: scene)
        case 4..<8 where model.channels.count < 5: try await makeChannel(at: scene)
        case 8..<9:
            count("remove channel")
            _ = try await scene.ask("DELETE", path)
            model.channels[url] = nil
        case 9..<16:
            count("invite")
            _ = try await scene.ask("POST", "\(path)/invite", #"{"user_ids":["\#(user)"]}"#)
            model.join(user, url)
        case 16..<20:
            count("leave")
            _ = try await scene.ask("PUT", "\(path)/leave", #"{"user_ids":["\#(user)"]}"#)
            model.leave(user, url)
        case 20..<30 where model.channels[url]?.messages.isEmpty == false: try await reply(in: url, as: user, at: scene)
        case 30..<36:
            if let message = model.channels[url]?.messages.randomElement(using: &random) {
                try await change(message, in: url, at: scene)
            }
        case 36..<42:
            if let message = model.channels[url]?.messages.randomElement(using: &random) {
                count("delete")
                _ = try await scene.ask("DELETE", "\(path)/messages/\(message.id)")
                model.remove(message.id, from: url)
            }
        case 42..<52:
            try await asMember(user, url, "read", "PUT", "\(path)/messages/mark_as_read", scene)
            model.read(user, url)
        case 52..<58:
            let isSteady = chance(1, in: 2)
            let more = #","allow_auto_unhide":\#(!isSteady)"#
            try await asMember(user, url, "hide", "PUT", "\(path)/hide", scene, more)
            model.hide(user, url, isSteady ? .steady : .untilMessage)
        case 58..<62:
            if model.channels[url]?.members[user] != nil {
                count("unhide")
                _ = try await scene.ask("DELETE", "\(path)/hide?user_id=\(user)")
                model.hide(user, url, .none)
            }
        case 62..<64:
            count("read all")
            _ = try await scene.ask("PUT", "/v3/users/\(user)/mark_as_read_all", "{}")
            for url in model.channels.keys { model.read(user, url) }
        case 64..<68: try await send(HistoryModel.Message(id: 0, text: "note \(next())"), to: url, at: scene)
        case 68..<70:
            count("rename channel")
            let name = "channel \(next())"
            _ = try await scene.ask("PUT", path, #"{"name":"\#(name)"}"#)
            model.channels[url]?.name = name
        default: try await send(HistoryModel.Message(id: 0, sender: user, text: "text \(next())"), to: url, at: scene)
        }
    }

    private func count(_ deed: String) { counts[deed, default: 0] += 1 }

    private func makeUser(at scene: SendbirdScene) async throws {
        count("user")
        let id = "user-\(next())"
        model.nicknames[id] = "N \(id)"
        _ = try await scene.ask("POST", "/v3/users", #"{"user_id":"\#(id)","nickname":"N \#(id)"}"#)
    }

    private func rename(_ user: String, at scene: SendbirdScene) async throws {
        count("rename")
        let name = "N \(next())"
        model.nicknames[user] = name
        _ = try await scene.ask("PUT", "/v3/users/\(user)", #"{"nickname":"\#(name)"}"#)
    }

    private func makeChannel(at scene: SendbirdScene) async throws {
        count("channel")
        let url = "channel_\(next())"
        var members = model.nicknames.keys.sorted().filter { _ in chance(1, in: 2) }
        if members.isEmpty { members = [try #require(user())] }
        let ids = members.map { "\"\($0)\"" }.joined(separator: ",")
        _ = try await scene.ask("POST", "/v3/group_channels", #"{"user_ids":[\#(ids)],"channel_url":"\#(url)"}"#)
        model.channels[url] = HistoryModel.Channel(
            members: Dictionary(uniqueKeysWithValues: members.map { ($0, HistoryModel.Member()) }))
    }

    /// Only a member may do it.
    private func asMember(
        _ user: String, _ url: String, _ deed: String, _ method: String, _ path: String, _ scene: SendbirdScene,
        _ more: String = ""
    ) async throws {
        let body = #"{"user_id":"\#(user)"\#(more)}"#
        if model.channels[url]?.members[user] != nil {
            count(deed)
            _ = try await scene.ask(method, path, body)
        } else {
            refusals += 1
            #expect(try await scene.code(method, path, body) == 400108)
        }
    }

    private func send(_ message: HistoryModel.Message, to url: String, at scene: SendbirdScene) async throws {
        let marksAsRead = chance(3, in: 4)
        var body = #""message":"\#(message.text)","mark_as_read":\#(marksAsRead)"#
        body += message.sender.map { #","message_type":"MESG","user_id":"\#($0)""# } ?? #","message_type":"ADMM""#
        if let parent = message.parent {
            body += #","parent_message_id":\#(parent),"reply_to_channel":\#(message.isInChannel)"#
        }
        let path = "/v3/group_channels/\(url)/messages"
        if let sender = message.sender, model.channels[url]?.members[sender] == nil {
            refusals += 1
            #expect(try await scene.code("POST", path, "{\(body)}") == 400108)
            return
        }
        count(message.sender == nil ? "note" : message.parent == nil ? "text" : "reply")
        var message = message
        let sent = try await scene.ask("POST", path, "{\(body)}")
        message.id = try #require(sent["message_id"]?.integer)
        message.createdAt = try #require(sent["created_at"]?.integer)
        model.send(message, to: url, marksAsRead: marksAsRead)
    }

    private func reply(in url: String, as user: String, at scene: SendbirdScene) async throws {
        let parents = model.channels[url]?.messages.filter { $0.parent == nil && $0.sender != nil } ?? []
        guard let parent = parents.randomElement(using: &random) else { return }
        let message = HistoryModel.Message(
            id: 0, sender: user, text: "reply \(next())", parent: parent.id, isInChannel: chance(1, in: 2))
        try await send(message, to: url, at: scene)
    }

    private func change(_ message: HistoryModel.Message, in url: String, at scene: SendbirdScene) async throws {
        count("edit")
        let text = "edited \(next())"
        let type = message.sender == nil ? "ADMM" : "MESG"
        _ = try await scene.ask(
            "PUT", "/v3/group_channels/\(url)/messages/\(message.id)",
            #"{"message_type":"\#(type)","message":"\#(text)"}"#)
        model.edit(message.id, in: url, to: text)
    }

    // MARK: What must be equal

    func compare(with scene: SendbirdScene) async throws {
        let users = try await scene.ask("GET", "/v3/users?limit=100")["users"]?.array ?? []
        #expect(users.compactMap { $0["user_id"]?.string } == model.nicknames.keys.sorted())
        #expect(users.compactMap { $0["nickname"]?.string } == model.nicknames.sorted { $0.key < $1.key }.map(\.value))
        let all = try await scene.ask(
            "GET", "/v3/group_channels?limit=100&show_empty=true&show_member=true&show_read_receipt=true")[
                "channels"]
        #expect(Set(all?.array?.compactMap { $0["channel_url"]?.string } ?? []) == Set(model.channels.keys))
        for shape in all?.array ?? [] {
            let url = shape["channel_url"]?.string ?? "", channel = try #require(model.channels[url])
            #expect(shape["name"]?.string == channel.name)
            #expect(shape["member_count"]?.integer == Int64(channel.members.count))
            let members = shape["members"]?.array?.compactMap { $0["user_id"]?.string }.sorted()
            #expect(members == channel.members.keys.sorted())
            for (user, member) in channel.members {
                let receipt = shape["read_receipt"]?[user]?.integer ?? 0
                #expect(receipt >= member.readAt, "\(user) in \(url)")
                let unread = channel.messages.first { member.unread.contains($0.id) }
                if let unread { #expect(receipt < unread.createdAt, "\(user) in \(url)") }
            }
            let last = channel.messages.last { $0.isInChannel }
            #expect(shape["last_message"]?["message_id"]?.integer == last?.id, "\(url)")
        }
        for (user, name) in model.nicknames { try await compare(user, name, with: scene) }
        for (url, channel) in model.channels { try await compare(url, channel, with: scene) }
    }

    private func compare(_ user: String, _ name: String, with scene: SendbirdScene) async throws {
        let unread = try await scene.ask("GET", "/v3/users/\(user)/unread_message_count")["unread_count"]?.integer
        #expect(unread == model.unread(of: user), "\(user)")
        let own =
            try await scene.ask(
                "GET", "/v3/users/\(user)/my_group_channels?limit=100&show_empty=true&hidden_mode=all")["channels"]?
            .array ?? []
        let states = own.map { channel in
            [
                channel["channel_url"]?.string, channel["hidden_state"]?.string,
                channel["unread_message_count"].map { "\($0)" },
            ]
        }
        let expected = model.channels.compactMap { url, channel in
            channel.members[user].map { member in
                [url, member.hiding.rawValue, "\(JSONValue.integer(Int64(member.unread.count)))"]
            }
        }
        #expect(Set(states) == Set(expected), "\(user)")
    }

    private func compare(_ url: String, _ channel: HistoryModel.Channel, with scene: SendbirdScene) async throws {
        let path = "/v3/group_channels/\(url)/messages"
        let more = "&include_reply_type=ALL&include_thread_info=true"
        let list = try await scene.ask("GET", "\(path)?message_ts=0&prev_limit=200\(more)")["messages"]?.array ?? []
        func text(_ message: HistoryModel.Message) -> String {
            "\(message.id) \(message.sender ?? "") \(message.text) \(message.parent ?? 0)"
        }
        let shown = list.map { message in
            let (id, parent) = (message["message_id"]?.integer ?? 0, message["parent_message_id"]?.integer ?? 0)
            return "\(id) \(message["user"]?["user_id"]?.string ?? "") \(message["message"]?.string ?? "") \(parent)"
        }
        #expect(shown == channel.messages.map(text).suffix(200), "\(url)")
        #expect(try await scene.ask("GET", "\(path)/total_count")["total"]?.integer == Int64(channel.messages.count))
        for message in list where message["parent_message_id"]?.integer ?? 0 == 0 {
            let replies = channel.messages.count { $0.parent == message["message_id"]?.integer }
            #expect(message["thread_info"]?["reply_count"]?.integer ?? 0 == Int64(replies), "\(message)")
        }
        let without = try await scene.ask("GET", "\(path)?message_ts=0&prev_limit=200")["messages"]?.array ?? []
        #expect(without.count == min(200, channel.messages.count { $0.parent == nil }))
        let counts = try await scene.ask("GET", "\(path)/unread_count")["unread"]
        for (user, member) in channel.members {
            #expect(counts?[user]?.integer == Int64(member.unread.count), "\(user) in \(url)")
        }
    }

    /// What agents see of it.
    func compareDesk(with scene: SendbirdScene) async throws {
        for (url, channel) in model.channels {
            let shown = try await scene.deskTexts(of: url)
            #expect(
                shown.filter { !$0.isEmpty } == channel.messages.filter(\.isInChannel).map(\.text).suffix(200), "\(url)"
            )
        }
    }
}
