import ChatModel
import ChatStore
import Formats
@testable import SendbirdService
import SendbirdWire
import TestSupport
import Testing

/// What the platform's JSON becomes. The texts were written by hand from its description, and share nothing with what
/// writes them in the sandbox.
@Suite struct MappingTests {
    private func withReader(
        agents: Set<String> = ["desk-2"], _ body: (MessageReader) throws -> Void
    ) async throws {
        try await withStore { store in
            let account = try await store.write { transaction in
                var account = try transaction.openAccount(
                    AccountKey(service: "sendbird", channel: "support", customer: "k-4711"))
                account.customer.firstName = "Ada"
                try transaction.save(account)
                return account
            }
            try body(MessageReader(account: account, agents: agents))
        }
    }

    private func remote(_ reader: MessageReader, _ text: String, in thread: String) throws -> RemoteMessage? {
        reader.read(try SendbirdMessage(answer: Array(text.utf8)), in: thread)
    }

    private static let reply = """
        {"message_id": 9007199254740993, "type": "MESG", "custom_type": "note", "channel_url": "c_1", "channel_type": "group",
         "user": {"user_id": "k-4711", "nickname": "Somebody Else", "profile_url": ""},
         "message": "Thanks. \\/ And the second parcel?", "data": "", "file": {}, "created_at": 1761000070000,
         "updated_at": 1761000075000, "is_removed": false, "sorted_metaarray": [{"key": "parley_id", "value": ["m-01J9"]}],
         "parent_message_id": 900000123, "is_reply_to_channel": true, "thread_info": {}}
        """

    @Test func anOwnReply() async throws {
        try await withReader { (reader) throws in
            let remote = try #require(try remote(reader, Self.reply, in: "c_1"))
            let read = remote.message
            #expect(read.id == "9007199254740993" && remote.requestID == "m-01J9")
            #expect(read.text == "Thanks. / And the second parcel?" && read.customType == "note")
            #expect(read.direction == .toAgent && read.author == Author(id: "k-4711", name: "Ada", kind: .customer))
            #expect(read.parentID == "900000123" && read.alsoInThread == true && read.replyInfo == nil)
            #expect(read.createdAt.milliseconds == 1_761_000_070_000)
            #expect(read.editedAt?.milliseconds == 1_761_000_075_000 && read.updatedAt == read.editedAt)
            #expect(read.status == .sent && read.type == .text)
        }
    }

    /// Anybody may write any id into a message.
    @Test func anothersMarkIsNotBelieved() async throws {
        try await withReader { (reader) throws in
            let other = Self.reply.replacing("\"k-4711\"", with: "\"k-9\"")
            #expect(try remote(reader, other, in: "c_1")?.requestID == nil)
            let long = Self.reply.replacing("m-01J9", with: String(repeating: "x", count: 129))
            #expect(try remote(reader, long, in: "c_1")?.requestID == nil)
        }
    }

