import ChatModel
import Formats
import Testing

@testable import Outbound

@Suite struct WebhookSettingsTests {
    private func read(_ json: String, changing settings: WebhookSettings? = nil) throws -> WebhookSettings {
        try WebhookSettings(reading: JSONParser.parse(Array(json.utf8)), changing: settings)
    }

    private func faults(_ json: String, changing settings: WebhookSettings? = nil) -> [InvalidMembers.Fault] {
        do {
            _ = try read(json, changing: settings)
        } catch let error as InvalidMembers {
            return error.faults
        } catch {
            Issue.record(error)
        }
        return []
    }

    private static let whole = """
        {"url":"http://127.0.0.1:9000/hook","description":"Böt","types":["message.created","thread.created"],\
        "directions":["toAgent"],"channels":["chat"],"headers":{"Authorization":"Bearer s3cret","X-Bot":"1"},\
        "concurrency":1,"timeoutSeconds":60}
        """

    @Test func settingsHaveOneSpelling() throws {
        let settings = try read(Self.whole)
        #expect(String(decoding: settings.canonicalJSON, as: UTF8.self) == Self.whole)
        #expect(try WebhookSettings(canonicalJSON: settings.canonicalJSON) == settings)
        #expect(
            settings.filter
                == WebhookFilter(
                    types: [.messageCreated, .threadCreated], directions: [.toAgent], channels: ["chat"]))
    }

    @Test func aURLAloneIsEnough() throws {
        let settings = try read(#"{"url":"http://127.0.0.1:9000"}"#)
        #expect(settings == WebhookSettings(url: "http://127.0.0.1:9000"))
        #expect(settings.concurrency == 8 && settings.timeoutSeconds == 15)
        #expect(settings.filter == WebhookFilter())
        #expect(
            String(decoding: settings.canonicalJSON, as: UTF8.self) == """
                {"url":"http://127.0.0.1:9000","headers":{},"concurrency":8,"timeoutSeconds":15}
                """)
        #expect(try WebhookSettings(canonicalJSON: settings.canonicalJSON) == settings)
    }

    @Test func aChangeLeavesTheRestAsItIs() throws {
        let settings = try read(Self.whole)
        #expect(try read("{}", changing: settings) == settings)
        var expected = settings
        expected.concurrency = 2
        #expect(try read(#"{"concurrency":2.0}"#, changing: settings) == expected)
        let bare = try read(
            """
            {"description":null,"types":null,"directions":null,"channels":null,"headers":null,
             "concurrency":null,"timeoutSeconds":null}
            """, changing: settings)
        #expect(bare == WebhookSettings(url: settings.url))
        #expect(faults(#"{"url":null}"#, changing: settings).map(\.pointer) == ["/url"])
    }

    @Test func aHeaderIsChangedAlone() throws {
        let settings = try read(Self.whole)
        let changed = try read(#"{"headers":{"x-bot":"2","X-New":"3"}}"#, changing: settings)
        #expect(
            changed.headers.map { "\($0.name)=\($0.value)" } == [
                "Authorization=Bearer s3cret", "X-New=3",
                "x-bot=2",
            ])
        let fewer = try read(#"{"headers":{"AUTHORIZATION":null,"X-None":null}}"#, changing: settings)
        #expect(fewer.headers.map(\.name) == ["X-Bot"])
    }

    @Test(arguments: [
        ("{}", "/url"), (#"{"url":7}"#, "/url"), (#"{"url":"ftp://a/"}"#, "/url"),
        (#"{"url":"http://u:p@a/"}"#, "/url"),
        ("[]", ""), ("null", ""),
        (#"{"url":"http://a","description":7}"#, "/description"),
        (#"{"url":"http://a","types":[]}"#, "/types"), (#"{"url":"http://a","types":"message.created"}"#, "/types"),
        (#"{"url":"http://a","types":["message.created","typing"]}"#, "/types/1"),
        (#"{"url":"http://a","types":["message.creat\u0065d","Message.Created"]}"#, "/types/1"),
        (#"{"url":"http://a","types":[null]}"#, "/types/0"),
        (#"{"url":"http://a","directions":[]}"#, "/directions"),
        (#"{"url":"http://a","directions":["up"]}"#, "/directions/0"),
        (#"{"url":"http://a","channels":[]}"#, "/channels"), (#"{"url":"http://a","channels":[""]}"#, "/channels/0"),
        (#"{"url":"http://a","channels":["a","b\n"]}"#, "/channels/1"),
        (#"{"url":"http://a","channels":["ü"]}"#, "/channels/0"),
        (#"{"url":"http://a","headers":[]}"#, "/headers"), (#"{"url":"http://a","headers":{"A":7}}"#, "/headers/A"),
        (#"{"url":"http://a","headers":{"A":"1","a":"2"}}"#, "/headers/a"),
        (#"{"url":"http://a","headers":{"a/b~":"1"}}"#, "/headers/a~1b~0"),
        (#"{"url":"http://a","concurrency":0}"#, "/concurrency"),
        (#"{"url":"http://a","concurrency":65}"#, "/concurrency"),
        (#"{"url":"http://a","concurrency":1.5}"#, "/concurrency"),
        (#"{"url":"http://a","concurrency":"1"}"#, "/concurrency"),
        (#"{"url":"http://a","concurrency":1e300}"#, "/concurrency"),
        (#"{"url":"http://a","timeoutSeconds":0}"#, "/timeoutSeconds"),
        (#"{"url":"http://a","timeoutSeconds":61}"#, "/timeoutSeconds"),
        (#"{"url":"http://a","timeoutSeconds":-9223372036854775808}"#, "/timeoutSeconds"),
    ])
    func aWrongMemberIsNamed(json: String, pointer: String) {
        #expect(faults(json).map(\.pointer) == [pointer])
    }

    @Test func allThatIsWrongIsNamedAtOnce() {
        let faults = faults(#"{"url":"ftp://a","types":["x"],"headers":{"Host":"a"},"concurrency":0}"#)
        #expect(faults.map(\.pointer) == ["/url", "/types/0", "/headers/Host", "/concurrency"])
        #expect(faults.map(\.kind) == [.targetNotAllowed, .invalid, .invalid, .invalid])
        #expect(self.faults("{}").map(\.kind) == [.missing])
        let headers = (0..<1000).map { "\"h \($0)\":\"1\"" }.joined(separator: ",")
        #expect(self.faults("{\"headers\":{\(headers)}}").count == InvalidMembers.maximumFaults)
    }

    @Test(arguments: [
        "Host", "content-length", "CONTENT-TYPE", "Content-Encoding", "Transfer-Encoding", "Connection", "Keep-Alive",
        "TE",
        "Trailer", "Upgrade", "Expect", "Accept-Encoding", "webhook-id", "Webhook-Anything", "Proxy-Authorization", "",
        "a b", "a:",
        "ü", "a\r\nb", "a\u{0}", "(a)",
    ])
    func aHeaderThatTheGatewayWritesOrThatIsNoneIsRefused(name: String) {
        #expect(throws: WebhookHeader.InvalidHeader.self) { try WebhookHeader(checking: name, "1") }
    }

    @Test(arguments: ["a\r\nHost: b", "a\n", "\u{0}", "\u{7F}", "ü", " a", "a\t", "\u{1B}[0m"])
    func aValueThatCouldBreakTheRequestIsRefused(value: String) {
        #expect(throws: WebhookHeader.InvalidHeader.self) { try WebhookHeader(checking: "X-A", value) }
    }

    @Test(arguments: [
        ("Authorization", "Basic dTpw"), ("X!#$%&'*+-.^_`|~9", "a b\tc"), ("User-Agent", ""),
        (
            "Webhook",
            "1"
        ),
    ])
    func otherHeadersAreTaken(name: String, value: String) throws {
        let header = try WebhookHeader(checking: name, value)
        #expect(header.name == name && header.value == value)
    }

    @Test func eachMemberHasABound() throws {
        func text(_ count: Int) -> String { String(repeating: "é", count: count) }
        #expect(try read("{\"url\":\"http://a\",\"description\":\"\(text(500))\"}").description == text(500))
        #expect(faults("{\"url\":\"http://a\",\"description\":\"\(text(501))\"}").map(\.pointer) == ["/description"])
        let path = String(repeating: "a", count: 2000 - "http://a/".utf8.count)
        #expect(try read("{\"url\":\"http://a/\(path)\"}").url.utf8.count == 2000)
        #expect(faults("{\"url\":\"http://a/\(path)a\"}").map(\.pointer) == ["/url"])

        func list(_ name: String, _ count: Int, _ item: (Int) -> String) -> String {
            "{\"url\":\"http://a\",\"\(name)\":[\((0..<count).map(item).joined(separator: ","))]}"
        }
        #expect(try read(list("types", 50) { _ in "\"message.created\"" }).types == [.messageCreated])
        #expect(faults(list("types", 51) { _ in "\"message.created\"" }).map(\.pointer) == ["/types"])
        #expect(try read(list("channels", 100) { "\"c\($0)\"" }).channels?.count == 100)
        #expect(faults(list("channels", 101) { "\"c\($0)\"" }).map(\.pointer) == ["/channels"])
        let id = String(repeating: "i", count: 128)
        #expect(try read(list("channels", 1) { _ in "\"\(id)\"" }).channels == [id])
        #expect(faults(list("channels", 1) { _ in "\"\(id)i\"" }).map(\.pointer) == ["/channels/0"])

        func headers(_ range: Range<Int>) -> String {
            "{\"url\":\"http://a\",\"headers\":{\(range.map { "\"h\($0)\":\"1\"" }.joined(separator: ","))}}"
        }
        let settings = try read(headers(0..<20))
        #expect(settings.headers.count == 20)
        #expect(faults(headers(0..<21)).map(\.pointer) == ["/headers"])
        #expect(faults(headers(20..<21), changing: settings).map(\.pointer) == ["/headers"])
        _ = try WebhookHeader(checking: String(repeating: "h", count: 100), String(repeating: "v", count: 4096))
        #expect(throws: WebhookHeader.InvalidHeader.self) {
            try WebhookHeader(checking: String(repeating: "h", count: 101), "")
        }
        #expect(throws: WebhookHeader.InvalidHeader.self) {
            try WebhookHeader(checking: "h", String(repeating: "v", count: 4097))
        }
    }

    @Test func valuesOfHeadersAreNotPrinted() throws {
        let settings = try read(Self.whole)
        #expect(!"\(settings)".contains("s3cret"))
        #expect(!String(reflecting: settings).contains("s3cret"))
        #expect("\(settings.headers)".contains("Authorization: (hidden)"))
    }

    @Test func aRowThatIsNotWhatItShouldBeIsAnError() {
        for (json, member) in [
            (#"{"headers":{},"concurrency":8,"timeoutSeconds":15}"#, "url"),
            (#"{"url":"http://a","types":["x"],"headers":{},"concurrency":8,"timeoutSeconds":15}"#, "types"),
            (#"{"url":"http://a","channels":7,"headers":{},"concurrency":8,"timeoutSeconds":15}"#, "channels"),
        ] {
            #expect(throws: ModelError(member: member)) { try WebhookSettings(canonicalJSON: Array(json.utf8)) }
        }
    }
}
