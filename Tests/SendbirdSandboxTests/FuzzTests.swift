import Formats
import MicroHTTP
import TestSupport
import Testing

/// Requests that are wrong in any way: each has an answer in the platform's shape, and nothing breaks.
@Suite struct FuzzTests {
    @Test(arguments: [1, 2, 3, 4] as [UInt64]) func anyRequestHasAnAnswer(seed: UInt64) async throws {
        try await SendbirdScene.run { scene in
            var requests = RandomRequests(
                seed: seed, routes: scene.served(refuses: false), others: scene.served(refuses: true),
                token: scene.sandbox.token)
            var statuses: [Int: Int] = [:]
            for number in 0..<2000 {
                // Some of the requests remove it.
                if number % 25 == 0 { try await Self.prepare(scene) }
                let asked = requests.next()
                let answer = try await scene.answer(
                    asked.method, asked.target, bytes: asked.body, token: asked.token, type: asked.type)
                statuses[answer.status, default: 0] += 1
                let what: Comment =
                    "\(asked.method) \(asked.target) \(String(decoding: asked.body.prefix(500), as: UTF8.self))"
                #expect([200, 400, 403, 404].contains(answer.status), what)
                if case .file = answer.body { continue }
                guard case .bytes(let bytes) = answer.body else {
                    Issue.record(what)
                    continue
                }
                let json = try JSONParser.parse(bytes)
                #expect(answer.headers.contains { $0 == ("Content-Type", "application/json") }, what)
                guard answer.status != 200 else { continue }
                #expect(json["error"]?.bool == true && json["code"]?.integer != nil, what)
                #expect(bytes.count < 2000, "an error repeats little of what was asked")
            }
            // Both must be often, or the requests are no good.
            #expect(statuses[200, default: 0] > 200 && statuses[400, default: 0] > 800, "\(statuses)")
            let frames = try scene.shownFrames()
            #expect(
                !frames.isEmpty && !frames.contains { "\($0)".contains(scene.sandbox.token) }, "the token is nowhere")
            _ = try await scene.ask("GET", "/v3/users?limit=100")
            _ = try await scene.ask("GET", "/v3/group_channels?limit=100&show_empty=true&show_member=true")
        }
    }

    /// Makes what most requests ask for, as far as it is not there.
    private static func prepare(_ scene: SendbirdScene) async throws {
        for user in ["ada", "bob"] {
            _ = try await scene.call("POST", "/v3/users", #"{"user_id":"\#(user)","nickname":"N"}"#)
            _ = try await scene.call("PUT", "/v3/users/\(user)", #"{"is_active":true}"#)
        }
        _ = try await scene.call(
            "POST", "/v3/group_channels", #"{"user_ids":["ada","bob"],"channel_url":"chan_1","is_public":true}"#)
        _ = try await scene.call("POST", "/v3/group_channels/chan_1/invite", #"{"user_ids":["ada","bob"]}"#)
        _ = try await scene.call("PUT", "/v3/group_channels/chan_1/freeze", #"{"freeze":false}"#)
        for text in ["a", "b"] {
            _ = try await scene.call(
                "POST", "/v3/group_channels/chan_1/messages",
                #"{"message_type":"MESG","user_id":"ada","message":"\#(text)"}"#)
        }
    }
}

/// Requests for any path, with parameters, bodies, forms and tokens of any sort.
private struct RandomRequests {
    struct Asked {
        var method: String
        var target: String
        var body: [UInt8] = []
        var type = "application/json"
        var token: String
    }

    private var random: SeededGenerator
    private let routes: [(method: String, template: String)]
    private let others: [(method: String, template: String)]
    private let token: String

    init(
        seed: UInt64, routes: [(method: String, template: String)], others: [(method: String, template: String)],
        token: String
    ) {
        (random, self.routes, self.others, self.token) = (SeededGenerator(seed: seed), routes, others, token)
    }

    private static let ids = [
        "ada", "bob", "ada", "bob", "cy", "chan_1", "chan_1", "chan_2", "1", "2", "3", "0", "-1", "007",
        "9223372036854775807",
        "9223372036854775808", "agent_jo", "%00", "..", "%2F", "%2e%2e%2f", "%C3%A9", "%FF", "%F0%9F%98%80", "a%0D%0Ab",
        "'\"--",
        "*", "(", "%25", "true", "key", String(repeating: "a", count: 300),
    ]
    private static let names = [
        "limit", "token", "order", "show_empty", "show_member", "show_read_receipt", "show_metadata", "custom_types",
        "name",
        "name_contains", "channel_urls", "members_exactly_in", "members_include_in", "query_type", "metadata_key",
        "metadata_values", "metadata_order_key", "created_after", "created_before", "hidden_mode",
        "member_state_filter",
        "unread_filter", "search_query", "search_fields", "user_id", "user_ids", "active_mode", "nickname_startswith",
        "message_ts", "message_id", "prev_limit", "next_limit", "include", "reverse", "include_reply_type",
        "sender_ids",
        "parent_message_id", "including_removed", "operator_ids", "delete_all", "keys", "item_keys", "state",
        "should_unhide_all",
        "display_all_webhook_categories", "x",
    ]
    private static let values = [
        "", "0", "1", "2", "100", "101", "-1", "1.5", "1e3", "9223372036854775807", "99999999999999999999", "true",
        "False", "maybe",
        "ALL", "NONE", "all", "latest_last_message", "chronological", "ada", "ada,bob", ",,,", "chan_1", "%00", "%FF",
        "%E2%80%AE", "*",
        String(repeating: "a,", count: 500), String(repeating: "9", count: 300),
    ]
    private static let members = [
        "user_id", "nickname", "profile_url", "metadata", "upsert", "value", "issue_access_token", "is_active",
        "user_ids", "users",
        "channel_url", "name", "custom_type", "data", "cover_url", "is_distinct", "is_public", "inviter_id",
        "operator_ids",
        "invitation_status", "strict", "message_type", "message", "parent_message_id", "reply_to_channel",
        "sorted_metaarray",
        "dedup_id", "mark_as_read", "mention_type", "mentioned_user_ids", "url", "files", "file_name", "freeze",
        "allow_auto_unhide",
        "hide_previous_messages", "should_hide_all", "should_leave_all", "reset_all", "auto_accept", "count_preference",
        "enabled",
        "enabled_events", "include_members", "bot_userid", "bot_nickname", "bot_callback_url", "is_privacy_mode",
        "channel_urls",
        "expires_at", "mode", "keys", "channel_custom_types", "é", "",
    ]
    private static let json = [
        "null", "true", "false", "0", "1", "-1", "1.5", "1e999", "9223372036854775808", "\"\"", "\"ada\"", "\"bob\"",
        "\"cy\"", "\"chan_1\"",
        "\"chan_2\"", "\"MESG\"", "\"FILE\"", "\"ADMM\"", "\"users\"", "\"https://p.example/a\"",
        "\"file:///etc/passwd\"", "\"\\ud800\"",
        "\"\\u0000\"", "\"\\u202e\"", "[]", "[\"ada\"]", "[\"ada\",\"ada\",\"bob\"]", "[1]", "[[]]", "[null]", "{}",
        "{\"a\":\"b\"}",
        "{\"a\":null}", "[{\"user_id\":\"ada\"}]", "[{\"key\":\"k\",\"value\":[\"v\"]}]", "[{\"key\":1}]",
        "\"" + String(repeating: "a", count: 6000) + "\"", "[" + String(repeating: "\"ada\",", count: 150) + "\"bob\"]",
        String(repeating: "[", count: 500) + String(repeating: "]", count: 500),
    ]

    private mutating func one<T>(_ all: [T]) -> T { all[Int.random(in: all.indices, using: &random)] }
    private mutating func chance(_ one: Int, in all: Int) -> Bool { Int.random(in: 0..<all, using: &random) < one }

    /// What often is there.
    private static let known = [
        "{user}": ["ada", "bob"], "{channel}": ["chan_1"], "{message}": (1...40).map { "\($0)" },
    ]

    mutating func next() -> Asked {
        let route = one(chance(1, in: 10) ? others : routes)
        var asked = Asked(method: route.method, target: "", token: token)
        for segment in route.template.split(separator: "/").map(String.init) {
            let known = chance(3, in: 4) ? Self.known[segment] : nil
            asked.target += "/" + (segment.hasPrefix("{") ? one(known ?? Self.ids) : segment)
        }
        for index in 0..<max(0, Int.random(in: -3...3, using: &random)) {
            asked.target += "\(index == 0 ? "?" : "&")\(one(Self.names))=\(one(Self.values))"
        }
        if chance(1, in: 20) { asked.target += "\(asked.target.contains("?") ? "&" : "?")api_token=\(token)" }
        if chance(1, in: 20) { asked.token = one(["", "0", String(token.dropLast()), token + "0", "é"]) }
        if route.method != "GET" || chance(1, in: 10) { addBody(to: &asked) }
        return asked
    }

    private mutating func addBody(to asked: inout Asked) {
        switch Int.random(in: 0..<10, using: &random) {
        case 0:
            asked.body = (0..<Int.random(in: 0...200, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
        case 1...2:
            asked.type =
                "multipart/form-data; boundary=\(one(["b", "b", "b", "", "\"b", String(repeating: "b", count: 200)]))"
            asked.body = form()
        default: asked.body = Array(object().utf8)
        }
        if chance(1, in: 6) { mutate(&asked.body) }
        if chance(1, in: 10) {
            asked.type = one(["", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
        }
    }

    /// Often what a call needs, and something more.
    private mutating func object() -> String {
        var parts = one([
            [], ["\"user_id\":\"ada\""], ["\"user_ids\":[\"ada\"]"],
            ["\"message_type\":\"MESG\"", "\"user_id\":\"ada\"", "\"message\":\"x\""],
            ["\"metadata\":{\"key\":\"v\"}"], ["\"user_id\":\"ada\"", "\"nickname\":\"A\""],
            ["\"enabled\":true", "\"url\":\"http://127.0.0.1:1\""],
            ["\"bot_userid\":\"cy\"", "\"bot_nickname\":\"C\"", "\"bot_callback_url\":\"http://127.0.0.1:1\""],
        ])
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            parts.append("\"\(one(Self.members))\":\(one(Self.json))")
        }
        if chance(1, in: 20) { parts.append("\"api_token\":\"\(token)\"") }
        return "{\(parts.joined(separator: ","))}"
    }

    private mutating func form() -> [UInt8] {
        var text = ""
        let fields =
            [("message_type", "FILE"), ("user_id", "ada")]
            + (0..<Int.random(in: 0...4, using: &random)).map { _ in
                (one(Self.members), one(Self.json))
            }
        for (name, value) in fields {
            text += "--b\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
        }
        let file = one([
            "a.txt", "../../a", "", "é\u{202e}.exe", String(repeating: "n", count: 1000), "a\"; name=\"user_id",
        ])
        text +=
            "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\(file)\"\r\nContent-Type: \(one(["text/plain", "x", ""]))\r\n"
        return Array((text + "\r\nfour\r\n--b--\r\n").utf8)
    }

    private mutating func mutate(_ bytes: inout [UInt8]) {
        for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
            let place = Int.random(in: bytes.indices, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
            case 2: bytes.remove(at: place)
            default: bytes.removeSubrange(place...)
            }
        }
    }
}