    @Test(arguments: [
        (#""type":"MESG","user":{"user_id":"desk-2","nickname":"Jo"}"#, Author.Kind.agent, MessageDirection.toClient),
        (#""type":"MESG","user":{"user_id":"k-5","nickname":"Bob"}"#, .customer, .toAgent),
        (#""type":"ADMM""#, .system, .toClient),
        (#""type":"ADMM","user":{"user_id":"k-4711"}"#, .system, .toClient),
        (#""type":"NEW","user":{"user_id":"desk-2"}"#, .agent, .toClient),
    ])
    func whoWroteIt(members: String, kind: Author.Kind, direction: MessageDirection) async throws {
        try await withReader { (reader) throws in
            let text = "{\"message_id\":1,\"message\":\"x\",\"created_at\":1761000070000,\(members)}"
            let read = try #require(try remote(reader, text, in: "c")?.message)
            #expect(read.author.kind == kind && read.direction == direction)
        }
    }

    @Test func withoutConfiguredAgentsEverybodyElseIsOne() async throws {
        try await withReader(agents: []) { (reader) throws in
            #expect(reader.isAgent("k-5") && !reader.isAgent("k-4711"))
        }
    }

    @Test(arguments: [
        (#"{"desk-2":1761000070000}"#, #"{}"#, MessageStatus.seen), (#"{"desk-2":1761000069999}"#, "{}", .sent),
        (#"{"k-4711":1761000090000}"#, "{}", .sent), ("{}", #"{"desk-2":1761000070000,"k-4711":0}"#, .delivered),
        ("{}", #"{"desk-2":1761000070000,"k-5":1}"#, .sent),
    ])
    func howFarItHasCome(read: String, delivered: String, status: MessageStatus) async throws {
        try await withReader { (reader) throws in
            let channel = try SendbirdChannel(
                answer: Array(#"{"channel_url":"c_1","read_receipt":\#(read),"delivery_receipt":\#(delivered)}"#.utf8))
            var reader = reader
            reader.readReceipts = try #require(channel.readReceipts)
            reader.deliveryReceipts = try #require(channel.deliveryReceipts)
            #expect(try remote(reader, Self.reply, in: "c_1")?.message.status == status)
        }
    }

    @Test func aFile() async throws {
        try await withReader { (reader) throws in
            let text = """
                {"message_id": 5, "type": "FILE", "user": {"user_id": "desk-2"}, "message": "", "created_at": 1761000070000,
                 "files": [{"url": "https://f.example/a", "file_name": "../a.png", "file_type": "image/png", "file_size": 91}]}
                """
            let remote = try #require(try remote(reader, text, in: "c_1"))
            #expect(remote.fileURLs == ["https://f.example/a"] && remote.message.text == nil)
            let file = try #require(remote.message.attachments.first)
            #expect(file.mimeType == "image/png" && file.size == 91 && !file.name.contains("/"))
            #expect(Identifier.isValid(file.id) && remote.message.type == .file)
        }
    }

    @Test func whatIsNotShown() async throws {
        try await withReader { (reader) throws in
            var reader = reader
            #expect(
                try remote(reader, Self.reply.replacing("removed\": false", with: "removed\": true"), in: "c") == nil)
            #expect(try remote(reader, #"{"message_id":1,"message":"no time"}"#, in: "c") == nil)
            reader.line = Timestamp(milliseconds: 1_761_000_070_000)
            #expect(try remote(reader, Self.reply, in: "c_1") == nil)
        }
    }

    private static let channel = """
        {"channel_url": "6f0c_11", "name": "Order 7781", "custom_type": "support", "created_at": 1761000000, "freeze": false,
         "member_state": "invited", "hidden_state": "hidden_allow_auto_unhide", "ts_message_offset": 0,
         "unread_message_count": 3, "metadata": {"topic": "delivery"}, "inviter": null,
         "last_message": {"message_id": 900000123, "type": "MESG", "message": "On its way.", "created_at": 1761000060000,
           "user": {"user_id": "desk-2", "nickname": "Jo"}}}
        """

    @Test func aThread() async throws {
        try await withReader { (reader) throws in
            let channel = try SendbirdChannel(answer: Array(Self.channel.utf8))
            let remote = channel.thread(for: reader, knowing: nil)
            let thread = remote.thread
            #expect(thread.id == "6f0c_11" && thread.name == "Order 7781" && thread.state == .ready)
            #expect(thread.createdAt.milliseconds == 1_761_000_000_000)
            #expect(thread.updatedAt.milliseconds == 1_761_000_060_000)
            #expect(thread.customFields == ["topic": "delivery"] && thread.lastMessage?.text == "On its way.")
            #expect(remote.unreadCount == 3)
            #expect(remote.own == RemoteMembership(state: .invited, isHidden: true, historyResetAt: nil))
            // The same again changes nothing.
            #expect(channel.thread(for: reader, knowing: thread).thread == thread)
        }
    }

    /// A count is no less than none, and sums of such counts are still numbers.
    @Test(arguments: [("-5", 0), ("9223372036854775807", 1 << 40), ("\"7\"", 7)])
    func aCountOfAnySize(text: String, count: Int) async throws {
        try await withReader { (reader) throws in
            let old = "\"unread_message_count\": 3"
            #expect(Self.channel.contains(old))
            let changed = Self.channel.replacing(old, with: "\"unread_message_count\": \(text)")
            let channel = try SendbirdChannel(answer: Array(changed.utf8))
            #expect(channel.thread(for: reader, knowing: nil).unreadCount == count)
        }
    }

    /// The customer is the first, and the configured agents are none of them. The list has a bound in bytes.
    @Test func itsMembers() async throws {
        func member(_ id: String, _ more: String = "") -> String { #"{"user_id":"\#(id)","state":"joined"\#(more)}"# }
        func others(_ members: [String], _ reader: MessageReader) throws -> [Customer]? {
            let text =
                #"{"channel_url":"c_1","created_at":1761000000,"members":[\#(members.joined(separator: ","))]}"#
            let remote = try SendbirdChannel(answer: Array(text.utf8)).thread(for: reader, knowing: nil)
            #expect(remote.thread.members.first == reader.account.customer)
            #expect(remote.others == Array(remote.thread.members.dropFirst()))
            return remote.others
        }
        try await withReader { (reader) throws in
            let some = [
                member("desk-2"), member("zoe", #","nickname":"Zoe Ark","profile_url":"https://a.example/z.png""#),
                member("k-4711"), member("bob"), member("bob"), member(String(repeating: "x", count: 81)),
            ]
            #expect(
                try others(some, reader) == [
                    Customer(id: "bob"),
                    Customer(id: "zoe", firstName: "Zoe Ark", imageURL: "https://a.example/z.png"),
                ])
            #expect(try others((0..<500).map { member("u\($0)") }, reader)?.count == 100)
            let url = #","profile_url":"https://a.example/\#(String(repeating: "y", count: 2000))""#
            let long = try #require(try others((0..<100).map { member("u\($0)", url) }, reader))
            let bytes = long.reduce(0) { $0 + $1.canonicalJSON.count }
            #expect(!long.isEmpty && bytes <= SendbirdChannel.othersLimit)
            let told = try SendbirdChannel(answer: Array(#"{"channel_url":"c_1","created_at":1761000000}"#.utf8))
            #expect(told.thread(for: reader, knowing: nil).others == nil)
        }
    }

    @Test(arguments: [
        ("\"freeze\": false", "\"freeze\": true", ThreadState.closed),
        ("hidden_allow_auto_unhide", "hidden_prevent_auto_unhide", .closed),
        ("hidden_allow_auto_unhide", "unhidden", .ready),
    ])
    func itsState(old: String, new: String, state: ThreadState) async throws {
        try await withReader { (reader) throws in
            let channel = try SendbirdChannel(answer: Array(Self.channel.replacing(old, with: new).utf8))
            #expect(channel.thread(for: reader, knowing: nil).thread.state == state)
        }
    }

    @Test func whichChannelsAreThreads() throws {
        let entry = SendbirdConfiguration.Entry(id: "s", name: "S", customType: "support", agents: [])
        func isThread(_ old: String, _ new: String) throws -> Bool {
            try SendbirdChannel(answer: Array(Self.channel.replacing(old, with: new).utf8)).isThread(of: entry)
        }
        #expect(try isThread("6f0c_11", "6f0c_11"))
        #expect(try !isThread("\"support\"", "\"other\""))
        #expect(try !isThread("6f0c_11", "with\\u0007bell"))
        #expect(try !isThread("6f0c_11", String(repeating: "x", count: 129)))
    }
}
