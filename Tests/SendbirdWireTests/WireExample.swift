@testable import SendbirdWire
import Testing

/// One answer of the platform as it sends it, without white space, and how it is read. All values are made up.
struct WireExample: Sendable, CustomTestStringConvertible {
    let name: String
    let json: String
    /// Members without which the answer tells nothing.
    let needed: [String]
    private let read: @Sendable ([UInt8]) throws -> [UInt8]

    init<T: SendbirdShape>(_ name: String, _ type: T.Type, needs needed: [String] = [], _ json: String) {
        (self.name, self.json, self.needed) = (name, json, needed)
        read = { try T(answer: $0).encoded }
    }

    var testDescription: String { name }

    /// Reads a text as this kind of answer, and writes it again.
    func again(_ text: String) throws -> String { String(decoding: try again(Array(text.utf8)), as: UTF8.self) }
    func again(_ bytes: [UInt8]) throws -> [UInt8] { try read(bytes) }

    static let all = [
        WireExample("user", SendbirdUser.self, needs: ["user_id"], user),
        WireExample("person", SendbirdPerson.self, needs: ["user_id"], person),
        WireExample("member", SendbirdMember.self, needs: ["user_id"], member),
        WireExample("channel", SendbirdChannel.self, needs: ["channel_url"], channel),
        WireExample("message", SendbirdMessage.self, needs: ["message_id"], message),
        WireExample("message with a file", SendbirdMessage.self, needs: ["message_id"], fileMessage),
        WireExample(
            "users", SendbirdPage<SendbirdUser>.self, #"{"users":[\#(user)],"next":"QUJD","ts":1761000000000}"#),
        WireExample("channels", SendbirdPage<SendbirdChannel>.self, #"{"channels":[\#(channel)],"next":""}"#),
        WireExample("members", SendbirdPage<SendbirdMember>.self, #"{"members":[\#(member)],"next":""}"#),
        WireExample("operators", SendbirdPage<SendbirdPerson>.self, #"{"operators":[\#(person)],"next":""}"#),
        WireExample("messages", SendbirdPage<SendbirdMessage>.self, #"{"messages":[\#(message),\#(fileMessage)]}"#),
        WireExample("nothing", SendbirdNothing.self, "{}"),
        WireExample("metadata", SendbirdMetadata.self, #"{"tier":"gold","url":"a\/b"}"#),
        WireExample("unread count", SendbirdCount.self, needs: ["unread_count"], #"{"unread_count":3}"#),
        WireExample("total", SendbirdCount.self, needs: ["total"], #"{"total":4}"#),
        WireExample(
            "history", SendbirdCount.self, needs: ["ts_message_offset"], #"{"ts_message_offset":1761000000000}"#),
        WireExample(
            "membership", SendbirdMembershipAnswer.self, needs: ["is_member"], #"{"is_member":true,"state":"joined"}"#),
        WireExample(
            "token", SendbirdSessionToken.self, needs: ["token"], #"{"token":"t0","expires_at":1761000000000}"#),
        WireExample("extras", SendbirdExtras.self, #"{"sorted_metaarray":[{"key":"k","value":["v"]}]}"#),
        WireExample(
            "error", SendbirdError.self, needs: ["code"],
            #"{"error":true,"code":400201,"message":"No such channel: a\/b."}"#),
    ]

    static let user = #"""
        {"user_id":"k-4711","nickname":"Ada Brink","profile_url":"https:\/\/pics.example\/a.png","access_token":"",
        "is_active":true,"is_online":false,"last_seen_at":-1,"created_at":1760000000,"has_ever_logged_in":false,
        "discovery_keys":[],"preferred_languages":["de"],"metadata":{"tier":"gold"},
        "require_auth_for_profile_image":false,"phone_number":"","is_created":true}
        """#.replacing("\n", with: "")

    static let person = #"""
        {"user_id":"desk-2","nickname":"Jo","profile_url":"","metadata":{},"is_active":true,"role":"operator",
        "require_auth_for_profile_image":false,"is_blocked_by_me":false}
        """#.replacing("\n", with: "")

    static let member = #"""
        {"user_id":"desk-2","nickname":"Jo","profile_url":"","metadata":{"a":"b"},"is_active":true,"is_online":false,
        "last_seen_at":0,"state":"joined","role":"operator","read_ts":1761000061000,"delivered_ts":0,"is_muted":false}
        """#.replacing("\n", with: "")

    static let message = #"""
        {"message_id":900000000000000124,"type":"MESG","custom_type":"","channel_url":"6f0c_2c1f","channel_type":"group",
        "user":\#(person),"message":"Thanks. 1\/2?","data":"","translations":{},"file":{},"created_at":1761000070000,
        "updated_at":0,"is_removed":false,"is_op_msg":false,"silent":false,"req_id":"","message_retention_hour":-1,
        "message_survival_seconds":-1,"sorted_metaarray":[{"key":"parley_id","value":["m-01J9"]}],
        "parent_message_id":900000123,"parent_message_info":{"type":"MESG","user":\#(person),"message":"On its way.",
        "ts":1761000060000},"is_reply_to_channel":true,"thread_info":{"reply_count":2,"most_replies":[\#(person)],
        "last_replied_at":1761000090000,"updated_at":1761000090001},
        "reactions":[{"key":"ok","user_ids":["desk-2"],"updated_at":1761000080000}],"mention_type":"users",
        "mentioned_users":[\#(person)],"message_events":{"send_push_notification":"receivers",
        "update_unread_count":true,"update_mention_count":true,"update_last_message":true}}
        """#.replacing("\n", with: "")

    static let fileMessage = #"""
        {"message_id":900000125,"type":"FILE","custom_type":"","channel_url":"6f0c_2c1f","channel_type":"group",
        "user":\#(person),"message":"","data":"","translations":{},"file":{"url":"https:\/\/f.example\/0a1b.pdf",
        "name":"invoice.pdf","type":"application\/pdf","size":48213,"data":""},"created_at":1761000070000,"updated_at":0,
        "is_removed":false,"is_op_msg":false,"silent":true,"req_id":"","message_retention_hour":-1,
        "message_survival_seconds":-1,"sorted_metaarray":[],"thread_info":{},"mention_type":"channel",
        "mentioned_users":[],"message_events":{"send_push_notification":"receivers","update_unread_count":false,
        "update_mention_count":false,"update_last_message":false}}
        """#.replacing("\n", with: "")

    static let channel = #"""
        {"channel_url":"6f0c_2c1f","name":"Order 7781","custom_type":"support","data":"","cover_url":"",
        "created_at":1761000000,"created_by":null,"inviter":\#(person),"freeze":false,"is_distinct":true,
        "is_super":false,"is_public":false,"is_broadcast":false,"is_discoverable":false,"is_ephemeral":false,
        "is_access_code_required":false,"has_bot":false,"has_ai_bot":false,"member_count":2,"joined_member_count":1,
        "max_length_message":5000,"message_survival_seconds":-1,"member_state":"joined","my_role":"none",
        "hidden_state":"unhidden","is_hidden":false,"is_muted":false,"ts_message_offset":0,"joined_ts":1761000000,
        "unread_message_count":1,"unread_mention_count":0,"user_last_read":1761000050000,"count_preference":"all",
        "metadata":{"topic":"delivery"},"read_receipt":{"desk-2":1761000061000,"k-4711":1761000050000},
        "delivery_receipt":{"k-4711":1761000050500},"members":[\#(member)],"operators":[],
        "last_message":\#(message),"channel":{"channel_url":"6f0c_2c1f","name":"Order 7781","cover_url":"","data":"",
        "created_at":1761000000,"custom_type":"support","max_length_message":5000,"member_count":2},
        "disappearing_message":{"message_survival_seconds":-1,"is_triggered_by_message_read":false},
        "sms_fallback":{"wait_seconds":-1,"exclude_user_ids":[]}}
        """#.replacing("\n", with: "")
}
