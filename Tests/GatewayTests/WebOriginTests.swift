import ChatModel
import Testing

@testable import Gateway

@Suite struct WebOriginTests {
    @Test(
        arguments: [
            ("https://shop.example", "https://shop.example"), ("HTTPS://Shop.Example:443", "https://shop.example"),
            ("http://localhost:3000", "http://localhost:3000"), ("http://[::1]:80", "http://[::1]"),
            ("http://127.0.0.1:1", "http://127.0.0.1:1"),
        ])
    func anOriginIsWrittenAsBrowsersDo(text: String, expected: String) {
        #expect(WebOrigin(text)?.text == expected)
    }

    @Test(
        arguments: [
            "", "null", "*", "shop.example", "https://", "https://shop.example/", "https://shop.example:",
            "https://a b",
            "https://user@shop.example", "https://shop.example:0", "https://shop.example:65536", "ftp://shop.example",
            "https://*.shop.example", "https://shop..example", "https://shöp.example", "https://shop.example\r\nX: y",
            "https://shop.example; script-src *", "https://-a.example", "https://[::1", "https://[x]", "https://[]",
            "https://[1]", "https://[::\u{FF11}]", "https://shop.example\u{212A}",
        ])
    func whatIsNoOriginIsNone(text: String) {
        #expect(WebOrigin(text) == nil)
    }

    @Test func aWildcardStandsForAllHostsBelow() throws {
        #expect(WebOrigin("https://*.shop.example", takesWildcard: true)?.text == "https://*.shop.example")
        for text in ["https://*", "https://*.example", "https://a.*.example", "https://*shop.example"] {
            #expect(WebOrigin(text, takesWildcard: true) == nil, "\(text)")
        }
        var settings = VisitorSettings()
        settings.origins = ["https://*.shop.example", "http://localhost:3000"]
        for origin in ["https://www.shop.example", "https://a.b.shop.example", "http://localhost:3000"] {
            #expect(settings.accepts(origin: origin), "\(origin)")
        }
        for origin in [
            "https://shop.example", "http://www.shop.example", "https://evilshop.example",
            "https://www.shop.example:444",
            "https://.shop.example", "http://localhost:30001", "http://localhost",
        ] {
            #expect(!settings.accepts(origin: origin), "\(origin)")
        }
    }
}
