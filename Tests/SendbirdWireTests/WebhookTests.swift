import Formats
@testable import SendbirdWire
import Testing

/// Webhooks as the platform sends them, and what is read of them.
@Suite struct WebhookTests {
    private static let application = "0A1B2C3D-0000-4000-8000-00000000ABCD"
    private static let time = UnixMilliseconds(1_761_000_060_000)
    private let jo = SendbirdPerson(id: "desk-2", nickname: "Jo")

    private func text(_ event: SendbirdWebhook.Event) -> String {
        var channel = SendbirdChannel(url: "6f0c_2c1f", createdAt: UnixSeconds(1_761_000_000))
        (channel.name, channel.customType) = ("Order 7781", "support")
        return String(
            decoding: SendbirdWebhook(event, of: channel, applicationID: Self.application).encoded, as: UTF8.self)
    }

    private var message: SendbirdMessage {
        var message = SendbirdMessage(
            id: 900_000_000_123, type: .text, channelURL: "6f0c_2c1f", createdAt: Self.time)
        var sender = jo
        // A webhook tells four members of a user.
        (sender.role, sender.isActive) = (.operator, true)
        (message.sender, message.text) = (sender, "1/2 is on its way.")
        return message
    }

    private static let channel = #"""
        "channel":{"channel_url":"6f0c_2c1f","name":"Order 7781","custom_type":"support","data":"","is_distinct":false,
        "is_public":false,"is_super":false,"is_ephemeral":false,"is_discoverable":false}
        """#.replacing("\n", with: "")
    private static let head = #""app_id":"\#(application)","#
    private static let jo = #"{"user_id":"desk-2","nickname":"Jo","profile_url":"","metadata":{}"#

    @Test func aMessageIsTold() {
        #expect(
            text(.messageSend(message))
                == #"""
                {"category":"group_channel:message_send",\#(Self.head)"sdk":"API","type":"MESG","silent":false,
                "sender":\#(Self.jo)},"sender_ip_addr":"127.0.0.1","custom_type":"","mention_type":"users",
                "mentioned_users":[],"parent_message_id":0,"payload":{"message_id":900000000123,
                "message":"1\/2 is on its way.","custom_type":"","data":"","translations":{},"created_at":1761000060000},
                \#(Self.channel)}
                """#.replacing("\n", with: ""))
    }

    @Test func readingIsTold() {
        let update = SendbirdWebhook.ReadUpdate(
            userID: "desk-2", readAt: Self.time, unreadCount: 0, totalUnreadCount: 2)
        #expect(
            text(.messageRead([update]))
                == #"""
                {"category":"group_channel:message_read",\#(Self.head)\#(Self.channel),"read_updates":[{"user_id":"desk-2",
                "read_ts":1761000060000,"channel_unread_message_count":0,"total_unread_message_count":2}]}
                """#.replacing("\n", with: ""))
    }

    @Test func whoComesAndGoesIsTold() {
        let expected: [(SendbirdWebhook.Event, String)] = [
            (.create(at: Self.time, inviter: nil), #""created_at":1761000060000,"inviter":null"#),
            (.remove(at: Self.time), #""removed_at":1761000060000"#),
            (
                .changed([.init(key: "name", old: "", new: "a/b")], at: Self.time),
                #""created_at":1761000060000,"changes":[{"key":"name","old":"","new":"a\/b"}]"#
            ),
            (
                .invite([jo], by: jo, at: Self.time),
                #""invited_at":1761000060000,"inviter":\#(Self.jo)},"invitees":[\#(Self.jo)}]"#
            ),
            (.declineInvite([jo], inviter: nil), #""inviter":null,"users":[\#(Self.jo)}]"#),
            (
                .join([jo], inviter: jo, at: Self.time),
                #""joined_at":1761000060000,"users":[\#(Self.jo),"inviter":\#(Self.jo)}}]"#
            ),
            (.leave([jo], at: Self.time), #""left_at":1761000060000,"users":[\#(Self.jo)}]"#),
            (.freeze(true), #""freeze":true"#),
        ]
        let names = ["create", "remove", "changed", "invite", "decline_invite", "join", "leave", "freeze_unfreeze"]
        for ((event, members), name) in zip(expected, names) {
            #expect(
                text(event) == #"{"category":"group_channel:\#(name)",\#(Self.head)\#(members),\#(Self.channel)}"#)
        }
    }

    @Test func anEditADeletionAndAFileAreTold() {
        var edited = message
        edited.updatedAt = Self.time
        #expect(text(.messageUpdate(edited)).contains(#""created_at":1761000060000,"updated_at":1761000060000}"#))
        var removed = message
        removed.text = ""
        let deleted = text(.messageDelete(removed, at: Self.time))
        #expect(deleted.contains(#""message":"","#) && deleted.contains(#""deleted_at":1761000060000}"#))
        var file = message
        (file.type, file.files) = (.file, [SendbirdFile(url: "u/1", name: "a", type: "t/u", size: 3)])
        #expect(
            text(.messageSend(file)).contains(
                #""payload":{"message_id":900000000123,"url":"u\/1","filename":"a","content_type":"t\/u","filesize":3,"#
            ))
    }

    // MARK: Reading

    @Test func aReceivedOneNamesTheChannelAndTheMessage() throws {
        let received = try ReceivedWebhook(body: Array(text(.messageSend(message)).utf8))
        var expected = ReceivedWebhook(
            applicationID: Self.application, category: .messageSend, channelURL: "6f0c_2c1f",
            messageID: 900_000_000_123)
        expected.customType = "support"
        #expect(received == expected)
        #expect(try ReceivedWebhook(body: Array(text(.freeze(true)).utf8)).messageID == nil)
        #expect(received.category.isOfChannel && !SendbirdCategory(rawValue: "user:block").isOfChannel)
    }

    @Test(arguments: [
        "", "{}", "[]", #"{"category":"a","app_id":"b"}"#, #"{"category":"a","app_id":"b","channel":{}}"#,
        #"{"category":"a","channel":{"channel_url":"c"}}"#, #"{"app_id":"b","channel":{"channel_url":"c"}}"#,
        #"{"category":7,"app_id":"b","channel":{"channel_url":"c"}}"#,
        #"{"category":"a","app_id":"b","channel":"c"}"#,
    ])
    func whatIsNoWebhookIsRefused(_ body: String) {
        #expect(throws: SendbirdSyntaxError.self) { try ReceivedWebhook(body: Array(body.utf8)) }
    }

    @Test func aWebhookIsBounded() {
        let long =
            #"{"category":"a","app_id":"b","channel":{"channel_url":"c"},"x":"\#(String(repeating: "x", count: 1 << 20))"}"#
        #expect(throws: SendbirdSyntaxError.self) { try ReceivedWebhook(body: Array(long.utf8)) }
    }

    // MARK: The signature

    /// RFC 4231, 4.3.
    @Test func theSignatureIsAnHMAC() {
        let signature = SendbirdSignature(masterToken: "Jefe"), body = Array("what do ya want for nothing?".utf8)
        let text = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        #expect(signature.text(of: body) == text && signature.accepts(text, of: body))
        for wrong in ["", text.uppercased(), String(text.dropLast()), text + "0", "4" + text.dropFirst()] {
            #expect(!signature.accepts(wrong, of: body))
        }
        #expect(!signature.accepts(text, of: body + [0]))
        #expect(!SendbirdSignature(masterToken: "jefe").accepts(text, of: body))
    }
}
