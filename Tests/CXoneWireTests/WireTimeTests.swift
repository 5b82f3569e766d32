import Formats
import Testing

@testable import CXoneWire

@Suite struct WireTimeTests {
    @Test func writesSecondsAsEachSideDoes() {
        let moment = time(milliseconds: 45)
        #expect(text(.client) { $0.member("at", moment) } == #"{"at":"2026-04-09T06:07:08Z"}"#)
        #expect(text(.server) { $0.member("at", moment) } == #"{"at":"2026-04-09T06:07:08+00:00"}"#)
        #expect(text(.client) { $0.member("at", milliseconds: moment) } == #"{"at":"2026-04-09T06:07:08.045Z"}"#)
        #expect(text(.server) { $0.member("at", milliseconds: moment) } == #"{"at":"2026-04-09T06:07:08.045+00:00"}"#)
    }

    private func text(_ side: WireWriter.Side, _ members: (inout WireWriter) -> Void) -> String {
        String(decoding: WireWriter.text(side: side) { $0.object(members) }, as: UTF8.self)
    }
}
