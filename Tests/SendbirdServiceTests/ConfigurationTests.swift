@testable import SendbirdService
import Testing

/// The file of `--sendbird`.
@Suite struct ConfigurationTests {
    private func read(_ text: String) throws -> SendbirdConfiguration {
        try SendbirdConfiguration(json: Array(text.utf8))
    }

    private static let channel = #"{"id":"support","name":"Support","customType":"support","agents":["desk-2"]}"#

    private func file(_ more: String = "", channels: String = channel) -> String {
        #"{"applications":[{"id":"0A1B-2C","apiToken":"abc0"\#(more),"channels":[\#(channels)]}]}"#
    }

    @Test func aFileIsRead() throws {
        let application = try #require(try read(file(#","getLimit":60,"url":null"#)).applications.first)
        #expect(application.base == "https://api-0A1B-2C.sendbird.com")
        #expect((application.getLimit, application.writeLimit, application.token) == (60, 5, "abc0"))
        #expect(
            application.channels == [
                SendbirdConfiguration.Entry(id: "support", name: "Support", customType: "support", agents: ["desk-2"])
            ])
    }

    @Test func aChannelNeedsAnIDOnly() throws {
        let entry = try #require(try read(file(channels: #"{"id":"a"}"#)).applications.first?.channels.first)
        #expect(entry == SendbirdConfiguration.Entry(id: "a", name: "a", customType: "", agents: []))
    }

    @Test(arguments: ["http://127.0.0.1:8787", "http://127.0.0.1:8787/", "http://[::1]:80", "https://api.example"])
    func theAddress(url: String) throws {
        let base = try #require(try read(file(#","url":"\#(url)""#)).applications.first?.base)
        #expect(!base.hasSuffix("/") && url.hasPrefix(base))
    }

    @Test(arguments: [
        ("not JSON", ""), ("[]", ""), ("{}", "/applications"), (#"{"applications":[]}"#, "/applications"),
        (#"{"applications":[1]}"#, "/applications/0"), (#"{"application":[]}"#, ""),
        (
            #"{"applications":[{"id":"a","apiToken":"t","channels":[{"id":"c","colour":"red"}]}]}"#,
            "/applications/0/channels/0"
        ),
        (#"{"applications":[{"id":"a","id":"b","apiToken":"t","channels":[{"id":"c"}]}]}"#, ""),
        (#"{"applications":[{"id":"a/b","apiToken":"t","channels":[{"id":"c"}]}]}"#, "/applications/0/id"),
        (#"{"applications":[{"id":"a","apiToken":"t t","channels":[{"id":"c"}]}]}"#, "/applications/0/apiToken"),
        (#"{"applications":[{"id":"a","channels":[{"id":"c"}]}]}"#, "/applications/0/apiToken"),
        (
            #"{"applications":[{"id":"a","apiToken":"t","getLimit":0,"channels":[{"id":"c"}]}]}"#,
            "/applications/0/getLimit"
        ),
        (
            #"{"applications":[{"id":"a","apiToken":"t","getLimit":1.5,"channels":[{"id":"c"}]}]}"#,
            "/applications/0/getLimit"
        ),
        (
            #"{"applications":[{"id":"a","apiToken":"t","url":"http://example.com","channels":[{"id":"c"}]}]}"#,
            "/applications/0/url"
        ),
        (
            #"{"applications":[{"id":"a","apiToken":"t","url":"http://127.0.0.1.example.com","channels":[{"id":"c"}]}]}"#,
            "/applications/0/url"
        ),
        (
            #"{"applications":[{"id":"a","apiToken":"t","url":"https://u@h","channels":[{"id":"c"}]}]}"#,
            "/applications/0/url"
        ),
        (#"{"applications":[{"id":"a","apiToken":"t","channels":[{"id":"c"},{"id":"d"}]}]}"#, "/applications/0"),
        (
            #"{"applications":[{"id":"a","apiToken":"t","channels":[{"id":"c"},{"id":"c","customType":"x"}]}]}"#,
            "/applications"
        ),
        (
            #"{"applications":[{"id":"a","apiToken":"t","channels":[{"id":"c","mode":"liveChat"}]}]}"#,
            "/applications/0/channels/0/mode"
        ),
        (
            #"{"applications":[{"id":"a","apiToken":"t","channels":[{"id":"c","customType":"x,y"}]}]}"#,
            "/applications/0/channels/0/customType"
        ),
        (
            #"{"applications":[{"id":"a","apiToken":"t","channels":[{"id":"c","agents":[""]}]}]}"#,
            "/applications/0/channels/0/agents/0"
        ),
    ])
    func whatIsRefused(text: String, place: String) {
        let error = #expect(throws: SendbirdConfiguration.Malformed.self) { try read(text) }
        #expect(error?.place == place, "\(error.map(String.init(describing:)) ?? "")")
    }

    @Test func anErrorTellsNothingOfTheToken() {
        let error = #expect(throws: SendbirdConfiguration.Malformed.self) {
            try read(#"{"applications":[{"id":"a","apiToken":"se cret","channels":[{"id":"c"}]}]}"#)
        }
        #expect(error?.description.contains("cret") == false)
    }
}
