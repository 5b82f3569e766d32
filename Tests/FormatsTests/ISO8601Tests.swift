import Formats
import Testing

/// Times as other platforms write them.
@Suite struct ISO8601Tests {
    /// 2026-04-09T06:07:08Z
    private let seconds: Int64 = 1_775_714_828

    @Test(arguments: [
        ("2026-04-09T06:07:08Z", 0), ("2026-04-09T06:07:08z", 0), ("2026-04-09T06:07:08+00:00", 0),
        ("2026-04-09T07:07:08+01:00", 0), ("2026-04-09T07:07:08+0100", 0), ("2026-04-09T00:37:08-0530", 0),
        ("2026-04-09T06:07:08.9Z", 900), ("2026-04-09T06:07:08.123456+00:00", 123), ("2026-04-09T06:07:08.045z", 45),
        ("2026-04-09 06:07:08Z", 0), ("2026-04-09T08:07:08.5+02", 500), ("2026-04-09T06:07:08,5Z", 500),
    ])
    func readsEverySpelling(text: String, milliseconds: Int64) {
        #expect(Timestamp(iso8601: text) == Timestamp(milliseconds: seconds * 1000 + milliseconds))
    }

    @Test(arguments: [
        "", "2026", "2026-04-09", "2026-04-09T06:07:08", "2026-04-09T06:07Z", "2026-13-09T06:07:08Z",
        "2026-02-30T06:07:08Z", "2026-04-09T24:07:08Z", "2026-04-09T06:60:08Z", "2026-04-09T06:07:61Z",
        "2026-04-09T06:07:08.Z", "2026-04-09T06:07:08+1", "2026-04-09T06:07:08+25:00", "2026-04-09T06:07:08ZZ",
        "2026-04-09T06:07:08+00:00:00", "-026-04-09T06:07:08Z", "２026-04-09T06:07:08Z", "not a time",
    ])
    func refusesWhatIsNoTime(text: String) {
        #expect(Timestamp(iso8601: text) == nil)
    }

    @Test(arguments: [0, 1, -1, 951_782_400, 4_107_542_399, -2_203_891_200, 253_402_300_799, -62_167_219_200])
    func whatIsWrittenIsRead(seconds: Int64) {
        let time = Timestamp(milliseconds: seconds * 1000)
        #expect(Timestamp(iso8601: time.rfc3339(hasMilliseconds: false, zone: "Z")) == time)
        #expect(Timestamp(iso8601: time.rfc3339(hasMilliseconds: true, zone: "+00:00")) == time)
    }

    @Test(
        "A time that its offset moves out of the years 0000 to 9999 is the nearest one inside",
        arguments: [
            ("0000-01-01T00:00:00+23:59", "0000-01-01T00:00:00.000Z"),
            ("0000-01-01T00:00:00Z", "0000-01-01T00:00:00.000Z"),
            ("9999-12-31T23:59:59-23:59", "9999-12-31T23:59:59.999Z"),
            ("9999-12-31T23:59:60Z", "9999-12-31T23:59:59.999Z"),
        ])
    func theYearsHaveABound(text: String, written: String) throws {
        let time = try #require(Timestamp(iso8601: text))
        #expect(time.rfc3339(hasMilliseconds: true, zone: "Z") == written)
        #expect(Timestamp(iso8601: written) == time)
    }

    @Test func yearsKeepFourDigits() {
        #expect(Timestamp(milliseconds: .min).wholeSeconds.milliseconds == -62_167_219_200_000)
        #expect(Timestamp(milliseconds: .max).milliseconds == 253_402_300_799_999)
        #expect(Timestamp(milliseconds: .max).rfc3339(hasMilliseconds: false, zone: "Z") == "9999-12-31T23:59:59Z")
        #expect(Timestamp(milliseconds: .min).rfc3339(hasMilliseconds: false, zone: "Z") == "0000-01-01T00:00:00Z")
    }
}
