import MicroHTTP
import Testing

@testable import parley

@Suite struct ForwardedFieldsTests {
    @Test func whatConcernsOneConnectionIsLeftOut() {
        let request = HTTPRequest(
            method: "GET", target: "/",
            headers: [
                ("Host", "a"), ("Connection", "close, host, X-Own"), ("X-Own", "1"), ("x-other", "2"),
                ("X-More", "3"),
                ("X-More", "4"), ("Keep-Alive", "5"), ("Transfer-Encoding", "chunked"), ("Content-Length", "6"),
                ("Expect", "100-continue"), ("TE", "trailers"), ("Upgrade", "x"), ("X-Forwarded-For", "192.0.2.1"),
            ])
        let kept = ForwardedFields.of(request).map { "\($0.0): \($0.1)" }
        #expect(kept == ["Host: a", "X-Own: 1", "x-other: 2", "X-More: 3", "X-More: 4", "X-Forwarded-For: 192.0.2.1"])
    }

    @Test func anAnswerKeepsItsFieldsInTheirOrder() {
        let kept = ForwardedFields.ofAnswer([
            ("Set-Cookie", "a=1"), ("Date", "now"), ("set-cookie", "b=2"), ("content-length", "3"),
            ("Connection", "keep-alive"), ("Link", "<x>"),
        ]).map { "\($0.0): \($0.1)" }
        #expect(kept == ["Set-Cookie: a=1", "set-cookie: b=2", "Link: <x>"])
    }

    @Test(arguments: [("3", 3), ("0", 0), ("-1", nil), ("x", nil), (nil, nil)] as [(String?, Int64?)])
    func theLengthIsReadFromTheHead(text: String?, length: Int64?) {
        #expect(ForwardedFields.length(in: text.map { [("Content-LENGTH", $0)] } ?? []) == length)
    }

    @Test(
        arguments: [
            ("http://10.0.0.1:8787", "http://10.0.0.1:8787"), ("http://gw1/", "http://gw1"),
            ("http://[::1]:80", "http://[::1]:80"), ("https://10.0.0.1:8787", nil), ("http://", nil),
            ("http://a/path", nil), ("http://a?q", nil), ("http://user@a", nil), ("10.0.0.1:8787", nil), ("", nil),
        ] as [(String, String?)])
    func anAdvertisedAddressIsAHostAndAPort(text: String, url: String?) {
        #expect(AdvertisedAddress(text)?.url == url)
    }
}
