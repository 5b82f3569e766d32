import Formats
@testable import SendbirdWire
import Testing

/// Requests: what is taken, and which error the platform has for the rest.
@Suite struct RequestTests {
    private func code<T: SendbirdRequestBody>(_ type: T.Type, _ json: String) -> Int? {
        do throws(SendbirdError) {
            _ = try SendbirdRequestReader.read(Array(json.utf8), as: type)
            return nil
        } catch {
            return error.code.rawValue
        }
    }

    private func read<T: SendbirdRequestBody>(_ json: String, as type: T.Type = T.self) throws -> T {
        try SendbirdRequestReader.read(Array(json.utf8), as: type).body
    }

    /// Writes a request as a client, and reads it as the platform.
    private func expectSame<T: SendbirdRequestBody & Equatable>(_ request: T) throws {
        let read = try SendbirdRequestReader.read(request.encoded, as: T.self)
        #expect(read.body == request && read.unknown.isEmpty)
    }

    @Test func whatAClientWritesIsRead() throws {
        var user = CreateUser(id: "k-4711", nickname: "Ada", profileURL: "https://a/b")
        try expectSame(user)
        (user.metadata, user.discoveryKeys, user.issuesAccessToken) = (["tier": "gold"], ["a"], true)
        try expectSame(user)
        var update = UpdateUser()
        try expectSame(update)
        (update.nickname, update.isActive, update.leavesAllWhenDeactivated) = ("Bo", false, true)
        (update.preferredLanguages, update.discoveryKeys, update.issuesAccessToken) = (["de"], [], false)
        try expectSame(update)
        try expectSame(IssueToken())
        try expectSame(IssueToken(expiresAt: UnixMilliseconds(1_761_000_000_000)))
        try expectSame(WriteMetadata(["a": "b"], isUpsert: true))
        try expectSame(WriteMetadataValue("b"))
        var channel = CreateChannel(userIDs: ["a", "b"], url: "6f0c_2c1f")
        try expectSame(channel)
        (channel.name, channel.customType, channel.data, channel.coverURL) = ("n", "t", "d", "c")
        (channel.isDistinct, channel.isPublic, channel.isStrict, channel.inviterID) = (true, false, true, "a")
        (channel.operatorIDs, channel.invitationStatus) = (["b"], ["a": "joined"])
        try expectSame(channel)
        var change = UpdateChannel()
        (change.name, change.operatorIDs) = ("n", [])
        try expectSame(change)
        try expectSame(InviteMembers(userIDs: ["a"], inviterID: "b"))
        try expectSame(ForUser("a"))
        try expectSame(LeaveChannel(userIDs: ["a"]))
        try expectSame(HideChannel(userID: "a", allowsAutoUnhide: false))
        try expectSame(ResetHistory(userID: nil, isForAll: true))
        try expectSame(FreezeChannel(true))
        try expectSame(ReportTyping(["a"]))
        try expectSame(AddOperators(["a"]))
        var message = SendMessage(.text, userID: "a", text: "Hello")
        try expectSame(message)
        (message.customType, message.data, message.parentID, message.isReplyToChannel) = ("c", "d", 1 << 40, true)
        (message.extras, message.deduplicationID) = ([SendbirdExtra(key: "k", values: ["v", ""])], "x")
        (message.marksAsRead, message.sendsPush, message.isSilent) = (false, true, true)
        (message.mentionType, message.mentionedIDs) = ("users", ["b"])
        try expectSame(message)
        var file = SendMessage(.file, userID: "a")
        file.file = SendbirdFile(url: "https://a/b", name: "n", type: "t/u", size: 3)
        try expectSame(file)
        var edit = UpdateMessage(.text, text: "b")
        edit.mentionedIDs = ["a"]
        try expectSame(edit)
        try expectSame(WriteExtras([SendbirdExtra(key: "k", values: ["v"])], isRemoval: true, isUpsert: false))
    }

