import Testing

@testable import Outbound

@Suite struct AbsoluteURLTests {
    @Test(arguments: [
        ("https://push.example.net/p/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV", "https://push.example.net"),
        ("https://push.example.net:443/p", "https://push.example.net"),
        ("https://push.example.net:80/p", "https://push.example.net:80"),
        ("https://PUSH.Example.net:8443", "https://push.example.net:8443"),
        ("HTTPS://push.example.net?token=a%3d", "https://push.example.net"),
        ("https://[::1]:8443/x", "https://[::1]:8443"), ("https://[2001:DB8::1]/x", "https://[2001:db8::1]"),
        ("https://127.0.0.1/x@y:z", "https://127.0.0.1"),
        ("http://localhost:8787/", "http://localhost:8787"), ("http://localhost:80/", "http://localhost"),
    ])
    func theOriginHasNoDefaultPort(text: String, origin: String) throws {
        let url = try AbsoluteURL(text, schemes: ["http", "https"], maximumLength: 1000)
        #expect(url.origin == origin)
        #expect(url.text == text)
    }

    @Test func isTakenApart() throws {
        let url = try AbsoluteURL("https://push.example.net:444/p/a?b=c", schemes: ["https"], maximumLength: 1000)
        #expect(url.scheme == "https")
        #expect(url.host == "push.example.net")
        #expect(url.port == 444)
        #expect(url.target == "/p/a?b=c")
    }

    @Test(arguments: [
        "", "push.example.net", "http://push.example.net/", "ftp://push.example.net/", "https:/push.example.net",
        "https://",
        "https:///p", "https://:443/p", "https://user@push.example.net/", "https://user:word@push.example.net/",
        "https://push.example.net/#a", "https://push.example.net:0/", "https://push.example.net:65536/",
        "https://push.example.net:/", "https://push.example.net:0443/", "https://push.example.net:+443/",
        "https://[::1/",
        "https://[]/", "https://[::g]/", "https://[::1]x/", "https://pu sh.example.net/", "https://push.example.net/ä",
        "https://push.example.net/\n", "https://push.example.net\\x", "https://.example.net/", "https://push%2e.net/",
    ])
    func refuses(text: String) {
        #expect(throws: AbsoluteURL.Malformed.self) { try AbsoluteURL(text, schemes: ["https"], maximumLength: 1000) }
    }

    @Test(arguments: [
        ("http://push.example.net/", "The URL must begin with https://."),
        ("https://secret@push.example.net/", "The URL must not name a user."),
        ("https://push.example.net/#secret", "The URL must not have a fragment."),
        ("https://push.example.net:0/secret", "The URL needs a host, and a port of 1 to 65535 if any."),
        ("https://push.example.net/secret ", "The URL has a character that no URL has."),
        ("", "A URL of 1 to 1000 bytes is expected."),
    ])
    func aRefusalSaysWhyWithoutTheURL(text: String, reason: String) throws {
        let error = try #require(throws: AbsoluteURL.Malformed.self) {
            try AbsoluteURL(text, schemes: ["https"], maximumLength: 1000)
        }
        #expect(error.reason == reason)
    }

    @Test func hasABoundOfBytes() throws {
        let text = "https://push.example.net/"
        _ = try AbsoluteURL(text, schemes: ["https"], maximumLength: text.utf8.count)
        #expect(throws: AbsoluteURL.Malformed.self) {
            try AbsoluteURL(text, schemes: ["https"], maximumLength: text.utf8.count - 1)
        }
    }
}
