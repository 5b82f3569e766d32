import Foundation
import HTTPClientPort
import Testing

@testable import Outbound

@Suite struct TargetAddressTests {
    @Test(arguments: [
        ("https://example.com", "https://example.com/", "example.com", 443),
        ("HTTP://Example.COM:80/A?b=C", "http://example.com/A?b=C", "example.com", 80),
        ("https://example.com:80", "https://example.com:80/", "example.com", 80),
        ("https://example.com.:8443?x", "https://example.com:8443/?x", "example.com", 8443),
        ("http://[::1]:8080/hook", "http://[::1]:8080/hook", "::1", 8080),
        ("http://[2001:DB8::1]/", "http://[2001:db8::1]/", "2001:db8::1", 80),
        ("http://bot_1.internal/a%20b/;,'()*~", "http://bot_1.internal/a%20b/;,'()*~", "bot_1.internal", 80),
        (
            "https://ntfy.example/topic?tpl=1&t=%7B%7B.data%7D%7D",
            "https://ntfy.example/topic?tpl=1&t=%7B%7B.data%7D%7D",
            "ntfy.example", 443
        ),
        ("https://a.example/x@y:z//?q=/?@", "https://a.example/x@y:z//?q=/?@", "a.example", 443),
    ])
    func aURLHasOneSpelling(text: String, url: String, host: String, port: UInt16) throws {
        let target = try TargetAddress(text)
        #expect(target.url == url)
        #expect(target.host == host)
        #expect(target.port == port)
        #expect(try TargetAddress(url) == target)
    }

    @Test func theOriginHasNoPortThatIsTheSchemes() throws {
        #expect(try TargetAddress("https://push.example:443/a?b").origin == "https://push.example")
        #expect(try TargetAddress("https://push.example:444/a?b").origin == "https://push.example:444")
        #expect(try TargetAddress("https://[::1]:444/a").origin == "https://[::1]:444")
    }

    @Test(arguments: [
        ("ftp://example.com/", "scheme"), ("file:///etc/passwd", "scheme"), ("gopher://example.com", "scheme"),
        ("httpss://example.com/", "scheme"),
        ("http:example.com", "no URL"), ("http:/example.com", "no URL"), ("//example.com", "no URL"), ("", "no URL"),
        ("example.com", "no URL"), ("javascript:alert(1)", "no URL"), (":", "no URL"),
        ("http://", "host"), ("http:///path", "host"), ("http://:80/", "host"), ("http://a..b/", "host"),
        ("http://.a/", "host"),
        ("http://./", "host"), ("http://a b/", "spaces"), ("http://a%2eb/", "host"), ("http://a,b/", "host"),
        ("http://a\\b/", "host"),
        ("http://[::1/", "host"), ("http://[::1]x/", "host"), ("http://[127.0.0.1]/", "host"),
        ("http://[fe80::1%25lo]/", "host"),
        ("http://[v1.a]/", "host"), ("http://::1/", "host"), ("http://[]/", "host"),
        ("http://a:0/", "port"), ("http://a:/", "port"), ("http://a:65536/", "port"), ("http://a:080/", "port"),
        ("http://a:-1/", "port"), ("http://a:+1/", "port"), ("http://a:1:2/", "port"), ("http://a:x/", "port"),
        ("http://user@a/", "user name"), ("http://user:secret@a/", "user name"), ("http://@a/", "user name"),
        ("http://a#b@c/", "fragment"), ("http://a/#", "fragment"), ("http://a/b?c#d", "fragment"),
        ("http://a/b c", "spaces"), ("http://a/\n", "spaces"), (" http://a/", "spaces"), ("http://a/\u{0}", "spaces"),
        ("http://bücher.example/", "xn--"), ("http://a/ü", "ASCII"), ("http://１２７.0.0.1/", "ASCII"),
        ("http://a/%", "percent-encoded"), ("http://a/%2", "percent-encoded"), ("http://a/%zz", "percent-encoded"),
        ("http://a/{b}", "percent-encoded"), ("http://a/b\\c", "percent-encoded"), ("http://a/?[b]", "percent-encoded"),
    ])
    func aURLThatCouldBeReadInTwoWaysIsRefused(text: String, word: String) {
        let refusal = #expect(throws: AddressRefusal.self) { try TargetAddress(text) }
        #expect(refusal?.detail.contains(word) == true, "\(refusal?.detail ?? "")")
        #expect(refusal?.detail.contains("secret") == false)
    }

    @Test func aCallerMayWantOneSchemeAlone() throws {
        let refusal = #expect(throws: AddressRefusal.self) { try TargetAddress("http://a/", schemes: [.https]) }
        #expect(refusal?.detail == "The URL's scheme must be https.")
        #expect(try TargetAddress("HTTPS://a?b", schemes: [.https]).pathAndQuery == "/?b")
    }

    /// What is judged must be what is connected to: the HTTP client reads URLs with Foundation.
    @Test func foundationReadsTheSameHostAndPort() throws {
        var random = SplitMix(state: 20_260_302)
        let pieces = [
            "http", "https", "://", ":", "/", "//", "\\", "@", "#", "?", "%", "%2e", "%40", "[", "]", "::1",
            "127.0.0.1", "0x7f.1", "a.example", "b", ".", "-", "_", "80", "8080", "443", "0", "ü", " ", "\t", "\u{0}",
            "&=", ";", "user", "[::1]", "[::ffff:1.2.3.4]",
        ]
        var accepted = 0
        for _ in 0..<20_000 {
            var text = Bool.random(using: &random) ? "http://" : "https://"
            for _ in 0..<Int.random(in: 1...5, using: &random) { text += pieces.randomElement(using: &random) ?? "" }
            guard let target = try? TargetAddress(text) else { continue }
            accepted += 1
            for spelling in [text, target.url] {
                let url = try #require(URL(string: spelling), "\(spelling)")
                let host = url.host?.lowercased().trimmingCharacters(in: ["."])
                #expect(host == target.host, "\(spelling)")
                #expect(url.port ?? Int(target.scheme.defaultPort) == Int(target.port), "\(spelling)")
                #expect(url.user == nil && url.password == nil && url.fragment == nil, "\(spelling)")
                #expect(url.scheme == target.scheme.rawValue)
            }
        }
        #expect(accepted > 1000)
    }

    /// Random numbers that are the same in each run.
    private struct SplitMix: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }

    @Test func aURLHasABound() throws {
        let path = String(repeating: "a", count: 2000 - "http://a/".utf8.count)
        #expect(try TargetAddress("http://a/" + path).url.utf8.count == 2000)
        #expect(throws: AddressRefusal.self) { try TargetAddress("http://a/" + path + "a") }
        #expect(throws: AddressRefusal.self) { try TargetAddress("https://a/bcd", maximumLength: 12) }
        #expect(try TargetAddress("https://a/bc", maximumLength: 12).host == "a")
    }

    @Test func aNameHasBounds() throws {
        let label = String(repeating: "a", count: 63)
        #expect(try TargetAddress("http://\(label)/").host == label)
        #expect(throws: AddressRefusal.self) { try TargetAddress("http://\(label)a/") }
        let name = [label, label, label, String(repeating: "a", count: 61)].joined(separator: ".")
        #expect(try TargetAddress("http://\(name)/").host.utf8.count == 253)
        #expect(throws: AddressRefusal.self) { try TargetAddress("http://\(name)a/") }
    }
}
