import Formats
import Testing

@Suite struct TimestampTests {
    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (1_772_442_904_512, "2026-03-02T09:15:04.512Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (4_107_542_399_999, "2100-02-28T23:59:59.999Z"),
            (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"), (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
        ] as [(Int64, String)])
    func writesAndReads(milliseconds: Int64, text: String) {
        #expect(Timestamp(milliseconds: milliseconds).rfc3339 == text)
        #expect(Timestamp(rfc3339: text)?.milliseconds == milliseconds)
    }

    @Test(arguments: [
        "2026-03-02T09:15:04Z", "2026-03-02T10:15:04+01:00", "2026-03-02T10:15:04+0100", "2026-03-02T09:15:04.000z",
    ])
    func readsEverySpellingOfOneMoment(text: String) {
        #expect(Timestamp(rfc3339: text)?.milliseconds == 1_772_442_904_000)
    }

    @Test(arguments: [
        "", "2026-03-02", "2026-13-02T09:15:04Z", "2026-03-02T09:15:04", "2026-03-02T09:15:04.Z",
        "2026-03-02T09:15:04Zx", "2026-03-02T09:15:04+1", "2026-02-30T09:15:04Z", "2026-03-00T09:15:04Z",
        "2026-03-02T09:15:04,5Z", "2026-03-02T09:15:04+01",
    ])
    func refuses(text: String) {
        #expect(Timestamp(rfc3339: text) == nil)
    }

    /// The first year minus an offset and the last year plus one: such years have no four digits.
    @Test(arguments: [
        "0000-01-01T00:00:00+23:59", "0000-01-01T00:00:00.000+00:01", "9999-12-31T23:59:59-23:59",
        "9999-12-31T23:59:59.999-0001", "9999-12-31T23:59:60Z",
    ])
    func refusesTimesOutsideTheYears0To9999(text: String) {
        #expect(Timestamp(rfc3339: text) == nil)
    }

    @Test(
        arguments: [
            (.min, "0000-01-01T00:00:00.000Z"), (-62_167_219_200_001, "0000-01-01T00:00:00.000Z"),
            (253_402_300_800_000, "9999-12-31T23:59:59.999Z"), (.max, "9999-12-31T23:59:59.999Z"),
        ] as [(Int64, String)])
    func numbersBeyondAnEndGiveThatEnd(milliseconds: Int64, text: String) {
        #expect(Timestamp(milliseconds: milliseconds).rfc3339 == text)
    }

    @Test func arithmeticStopsAtTheEnds() {
        #expect(Timestamp.latest.advanced(byMilliseconds: 1) == .latest)
        #expect(Timestamp.latest.advanced(byMilliseconds: .max) == .latest)
        #expect(Timestamp.earliest.advanced(byMilliseconds: -1) == .earliest)
        #expect(Timestamp.earliest.advanced(byMilliseconds: .min) == .earliest)
        #expect(Timestamp(milliseconds: 0).advanced(bySeconds: .max) == .latest)
        #expect(Timestamp(milliseconds: 0).advanced(bySeconds: .min) == .earliest)
        #expect(Timestamp(milliseconds: 0).advanced(bySeconds: 2).milliseconds == 2000)
    }

    @Test func storedTimesOutsideTheRangeAreRefused() throws {
        let json = try JSONParser.parse(Array(#"{"at":"0000-01-01T00:00:00+23:59"}"#.utf8))
        #expect(throws: ModelError(member: "at")) { try json.requiredTimestamp("at") }
    }
}
