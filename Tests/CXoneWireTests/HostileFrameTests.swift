import Testing

@testable import CXoneWire

@Suite struct HostileFrameTests {
    @Test(arguments: [
        "", " ", "{", "}", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "{\"a\":1,}", "{a:1}", "{'a':1}", "[1,]",
        "[1 2]",
        "\"", "\"abc", "\"\\\"", "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"", "\"\\ud800\"", "\"\\udc00\"",
        "\"\\ud800\\u0041\"",
        "\"\\ud83d\\ud83d\"", "\"\\ud800\\", "\"\\u", "\"\u{0}\"", "\u{0}", "\"\u{1}\"", "\"\n\"", "01", "-",
        "1.", "1e", "1e+", ".5", "+1", "0x10", "NaN", "Infinity", "tru", "truee", "nul", "undefined", "{} {}",
        "\u{FEFF}{}",
        "// {}", "pong", "\"pong\" \"pong\"",
    ])
    func refusesWhatIsNotJSON(text: String) {
        for kind in readers.map({ $0(Array(text.utf8))?.kind }) { #expect(kind == .notJSON) }
    }

    @Test func refusesBytesThatAreNoUTF8() {
        for bytes: [UInt8] in [
            [0xC3, 0x28], [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xE2, 0x82],
        ] {
            #expect(error([0x22] + bytes + [0x22])?.kind == .notJSON)
            #expect(error(bytes)?.kind == .notJSON)
        }
    }

    /// To compare them would take the square of their number.
    @Test func refusesLongRunsOfCombiningMarksFromClients() {
        let marks = String(repeating: "\u{301}\u{323}", count: 200)
        let frame = Array("{\"eventId\":\"e\",\"action\":\"\(marks)\"}".utf8)
        #expect { try ClientFrame(json: frame) } throws: {
            ($0 as? WireError)?.kind == .notJSON && ($0 as? WireError)?.detail.contains("combining marks") == true
        }
        // A platform's frame is not lost for it.
        #expect(error(frame)?.kind != .notJSON)
    }

    @Test(arguments: ["[", "{\"a\":", "[{\"a\":[", "{\"payload\":"]) func nestingCostsNothing(text: String) {
        let error = error(Array(String(repeating: text, count: 90_000).utf8))
        #expect(error?.kind == .notJSON)
        #expect(error?.detail.contains("64 levels") == true)
    }

    @Test func readsNestingThatIsAllowed() {
        let nested = String(repeating: "[", count: 62) + String(repeating: "]", count: 62)
        #expect(error(Array(#"{"eventId":"e","x":[\#(nested)]}"#.utf8)) == nil)
        #expect(error(Array(#"{"eventId":"e","x":[[\#(nested)]]}"#.utf8))?.kind == .notJSON)
    }

