import ChatModel
import Testing

@testable import Outbound

@Suite struct APNsAppsFileTests {
    private func apps(_ json: String) throws -> [APNsApp] { try APNsAppsFile.parse(Array(json.utf8)) }

    /// One app; nil leaves a member out.
    private func json(
        topic: String = #""com.example.app""#, team: String? = #""DEF123GHIJ""#, keyID: String = #""ABC123DEFG""#,
        key: String = #""/etc/parley/AuthKey.p8""#, environment: String = #""production""#, more: String = ""
    ) -> String {
        let team = team.map { #""team":\#($0),"# } ?? ""
        return #"{"topic":\#(topic),\#(team)"key id":\#(keyID),"key":\#(key),"environment":\#(environment)\#(more)}"#
    }

    @Test func readsAnApp() throws {
        let app = try #require(try apps("[\(json())]").first)
        #expect(app.topic == "com.example.app")
        #expect(app.team == "DEF123GHIJ")
        #expect(app.keyID == "ABC123DEFG")
        #expect(app.keyPath == "/etc/parley/AuthKey.p8")
        #expect(app.environment == .production)
        #expect(app.channels == nil)
        #expect(app.url == "https://api.push.apple.com")
        #expect(app.serves(channel: "main"))
    }

    @Test func readsChannelsAndURL() throws {
        let more = #","channels":["main","shop"],"url":"https://localhost:8443/""#
        let app = try #require(try apps("[\(json(environment: #""sandbox""#, more: more))]").first)
        #expect(app.environment == .sandbox)
        #expect(app.url == "https://localhost:8443")
        #expect(app.serves(channel: "shop"))
        #expect(!app.serves(channel: "other"))
    }

    @Test func theSandboxHasItsOwnAddress() throws {
        #expect(try apps("[\(json(environment: #""sandbox""#))]").first?.url == "https://api.sandbox.push.apple.com")
    }

    @Test func eachFaultHasPointerAndReason() throws {
        let text = """
            [\(json()),
             \(json(topic: #""com example""#, team: nil, keyID: #""ABC""#, key: "1", environment: #""development""#,
                    more: #","channels":[],"url":"http://localhost/","a/b~c":1"#)),
             7]
            """
        let error = try #require(throws: InvalidMembers.self) { try apps(text) }
        #expect(
            error.faults.map(\.pointer) == [
                "/1/a~1b~0c", "/1/topic", "/1/team", "/1/key id", "/1/key", "/1/environment", "/1/channels", "/1/url",
                "/2",
            ])
        #expect(error.faults[2].reason == "The member is missing.")
        #expect(error.faults[5].reason == "production or sandbox is expected.")
        #expect(error.description.contains("/1/key id: An id of 10 letters and digits is expected."))
    }

    @Test(arguments: [
        ("", "The file is not JSON: at byte 0, the text ends where a value should be."),
        ("{}", "An array is expected, but this is an object."), ("[]", "1 to 100 apps are expected."),
        ("[{]", "The file is not JSON: at byte 2, a member's name must be a string."),
        (String(repeating: " ", count: 64 * 1024 + 1), "The file has more than 65536 bytes."),
        ("[" + String(repeating: "0,", count: 100) + "0]", "1 to 100 apps are expected."),
    ])
    func refusesAFile(text: String, reason: String) throws {
        let error = try #require(throws: InvalidMembers.self) { try apps(text) }
        #expect(error.faults == [.init(pointer: "", reason: reason)])
    }

    @Test(arguments: [
        ("", "", false), (#","channels":["a"]"#, "", false), (#","channels":["a","b"]"#, #","channels":["b"]"#, false),
        (#","channels":["a"]"#, #","channels":["b"]"#, true),
    ])
    func oneTopicIsOneAppInAChannel(first: String, second: String, isTaken: Bool) throws {
        let text = "[\(json(more: first)),\(json(environment: #""sandbox""#, more: second))]"
        if isTaken {
            #expect(try apps(text).count == 2)
        } else {
            let error = try #require(throws: InvalidMembers.self) { try apps(text) }
            #expect(error.faults.map(\.pointer) == ["/1/topic"])
        }
    }

    @Test(arguments: [
        "http://localhost", "https://user@localhost", "https://localhost/path", "https://localhost/?a", "localhost", "",
    ])
    func refusesAURL(url: String) throws {
        let error = try #require(throws: InvalidMembers.self) { try apps("[\(json(more: #","url":"\#(url)""#))]") }
        #expect(error.faults.map(\.pointer) == ["/0/url"])
    }

    @Test(arguments: [#"["a",1]"#, #"[""]"#, "null", #""a""#]) func refusesChannels(channels: String) throws {
        let text = "[\(json(more: #","channels":\#(channels)"#))]"
        let error = try #require(throws: InvalidMembers.self) { try apps(text) }
        #expect(error.faults.map(\.pointer) == ["/0/channels"])
    }
}
