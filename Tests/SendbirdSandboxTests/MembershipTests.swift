import Formats
@testable import SendbirdSandbox
import TestSupport
import Testing

/// Who belongs to channels, what they have read and hidden, and what lists show of it.
@Suite struct MembershipTests {
    @Test func whoWantsToBeAskedIsInvited() async throws {
        try await SendbirdScene.run { scene in
            let path = try await scene.channel("ada", "bob", "cy")
            _ = try await scene.ask("PUT", "\(path)/leave", #"{"user_ids":["bob","cy"]}"#)
            for user in ["bob", "cy"] {
                let preference = "/v3/users/\(user)/channel_invitation_preference"
                #expect(try await scene.ask("GET", preference)["auto_accept"]?.bool == true)
                #expect(try await scene.ask("PUT", preference, #"{"auto_accept":false}"#)["auto_accept"]?.bool == false)
            }
            let invited = try await scene.ask(
                "POST", "\(path)/invite", #"{"user_ids":["bob","cy"],"inviter_id":"ada"}"#)
            #expect(invited["joined_member_count"]?.integer == 1 && invited["inviter"]?["user_id"]?.string == "ada")
            #expect(
                try await scene.ask("GET", "/v3/users/bob/group_channel_count?state=invited")["group_channel_count"]
                    == .integer(1))
            let items = try await scene.ask("GET", "/v3/users/bob/unread_item_count")
            #expect(items["group_channel_invitation_count"]?.integer == 1)
            #expect(
                try await scene.ask("PUT", "\(path)/accept", #"{"user_id":"bob"}"#)["member_state"]?.string == "joined")
            #expect(try await scene.ask("PUT", "\(path)/decline", #"{"user_id":"cy"}"#) == .object([]))
            #expect(try await scene.code("PUT", "\(path)/decline", #"{"user_id":"bob"}"#) == 400108)
            #expect(try await scene.code("PUT", "\(path)/accept", #"{"user_id":"cy"}"#) == 400108)
            #expect(try await scene.ask("GET", path)["member_count"]?.integer == 2)
        }
    }

    @Test func aHiddenChannelIsShownAgainOrNot() async throws {
        try await SendbirdScene.run { scene in
            let path = try await scene.channel("ada", "bob")
            _ = try await scene.send("1", as: "ada", to: path)
            func listed(_ mode: String) async throws -> Int? {
                try await scene.ask("GET", "/v3/users/bob/my_group_channels?hidden_mode=\(mode)")["channels"]?.array?
                    .count
            }
            func state() async throws -> String? {
                try await scene.ask("GET", "\(path)?user_id=bob")["hidden_state"]?.string
            }
            _ = try await scene.ask("PUT", "\(path)/hide", #"{"user_id":"bob"}"#)
            #expect(try await state() == "hidden_allow_auto_unhide")
            #expect(try await listed("unhidden_only") == 0)
            #expect(try await listed("hidden_only") == 1)
            _ = try await scene.send("2", as: "ada", to: path)
            #expect(try await state() == "unhidden")
            _ = try await scene.ask("PUT", "\(path)/hide", #"{"user_id":"bob","allow_auto_unhide":false}"#)
            _ = try await scene.send("3", as: "ada", to: path)
            #expect(try await state() == "hidden_prevent_auto_unhide")
            #expect(try await listed("hidden_prevent_auto_unhide") == 1)
            #expect(try await listed("unhidden_only") == 0)
            _ = try await scene.ask("DELETE", "\(path)/hide?user_id=bob")
            #expect(try await state() == "unhidden")
            #expect(try await scene.code("DELETE", "\(path)/hide") == 400105)
            #expect(try await scene.code("GET", "/v3/users/bob/my_group_channels?hidden_mode=x") == 400111)
        }
    }

    @Test func receiptsAndCountsFollowTheReading() async throws {
        try await SendbirdScene.run { scene in
            let (one, two) = (
                try await scene.channel("ada", "bob"), try await scene.channel("ada", "bob", url: "chan_2")
            )
            for path in [one, one, two] { _ = try await scene.send("x", as: "ada", to: path) }
            #expect(try await scene.ask("GET", "/v3/users/bob/unread_channel_count")["unread_count"]?.integer == 2)
            let counts = try await scene.ask("GET", "\(one)/messages/unread_count?user_ids=bob")["unread"]
            #expect(counts?["bob"]?.integer == 2 && counts?["ada"] == nil)
            #expect(
                try await scene.ask("PUT", "\(one)/messages/mark_as_delivered", #"{"user_id":"bob"}"#)["ts"]?.integer
                    != nil)
            let channel = try await scene.ask("GET", "\(one)?show_delivery_receipt=true")
            #expect(channel["delivery_receipt"]?["bob"]?.integer != nil && channel["read_receipt"] == nil)
            _ = try await scene.ask("PUT", "/v3/users/bob/mark_as_read_all", #"{"channel_urls":["chan_2"]}"#)
            #expect(try await scene.ask("GET", "/v3/users/bob/unread_message_count")["unread_count"]?.integer == 2)
            _ = try await scene.ask("PUT", "/v3/users/bob/mark_as_read_all")
            #expect(try await scene.ask("GET", "/v3/users/bob/unread_message_count")["unread_count"]?.integer == 0)
            let read = try await scene.ask("GET", "\(one)?show_read_receipt=true")["read_receipt"]
            #expect(read?["bob"]?.integer ?? 0 > 0)
            let line = try await scene.ask("PUT", "\(one)/reset_user_history", #"{"user_id":"bob"}"#)[
                "ts_message_offset"]
            #expect(line?.integer ?? 0 > 0)
            #expect(try await scene.ask("GET", "\(one)?user_id=bob")["ts_message_offset"] == line)
            _ = try await scene.ask("PUT", "/v3/users/bob/my_group_channels/leave", "{}")
            #expect(
                try await scene.ask("GET", "/v3/users/bob/group_channel_count")["group_channel_count"]?.integer == 0)
            let preference = "/v3/users/ada/count_preference/chan_1"
            #expect(
                try await scene.ask("PUT", preference, #"{"count_preference":"off"}"#)["count_preference"]?.string
                    == "off")
            #expect(try await scene.ask("GET", preference)["count_preference"]?.string == "off")
            for method in ["POST", "DELETE"] {
                #expect(try await scene.ask(method, "\(one)/typing", #"{"user_ids":["ada"]}"#) == .object([]))
            }
        }
    }

    @Test func listsOfChannelsKnowTheirMembers() async throws {
        try await SendbirdScene.run { scene in
            _ = try await scene.channel("ada", "bob")
            _ = try await scene.channel("ada", "bob", "cy", url: "chan_2")
            _ = try await scene.ask("POST", "/v3/group_channels/chan_2/metadata", #"{"metadata":{"topic":"delivery"}}"#)
            func urls(_ query: String) async throws -> [String] {
                try await scene.ask("GET", "/v3/group_channels?show_empty=1&\(query)")["channels"]?.array?.compactMap {
                    $0["channel_url"]?.string
                } ?? []
            }
            #expect(try await urls("members_exactly_in=bob,ada") == ["chan_1"])
            #expect(try await urls("members_include_in=cy,bob") == ["chan_2"])
            #expect(try await urls("members_include_in=cy,ada&query_type=OR").count == 2)
            #expect(try await urls("members_nickname_contains=n%20c") == ["chan_2"])
            #expect(try await urls("metadata_key=topic&metadata_values=delivery,x") == ["chan_2"])
            #expect(try await urls("metadata_key=topic&metadata_value_startswith=x") == [])
            #expect(try await urls("order=channel_name_alphabetical").count == 2)
            #expect(try await scene.code("GET", "/v3/group_channels?search_query=x") == 400930)
            let members = try await scene.ask("GET", "/v3/group_channels/chan_2/members?nickname_startswith=N%20c")
            #expect(members["members"]?.array?.count == 1)
        }
    }

    @Test func removedMessagesAreListedWithoutTheirTexts() async throws {
        try await SendbirdScene.run { scene in
            let path = try await scene.channel("ada")
            var ids: [Int64] = []
            for text in ["1", "2", "3"] {
                ids.append(try #require(try await scene.send(text, as: "ada", to: path)["message_id"]?.integer))
            }
            _ = try await scene.ask("DELETE", "\(path)/messages/\(ids[1])")
            let plain = try await scene.ask("GET", "\(path)/messages?message_ts=0")["messages"]?.array
            #expect(plain?.count == 2)
            let all = try await scene.ask("GET", "\(path)/messages?message_ts=0&including_removed=true")["messages"]?
                .array
            #expect(all?.map { $0["message_id"]?.integer } == ids && all?[1]["is_removed"]?.bool == true)
            #expect(all?[1]["message"]?.string == "" && all?[1]["user"]?["user_id"]?.string == "ada")
            let newest = "message_ts=0&including_removed=true&prev_limit=1"
            #expect(try await scene.ask("GET", "\(path)/messages?\(newest)")["messages"]?.array?.count == 1)
        }
    }

    @Test func messagesAreFilteredInWholePages() async throws {
        try await SendbirdScene.run { scene in
            let path = try await scene.channel("ada", "bob")
            _ = try await scene.send("first", as: "bob", to: path, #","custom_type":"t""#)
            for number in 0..<120 { _ = try await scene.send("\(number)", as: "ada", to: path) }
            func texts(_ query: String) async throws -> [String] {
                try await scene.ask("GET", "\(path)/messages?message_ts=0&\(query)")["messages"]?.array?.compactMap {
                    $0["message"]?.string
                } ?? []
            }
            #expect(try await texts("sender_ids=bob&prev_limit=1") == ["first"], "it looks through portions")
            #expect(try await texts("custom_types=t") == ["first"])
            #expect(try await texts("custom_types=&prev_limit=1") == ["119"])
            #expect(try await texts("prev_limit=200").count == 121)
            #expect(try await texts("operator_filter=operator") == [])
            let parent = try await scene.ask("GET", "\(path)/messages?message_ts=0&sender_ids=bob")["messages"]?.array?[
                0]
            let id = try #require(parent?["message_id"]?.integer)
            _ = try await scene.send("reply", as: "ada", to: path, #","parent_message_id":\#(id)"#)
            #expect(try await texts("parent_message_id=\(id)") == ["first", "reply"])
            let info = try await scene.ask("GET", "\(path)/messages/thread_info?parent_message_id=\(id)")
            #expect(info["reply_count"]?.integer == 1)
        }
    }

    @Test func twoAtOnceMakeOneDistinctChannel() async throws {
        try await SendbirdScene.run { scene in
            _ = try await scene.channel("ada", "bob")
            let body = #"{"user_ids":["ada","bob"],"is_distinct":true,"name":"N"}"#
            let urls = try await withThrowingTaskGroup(of: String?.self) { group in
                for number in 0..<8 {
                    // Another name each: the store would take two equal drafts for one.
                    let own = body.replacing("\"N\"", with: "\"\(number)\"")
                    group.addTask {
                        try await scene.ask("POST", "/v3/group_channels", own)["channel_url"]?.string
                    }
                }
                return try await group.reduce(into: Set<String?>()) { $0.insert($1) }
            }
            #expect(urls.count == 1 && !urls.contains(nil))
        }
    }
}