    @Test func refusesFramesOverOneMebibyte() throws {
        func frame(bytes: Int) -> [UInt8] {
            let head = Array(#"{"eventId":"e","x":""#.utf8)
            return head + [UInt8](repeating: UInt8(ascii: "x"), count: bytes - head.count - 2) + Array(#""}"#.utf8)
        }
        #expect(error(frame(bytes: 1 << 20)) == nil)
        #expect(error(frame(bytes: (1 << 20) + 1))?.kind == .tooLarge)
        #expect(throws: WireError.self) { try ClientFrame(json: frame(bytes: (1 << 20) + 1)) }
        #expect(throws: Never.self) { try ServerFrame(json: frame(bytes: (1 << 20) + 1), limit: WireLimit.largeEvent) }
    }

    @Test(arguments: [
        "1e999", "-1e999", "99999999999999999999", "1.5", "\"x\"", "\"\"", "true", "[]", "{\"a\":1}", "1e20",
    ])
    func leavesOutNumbersThatArentOne(number: String) throws {
        let json =
            #"{"eventId":"e","eventType":"SetPositionInQueue","data":{"case":{"id":1},"positionInQueue":\#(number)}}"#
        let omissions = WireOmissions()
        guard case .push(let push) = try ServerFrame(json: Array(json.utf8), omissions: omissions),
            case .setPositionInQueue(let event) = push.event
        else {
            Issue.record("no such push")
            return
        }
        #expect(event.position == nil && event.contactID == "1")
        #expect(omissions.count == 1)
        #expect(omissions.summary?.contains(" at /positionInQueue: ") == true)
    }

    /// What must be there is not left out, and neither is anything of what a client sends.
    @Test func nothingElseIsLeftOut() throws {
        let thread = #"{"idOnExternalPlatform":"t","threadName":7,"createdAt":"soon","unseenByUserMessagesCount":{}}"#
        let omissions = WireOmissions()
        let list = #"{"eventId":"e","postback":{"eventType":"ThreadListFetched","data":{"threads":[\#(thread)]}}}"#
        #expect(
            try ServerFrame(json: Array(list.utf8), omissions: omissions)
                == .answer(.threadListFetched([WireThread(id: "t", channelID: nil)]), eventID: "e"))
        #expect(omissions.count == 3)
        let broken = list.replacing(#""idOnExternalPlatform":"t""#, with: #""idOnExternalPlatform":[]"#)
        #expect(error(Array(broken.utf8))?.pointer == "/postback/data/threads/0/idOnExternalPlatform")
        #expect(throws: WireError.self) {
            try ClientFrame(json: Array(Self.data("RecoverThread", #"{"thread":\#(thread)}"#).utf8))
        }
    }

    /// A field, a file or an option that cannot be read takes none of its neighbours with it.
    @Test func elementsThatStandForThemselvesAreLeftOutOneByOne() throws {
        let omissions = WireOmissions()
        let json =
            #"{"eventId":"e","eventType":"MessageCreated","data":{"message":{"idOnExternalPlatform":"m","#
            + #""threadIdOnExternalPlatform":"t","messageContent":{"type":"TEXT","payload":{"text":"hi"}},"#
            + #""createdAt":"2026-04-09T06:07:08Z","direction":"outbound","attachments":[{"url":"u"},{"url":7},9],"#
            + #""authorUser":"nobody"},"case":{"id":"1","customFields":[{"ident":{}},{"ident":"a","value":"b"}]}}}"#
        guard case .push(let push) = try ServerFrame(json: Array(json.utf8), omissions: omissions),
            case .messageCreated(let created) = push.event
        else {
            Issue.record("no such push")
            return
        }
        #expect(created.message.attachments.map(\.url) == ["u"])
        #expect(created.message.authorAgent == nil)
        #expect(created.contact?.customFields == [CustomField(ident: "a", value: "b")])
        #expect(omissions.count == 4)
    }

    @Test(arguments: [
        ("3", 3), ("3.0", 3), ("30e-1", 3), ("\"3\"", 3), ("-0", 0), ("9223372036854775807", Int.max), ("1E2", 100),
    ])
    func readsNumbersInEverySpelling(number: String, value: Int) throws {
        let json =
            #"{"eventId":"e","eventType":"SetPositionInQueue","data":{"case":{"id":1},"positionInQueue":\#(number)}}"#
        guard case .push(let push) = try ServerFrame(json: Array(json.utf8)),
            case .setPositionInQueue(let event) = push.event
        else {
            Issue.record("no such push")
            return
        }
        #expect(event.position == value)
    }

    @Test(arguments: [
        (#"{"eventId":"e","payload":{}}"#, "missing", "/payload/eventType"),
        (#"{"eventId":"e"}"#, "missing", "/payload"),
        (#"{"payload":{"eventType":"X"}}"#, "missing", "/eventId"),
        (#"{"eventId":{},"payload":{}}"#, "wrongType", "/eventId"),
        (#"{"eventId":"e","payload":7}"#, "wrongType", "/payload"),
        (
            #"{"eventId":"e","payload":{"eventType":"X","brand":{"id":"b"},"channel":{"id":"c"}}}"#, "invalid",
            "/payload/brand/id"
        ),
        (
            #"{"eventId":"e","payload":{"eventType":"X","brand":"b","channel":{"id":"c"}}}"#, "wrongType",
            "/payload/brand"
        ),
        (#"{"eventId":"e","payload":{"eventType":"X","brand":{"id":1}}}"#, "missing", "/payload/channel"),
        (data("SendMessage", "{}"), "missing", "/payload/data/thread"),
        (data("SendMessage", #"{"thread":{}}"#), "missing", "/payload/data/thread/idOnExternalPlatform"),
        (
            data("SendMessage", #"{"thread":{"idOnExternalPlatform":"t"},"messageContent":{"type":7}}"#), "wrongType",
            "/payload/data/messageContent/type"
        ),
        (
            data(
                "SendMessage",
                #"""
                {"thread":{"idOnExternalPlatform":"t"},"messageContent":{"type":"TEXT"},"idOnExternalPlatform":"m",
                 "attachments":[{"url":"u"},{"url":7}]}
                """#), "wrongType", "/payload/data/attachments/1/url"
        ),
        (
            data("RecoverThread", #"{"thread":{"idOnExternalPlatform":[]}}"#), "wrongType",
            "/payload/data/thread/idOnExternalPlatform"
        ),
        (
            data(
                "LoadMoreMessages",
                #"{"scrollToken":"s","thread":{"idOnExternalPlatform":"t"},"oldestMessageDatetime":"soon"}"#),
            "invalid", "/payload/data/oldestMessageDatetime"
        ),
        (data("SetCustomerCustomFields", #"{"customFields":{"a":"b"}}"#), "wrongType", "/payload/data/customFields"),
        (data("SendTranscript", #"{"consumerContact":{}}"#), "missing", "/payload/data/contact"),
        (data("ExecuteTrigger", "[]"), "missing", "/payload/data/trigger"),
        (data("FetchThreadList", "7"), "", ""),
        ("[]", "missing", "/eventId"), ("7", "wrongType", ""), ("null", "wrongType", ""), ("\"pong\"", "wrongType", ""),
    ])
    func saysWhatIsWrongWithAClientsFrame(json: String, kind: String, pointer: String) {
        var found: WireError?
        do { _ = try ClientFrame(json: Array(json.utf8)) } catch { found = error }
        #expect(found?.kind.rawValue ?? "" == kind)
        #expect(found?.pointer ?? "" == pointer)
        if json.contains(#""eventId":"e""#), let found { #expect(found.eventID == "e") }
    }

    static func data(_ type: String, _ data: String) -> String {
        #"{"eventId":"e","payload":{"eventType":"\#(type)","brand":{"id":1},"channel":{"id":"c"},"data":\#(data)}}"#
    }

    @Test(arguments: [
        (#"{"eventId":"e","postback":{"eventType":"ThreadRecovered","data":{}}}"#, "/postback/data/thread"),
        (#"{"eventId":"e","postback":{"eventType":"ThreadRecovered"}}"#, "/postback/data/thread"),
        (
            #"{"eventId":"e","postback":{"eventType":"ThreadListFetched","data":{"threads":[{"idOnExternalPlatform":"t"},{}]}}}"#,
            "/postback/data/threads/1/idOnExternalPlatform"
        ),
        (#"{"eventId":"e","eventType":"MessageCreated","data":{"message":{}}}"#, "/data/message/idOnExternalPlatform"),
        (#"{"eventId":"e","eventType":"EventInS3","data":{"s3Object":[]}}"#, "/data/s3Object/url"),
        (
            #"{"eventId":"e","eventType":"FireProactiveAction","data":{"proactiveAction":{"action":{"actionId":{}}}}}"#,
            "/data/proactiveAction/action/actionId"
        ),
        (#"{"eventId":"e","eventType":"CaseCreated","data":{"case":{"createdAt":7}}}"#, "/data/case/id"),
        (#"{"eventId":"e","eventType":"CaseCreated","data":{"contact":{"id":{}}}}"#, "/data/contact/id"),
        (#"{"eventId":"e","eventType":"CaseCreated","data":{}}"#, "/data/case"),
    ])
    func saysWhatIsWrongWithAServersFrame(json: String, pointer: String) {
        let error = error(Array(json.utf8))
        #expect(error?.pointer == pointer)
        #expect(error?.eventID == "e")
        #expect(error?.eventType != nil)
    }

    /// What is logged must not tell what was written.
    @Test func errorsTellNothingOfTheFrame() {
        let json = Self.data(
            "SendMessage",
            #"{"thread":{"idOnExternalPlatform":"t"},"messageContent":"my secret","idOnExternalPlatform":{"key":"my secret"}}"#
        )
        #expect(throws: WireError.self) { try ClientFrame(json: Array(json.utf8)) }
        do throws(WireError) {
            _ = try ClientFrame(json: Array(json.utf8))
        } catch {
            #expect(!error.description.contains("secret"))
        }
    }

    @Test func aNameThatOccursTwiceIsReadOnce() throws {
        let json = #"{"eventId":"first","eventId":"second","error":{"errorCode":"A","errorCode":"B"}}"#
        guard case .error(let error) = try ServerFrame(json: Array(json.utf8)) else {
            Issue.record("no error")
            return
        }
        #expect(error.eventID == "first" && error.code.rawValue == "A")
    }

    @Test func namesMayBeEscaped() throws {
        let json = #"{"\u0065ventId":"\u00e9\ud83d\ude00\/\b\f\n\r\t\\\"","s\u0074atus":"success"}"#
        #expect(
            try ServerFrame(json: Array(json.utf8))
                == .acknowledgement(Acknowledgement(eventID: "é😀/\u{8}\u{c}\n\r\t\\\"")))
    }

    @Test(arguments: [
        "", "plain", "quote\" slash\\ /", "\u{0}\u{1}\u{8}\u{c}\n\r\t\u{1F}\u{7F}", "é😀漢字\u{2028}", "</script>",
    ])
    func textSurvives(text: String) throws {
        let frame = ServerFrame.acknowledgement(Acknowledgement(eventID: text))
        #expect(try ServerFrame(json: frame.encoded()) == frame)
    }

    private func error(_ json: [UInt8]) -> WireError? {
        do throws(WireError) {
            _ = try ServerFrame(json: json)
            return nil
        } catch {
            return error
        }
    }

    private var readers: [@Sendable ([UInt8]) -> WireError?] {
        func reader<Document: WireDocument>(_ type: Document.Type) -> @Sendable ([UInt8]) -> WireError? {
            { json in
                do throws(WireError) {
                    _ = try Document(json: json, limit: WireLimit.frame)
                    return nil
                } catch {
                    return error
                }
            }
        }
        return [
            reader(ClientFrame.self), reader(ServerFrame.self), reader(WireChannelConfiguration.self),
            reader(WireAvailability.self), reader(AttachmentUpload.self), reader(AttachmentUploadAnswer.self),
            reader(ServiceFailure.self), reader(WireVisitor.self), reader(AnalyticsEvent.self),
            reader(TokenRequest.self),
            reader(TokenAnswer.self), reader(PersistentMenu.self), reader(StreamedDelta.self),
            reader(RemoteLogEntry.self),
        ]
    }
}
