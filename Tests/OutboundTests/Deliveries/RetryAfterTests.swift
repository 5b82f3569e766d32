import ChatModel
import Formats
import Testing

@testable import Outbound

@Suite struct RetryAfterTests {
    /// Sun, 06 Nov 1994 08:49:30 GMT
    private let now = Timestamp(milliseconds: 784_111_770_000)

    @Test(arguments: [
        ("120", 120), ("0", 0), (" 7\t", 7), ("007", 7), ("86400", 86_400), ("86401", 86_400),
        ("99999999999999999999999999", 86_400),
        ("Sun, 06 Nov 1994 08:49:37 GMT", 7), ("Sunday, 06-Nov-94 08:49:37 GMT", 7), ("Sun Nov  6 08:49:37 1994", 7),
        ("Mon, 07 Nov 1994 08:49:30 GMT", 86_400), ("Fri, 31 Dec 9999 23:59:59 GMT", 86_400),
    ])
    func secondsAndDatesAreRead(header: String, seconds: Int) {
        #expect(RetryAfter.delay(header, now: now) == .seconds(seconds))
    }

    @Test(arguments: [
        "", " ", "-1", "+1", "1.5", "1s", "soon", "0x10", "１２", "Sun, 06 Nov 1994 08:49:30 GMT",
        "Sun, 06 Nov 1994 08:49:29 GMT",
        "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 6 Nov 1994 08:49:37 GMT",
        "Sun, 06 nov 1994 08:49:37 GMT", "Sun, 31 Feb 1995 08:49:37 GMT", "1994-11-06T08:49:37Z",
        "Sunday, 06-Nov-1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37.5 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
    ])
    func anythingElseAsksForNothing(header: String) {
        #expect(RetryAfter.delay(header, now: now) == nil)
    }

    @Test func aHeaderWithoutAnEndIsNotRead() {
        #expect(RetryAfter.delay(String(repeating: "1", count: 64), now: now) == .seconds(86_400))
        #expect(RetryAfter.delay(String(repeating: "1", count: 65), now: now) == nil)
    }

    @Test(arguments: [("94", "1994"), ("44", "2044"), ("45", "1945"), ("00", "2000"), ("99", "1999")])
    func aYearOfTwoDigitsIsAtMostFiftyYearsAhead(digits: String, year: String) {
        let date = HTTPDate.time("Sunday, 06-Nov-\(digits) 08:49:37 GMT", now: now)
        #expect(date.map { String($0.rfc3339.prefix(4)) } == year)
    }
}
