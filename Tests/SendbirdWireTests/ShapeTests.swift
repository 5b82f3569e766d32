import Formats
@testable import SendbirdWire
import Testing

/// Answers are written as the platform writes them, and read whatever their plan and feature leave out.
@Suite struct ShapeTests {
    @Test(arguments: WireExample.all) func whatIsReadIsWrittenAgain(_ example: WireExample) throws {
        #expect(try example.again(example.json) == example.json)
    }

    /// Each member is missing, null, and of every wrong type.
    @Test(arguments: WireExample.all) func aMemberMayBeWrong(_ example: WireExample) throws {
        let members = try #require(try JSONParser.parse(Array(example.json.utf8)).members)
        for place in members.indices {
            let name = members[place].name
            for wrong in [nil, "null", "{}", "[]", "-7", "1e300", "\"x\"", "true", "[[1]]", "{\"a\":{}}"] as [String?] {
                let text = try text(members, replacing: place, by: wrong)
                do throws(SendbirdSyntaxError) {
                    let once = try read(text, as: example)
                    #expect(try read(once, as: example) == once, "\(text) is not stable")
                } catch {
                    #expect(error == .incomplete)
                    // A page whose list is none tells nothing either.
                    let isList = example.json.hasPrefix("{\"\(name)\":[") && wrong != nil
                    #expect(example.needed.contains(name) || isList, "\(text) was not read")
                }
            }
        }
    }

    @Test(arguments: WireExample.all) func whatIsNeededIsMissed(_ example: WireExample) throws {
        let members = try #require(try JSONParser.parse(Array(example.json.utf8)).members)
        for place in members.indices where example.needed.contains(members[place].name) {
            for wrong in [nil, "null", "[]"] as [String?] {
                let text = try text(members, replacing: place, by: wrong)
                #expect(throws: SendbirdSyntaxError.incomplete, "\(text)") { try example.again(text) }
            }
        }
        for text in ["7", "[]", "null", "\"x\""] {
            #expect(throws: SendbirdSyntaxError.incomplete) { try example.again(text) }
        }
    }

    @Test(arguments: WireExample.all) func unknownMembersAreIgnored(_ example: WireExample) throws {
        guard example.name != "metadata" else { return }
        let text = #"{"a_b":{"c":[1,2]},"# + example.json.dropFirst()
        let closed = example.json == "{}" ? #"{"a_b":1}"# : text
        #expect(try example.again(closed) == example.json)
    }

    @Test(arguments: WireExample.all) func halfATextIsNone(_ example: WireExample) throws {
        let bytes = Array(example.json.utf8)
        for end in stride(from: 0, to: bytes.count, by: 7) {
            #expect(throws: SendbirdSyntaxError.self) { try example.again(Array(bytes[..<end])) }
        }
    }

    private func read(_ text: String, as example: WireExample) throws(SendbirdSyntaxError) -> String {
        do {
            return try example.again(text)
        } catch let error as SendbirdSyntaxError {
            throw error
        } catch {
            Issue.record(error)
            throw .incomplete
        }
    }

    private func text(_ members: [JSONMember], replacing place: Int, by wrong: String?) throws -> String {
        var json = JSONWriter()
        json.beginObject()
        for (index, member) in members.enumerated() {
            if index == place {
                guard let wrong else { continue }
                json.name(member.name)
                json.raw(wrong.utf8)
            } else {
                json.name(member.name)
                json.value(member.value)
            }
        }
        json.endObject()
        return String(decoding: json.bytes, as: UTF8.self)
    }
}

/// What single members tell.
@Suite struct ShapeMeaningTests {
    private func read<T: SendbirdShape>(_ json: String, as type: T.Type = T.self) throws -> T {
        try T(answer: Array(json.utf8))
    }

