import ChatModel
import Testing

@Suite struct TimestampTests {
    @Test(arguments: [
        (0, "1970-01-01T00:00:00.000Z"), (1_772_442_904_512, "2026-03-02T09:15:04.512Z"),
        (951_782_400_000, "2000-02-29T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
        (4_107_542_399_999, "2100-02-28T23:59:59.999Z"),
    ] as [(Int64, String)])
    func writesAndReads(milliseconds: Int64, text: String) {
        #expect(Timestamp(milliseconds: milliseconds).rfc3339 == text)
        #expect(Timestamp(rfc3339: text)?.milliseconds == milliseconds)
    }

    @Test(arguments: ["2026-03-02T09:15:04Z", "2026-03-02T10:15:04+01:00", "2026-03-02T10:15:04+0100", "2026-03-02T09:15:04.000z"])
    func readsEverySpellingOfOneMoment(text: String) {
        #expect(Timestamp(rfc3339: text)?.milliseconds == 1_772_442_904_000)
    }

    @Test(arguments: ["", "2026-03-02", "2026-13-02T09:15:04Z", "2026-03-02T09:15:04", "2026-03-02T09:15:04.Z", "2026-03-02T09:15:04Zx", "2026-03-02T09:15:04+1"])
    func refuses(text: String) {
        #expect(Timestamp(rfc3339: text) == nil)
    }
}