    @Test(
        arguments: [
            (#"{"user_id":7,"nickname":"a"}"#, 400100), (#"{"user_id":"a","nickname":[]}"#, 400100),
            (#"{"user_id":"a","nickname":"a","discovery_keys":{}}"#, 400102),
            (#"{"user_id":"a","nickname":"a","metadata":"x"}"#, 400103),
            (#"{"user_id":"a","nickname":"a","metadata":{"k":1}}"#, 400100),
            (#"{"user_id":"a","nickname":"a","issue_access_token":"yes"}"#, 400104),
            (#"{"nickname":"a"}"#, 400105), (#"{"user_id":"a"}"#, 400105),
            (#"{"user_id":null,"nickname":"a"}"#, 400105),
            (#"{"user_id":"","nickname":"a"}"#, 400105), (#"{"user_id":"a","nickname":""}"#, nil),
            (#"{"user_id":"a","nickname":"a","metadata":{"a,b":"c"}}"#, 400151),
            (#"{"user_id":"a","nickname":"a","metadata":{"a":"1","b":"1","c":"1","d":"1","e":"1","f":"1"}}"#, 400203),
            ("", 400402), ("{", 400403), ("[]", 400403), ("7", 400403),
            // Of several errors the one of a type comes first, then what is missing, then lengths.
            (#"{"user_id":"a","metadata":7}"#, 400103),
            (#"{"user_id":"\#(String(repeating: "x", count: 81))"}"#, 400105),
        ] as [(String, Int?)])
    func aUserIsChecked(_ json: String, _ code: Int?) { #expect(self.code(CreateUser.self, json) == code) }

    @Test func lengthsAreOfCharacters() {
        func user(_ id: Int, _ nickname: Int, _ text: String = "é") -> String {
            let (id, name) = (String(repeating: text, count: id), String(repeating: text, count: nickname))
            return #"{"user_id":"\#(id)","nickname":"\#(name)"}"#
        }
        #expect(code(CreateUser.self, user(80, 80)) == nil && code(CreateUser.self, user(81, 80)) == 400305)
        #expect(code(CreateUser.self, user(80, 81)) == 400110)
        func data(_ count: Int) -> String { #"{"data":"\#(String(repeating: "x", count: count))"}"# }
        #expect(code(UpdateChannel.self, data(SendbirdBound.data)) == nil)
        #expect(code(UpdateChannel.self, data(SendbirdBound.data + 1)) == 400110)
        // A run of marks would cost whoever compares the text.
        let marks = String(repeating: "\u{301}", count: 300)
        #expect(code(CreateUser.self, #"{"user_id":"a","nickname":"a\#(marks)"}"#) == 400403)
    }

    @Test(
        arguments: [
            ("abcd", nil), ("a_B9", nil), ("abc", 400110), (String(repeating: "a", count: 101), 400110),
            ("a/bc", 400151),
            ("abc\u{e9}", 400151), ("a bcd", 400151), ("ab-cd", 400151),
        ] as [(String, Int?)])
    func aChannelsURLIsChecked(_ url: String, _ code: Int?) {
        #expect(self.code(CreateChannel.self, #"{"user_ids":["a"],"channel_url":"\#(url)"}"#) == code)
    }

    @Test func idsComeInThreeForms() throws {
        #expect(try read(#"{"user_ids":["a","b"]}"#, as: CreateChannel.self).userIDs == ["a", "b"])
        #expect(try read(#"{"user_ids":"a,b"}"#, as: CreateChannel.self).userIDs == ["a", "b"])
        #expect(
            try read(#"{"users":[{"user_id":"a","x":1},{"user_id":"b"}]}"#, as: CreateChannel.self).userIDs == [
                "a", "b",
            ])
        #expect(try read(#"{"user_ids":["a"],"users":[{"user_id":"b"}]}"#, as: InviteMembers.self).userIDs == ["a"])
        #expect(code(CreateChannel.self, #"{"users":[{}]}"#) == 400105)
        #expect(code(InviteMembers.self, "{}") == 400105)
        let ids = (0..<101).map { "\"\($0)\"" }
        #expect(code(CreateChannel.self, #"{"user_ids":[\#(ids.joined(separator: ","))]}"#) == 400203)
        #expect(code(CreateChannel.self, #"{"user_ids":[\#(ids.dropLast().joined(separator: ","))]}"#) == nil)
        #expect(code(ReportTyping.self, #"{"user_ids":[\#(ids.prefix(11).joined(separator: ","))]}"#) == 400203)
    }

    @Test(
        arguments: [
            (#"{"message_type":"MESG","user_id":"a"}"#, 400105), (#"{"message_type":"ADMM","message":"x"}"#, nil),
            (#"{"message_type":"FILE","user_id":"a"}"#, nil),
            (#"{"message_type":"x","user_id":"a","message":"x"}"#, 400111),
            (#"{"message":"x","user_id":"a"}"#, 400105), (#"{"message_type":"MESG","message":"x"}"#, 400105),
            (#"{"message_type":"MESG","user_id":"a","message":"x","parent_message_id":"b"}"#, 400101),
            (#"{"message_type":"MESG","user_id":"a","message":"x","parent_message_id":-1}"#, 400106),
            (#"{"message_type":"MESG","user_id":"a","message":"x","sorted_metaarray":[{"key":"k"}]}"#, 400105),
            (#"{"message_type":"MESG","user_id":"a","message":"x","sorted_metaarray":7}"#, 400102),
            (#"{"message_type":"MESG","user_id":"a","message":"x","mention_type":"all"}"#, 400111),
            (#"{"message_type":"MESG","user_id":"a","message":"\#(String(repeating: "x", count: 5001))"}"#, 400110),
        ] as [(String, Int?)])
    func aMessageIsChecked(_ json: String, _ code: Int?) { #expect(self.code(SendMessage.self, json) == code) }

    @Test func aFormHasTexts() throws {
        let message: SendMessage = try read(
            #"{"message_type":"FILE","user_id":"a","mark_as_read":"False","parent_message_id":"12","#
                + #""sorted_metaarray":"[{\"key\":\"k\",\"value\":[\"v\"]}]","mentioned_user_ids":"b,c"}"#)
        #expect(message.marksAsRead == false && message.parentID == 12 && message.mentionedIDs == ["b", "c"])
        #expect(message.extras == [SendbirdExtra(key: "k", values: ["v"])])
    }

    @Test(
        arguments: [
            (#"{"user_id":"a","should_hide_all":false}"#, nil), ("{}", 400105), (#"{"should_hide_all":true}"#, nil),
        ] as [(String, Int?)])
    func hidingIsForSomebodyOrAll(_ json: String, _ code: Int?) { #expect(self.code(HideChannel.self, json) == code) }

    @Test func unknownMembersAreNamed() throws {
        let long = String(repeating: "x", count: 100)
        let json = #"{"user_id":"a","nickname":"b","is_pulic":true,"\#(long)":1,"last_seen_at":2}"#
        let read = try SendbirdRequestReader.read(Array(json.utf8), as: CreateUser.self)
        #expect(read.unknown == ["is_pulic", String(repeating: "x", count: 64), "last_seen_at"])
        let many = (0..<50).map { "\"k\($0)\":1" }.joined(separator: ",")
        #expect(
            try SendbirdRequestReader.read(Array("{\(many)}".utf8), as: UpdateUser.self).unknown.count == 32)
        let known = #"{"last_seen_at":2,"nickname":"n"}"#
        #expect(try SendbirdRequestReader.read(Array(known.utf8), as: UpdateUser.self).unknown.isEmpty)
    }

    @Test func anErrorNamesTheMember() throws {
        let error = #expect(throws: SendbirdError.self) { try read(#"{"nickname":"a"}"#, as: CreateUser.self) }
        #expect(error?.message == #""user_id" is missing."#)
    }
}