    @Test func anIdOfAMessageKeepsAllItsDigits() throws {
        for id in [Int64.max, 9_007_199_254_740_993, 4_294_967_297] {
            let message: SendbirdMessage = try read(#"{"message_id":\#(id),"type":"MESG"}"#)
            #expect(message.id == id)
        }
        #expect(try read(#"{"message_id":"900000123"}"#, as: SendbirdMessage.self).id == 900_000_123)
        for id in ["9223372036854775808", "0", "-1", "1.5", "\"1e5\"", "\"\""] {
            #expect(throws: SendbirdSyntaxError.incomplete) {
                try read(#"{"message_id":\#(id)}"#, as: SendbirdMessage.self)
            }
        }
    }

    @Test func anAdminMessageHasNoSender() throws {
        for user in ["null", "{}", "7"] {
            let message: SendbirdMessage = try read(#"{"message_id":1,"type":"ADMM","user":\#(user)}"#)
            #expect(message.sender == nil && message.type == .admin)
            #expect(!String(decoding: message.encoded, as: UTF8.self).contains("\"user\":"))
        }
    }

    @Test func aParentOfZeroIsNone() throws {
        let message: SendbirdMessage = try read(#"{"message_id":1,"parent_message_id":0,"is_reply_to_channel":true}"#)
        #expect(message.parent == nil && message.isReplyToChannel == nil)
        let reply: SendbirdMessage = try read(#"{"message_id":1,"parent_message_id":2}"#)
        #expect(reply.parent == SendbirdParent(id: 2) && reply.isReplyToChannel == false)
    }

    @Test func severalFilesHaveNamesOfTheirOwn() throws {
        let list = #"[{"url":"u\/1","file_name":"a.png","file_type":"image\/png","file_size":91},{"url":"u2"},{"x":1}]"#
        let message: SendbirdMessage = try read(#"{"message_id":1,"type":"FILE","file":{},"files":\#(list)}"#)
        #expect(message.files.map(\.name) == ["a.png", ""] && message.files.map(\.size) == [91, 0])
        let text = String(decoding: message.encoded, as: UTF8.self)
        #expect(text.contains(#""file":{},"files":[{"url":"u\/1","file_name":"a.png","file_type":"image\/png""#))
        #expect(try read(text, as: SendbirdMessage.self) == message)
    }

    @Test func aListWithAnItemThatCannotBeReadTellsNothing() throws {
        for item in ["{}", "7", "null", #"{"channel_url":""}"#] {
            #expect(throws: SendbirdSyntaxError.incomplete) {
                try read(
                    #"{"channels":[{"channel_url":"a"},\#(item)],"next":""}"#, as: SendbirdPage<SendbirdChannel>.self)
            }
        }
        let empty: SendbirdPage<SendbirdChannel> = try read("{}")
        #expect(empty.items.isEmpty && empty.next.isEmpty && empty.time == nil)
    }

    @Test func nobodyIsAMemberWhoIsNone() {
        #expect(
            String(decoding: SendbirdMembershipAnswer(.none).encoded, as: UTF8.self)
                == #"{"is_member":false,"state":"none"}"#)
        #expect(SendbirdMembershipAnswer(.invited).isMember)
    }

    @Test func aChannelOfAListHasNothingPersonal() throws {
        let channel = SendbirdChannel(url: "a", createdAt: UnixSeconds(1_761_000_000))
        let text = String(decoding: channel.encoded, as: UTF8.self)
        for name in ["member_state", "joined_ts", "metadata", "members", "read_receipt", "\"channel\""] {
            #expect(!text.contains(name), "\(name)")
        }
        #expect(text.contains(#""created_by":null,"inviter":null,"#) && text.contains(#""last_message":null"#))
        #expect(try read(text, as: SendbirdChannel.self) == channel)
    }

    @Test(
        arguments: [
            ("true", true), ("false", false), ("1", true), ("0", false), (#""True""#, true), (#""false""#, false),
            ("2", nil), (#""yes""#, nil), ("[]", nil), ("null", nil),
        ] as [(String, Bool?)])
    func aFlagHasManySpellings(_ spelling: String, _ flag: Bool?) throws {
        #expect(try SendbirdValue(json: Array(#"{"x":\#(spelling)}"#.utf8), limit: 100).flag("x") == flag)
    }

    // MARK: Bounds

    @Test func aTextIsCutWithoutHalfACharacter() throws {
        let long = String(repeating: "é", count: SendbirdBound.text)
        let user: SendbirdUser = try read(#"{"user_id":"a","nickname":"x\#(long)"}"#)
        #expect(user.nickname.utf8.count == SendbirdBound.text - 1 && user.nickname.hasSuffix("é"))
        #expect("aéb".cut(toBytes: 2) == "a" && "aéb".cut(toBytes: 3) == "aé" && "aéb".cut(toBytes: 4) == "aéb")
        #expect("\u{1F600}".cut(toBytes: 3) == "")
    }

    @Test func anIdThatIsTooLongIsNone() throws {
        let id = String(repeating: "x", count: SendbirdBound.id)
        #expect(try read(#"{"user_id":"\#(id)"}"#, as: SendbirdUser.self).id == id)
        #expect(throws: SendbirdSyntaxError.incomplete) { try read(#"{"user_id":"\#(id)x"}"#, as: SendbirdUser.self) }
    }

    @Test func listsAndMapsAreBounded() throws {
        let keys = (0...SendbirdBound.items).map { "\"k\($0)\"" }
        let user: SendbirdUser = try read(
            #"{"user_id":"a","discovery_keys":[\#(keys.joined(separator: ","))],"metadata":{\#(keys.map { $0 + ":\"\"" }.joined(separator: ","))}}"#
        )
        #expect(user.discoveryKeys?.count == SendbirdBound.items && user.metadata.count == SendbirdBound.items)
        let people = (0...SendbirdBound.items).map { #"{"user_id":"\#($0)"}"# }.joined(separator: ",")
        #expect(throws: SendbirdSyntaxError.incomplete, "a page must be whole") {
            try read(#"{"users":[\#(people)]}"#, as: SendbirdPage<SendbirdUser>.self)
        }
    }

    @Test func aTextBeyondTheLimitIsNotRead() {
        let bytes = Array(repeating: UInt8(ascii: " "), count: 100) + Array("{}".utf8)
        #expect(throws: SendbirdSyntaxError.tooLarge(102, limit: 101)) {
            try SendbirdNothing(answer: bytes, limit: 101)
        }
        #expect(throws: Never.self) { try SendbirdNothing(answer: bytes, limit: 102) }
    }
}
