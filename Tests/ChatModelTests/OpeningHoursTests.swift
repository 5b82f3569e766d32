import ChatModel
import Formats
import Foundation
import Testing

/// When hours begin and end.
@Suite struct OpeningHoursTests {
    private static func hours(
        _ zone: String, _ week: [CivilDate.Weekday: [OpeningHours.Part]], closed: [String] = [],
        open: [(String, [OpeningHours.Part])] = []
    ) throws -> Watched {
        var hours = OpeningHours(timeZone: zone)
        hours.week = week
        hours.closed = Set(try closed.map { try #require(CivilDate($0)) })
        hours.open = try open.map { OpeningHours.SpecialDay(try #require(CivilDate($0.0)), $0.1) }
        let bytes = try #require(FileManager.default.contents(atPath: "/usr/share/zoneinfo/\(zone)"))
        return Watched(hours: hours, zone: try #require(TimeZoneRules(tzif: Array(bytes))))
    }

    private struct Watched {
        let hours: OpeningHours
        let zone: TimeZoneRules

        func isOpen(_ time: String) throws -> Bool {
            hours.contains(try #require(Timestamp(rfc3339: time)), in: zone)
        }

        func begin(after time: String) throws -> String? {
            hours.nextBegin(after: try #require(Timestamp(rfc3339: time)), in: zone)?.rfc3339
        }

        func change(after time: String) throws -> String? {
            hours.nextChange(after: try #require(Timestamp(rfc3339: time)), in: zone)?.rfc3339
        }

        func seconds(from start: String, until end: String) throws -> Int64 {
            let start = try #require(Timestamp(rfc3339: start))
            return hours.length(from: start, until: try #require(Timestamp(rfc3339: end)), in: zone) / 1000
        }
    }

    private static let everyDay = CivilDate.Weekday.allCases
    private static func daily(_ parts: [OpeningHours.Part]) -> [CivilDate.Weekday: [OpeningHours.Part]] {
        Dictionary(uniqueKeysWithValues: everyDay.map { ($0, parts) })
    }
    private static let office: [CivilDate.Weekday: [OpeningHours.Part]] = Dictionary(
        uniqueKeysWithValues: everyDay.prefix(5).map { ($0, [.init(540, 720), .init(780, 1050)]) })

    @Test func aWeekHasItsTimes() throws {
        let shop = try Self.hours("Europe/Berlin", Self.office)
        #expect(try !shop.isOpen("2026-11-27T07:59:59.999Z"))
        #expect(try shop.isOpen("2026-11-27T08:00:00Z"))
        #expect(try shop.isOpen("2026-11-27T10:59:59.999Z"))
        #expect(try !shop.isOpen("2026-11-27T11:00:00Z"))
        #expect(try !shop.isOpen("2026-11-28T10:00:00Z"))
        #expect(try shop.change(after: "2026-11-27T10:00:00Z") == "2026-11-27T11:00:00.000Z")
        #expect(try shop.begin(after: "2026-11-27T10:00:00Z") == "2026-11-27T12:00:00.000Z")
        #expect(try shop.begin(after: "2026-11-27T18:00:00Z") == "2026-11-30T08:00:00.000Z")
        #expect(try shop.change(after: "2026-11-27T18:00:00Z") == "2026-11-30T08:00:00.000Z")
    }

    @Test(
        arguments: [
            // Within a part, over the noon, over a week's end.
            ("2026-11-27T08:10:00Z", "2026-11-27T08:30:30Z", 1230),
            ("2026-11-27T10:30:00Z", "2026-11-27T12:30:00Z", 3600),
            ("2026-11-27T16:00:00Z", "2026-11-30T08:05:00Z", 1800 + 300),
            // Outside the hours, nothing at all, and backwards.
            ("2026-11-28T08:00:00Z", "2026-11-29T08:00:00Z", 0),
            ("2026-11-27T08:10:00Z", "2026-11-27T08:10:00Z", 0),
            ("2026-11-27T09:00:00Z", "2026-11-27T08:10:00Z", 0),
            // A week.
            ("2026-11-23T00:00:00Z", "2026-11-30T00:00:00Z", 135_000),
        ] as [(String, String, Int64)])
    func aTimeHasAPartInTheHours(start: String, end: String, seconds: Int64) throws {
        let shop = try Self.hours("Europe/Berlin", Self.office)
        #expect(try shop.seconds(from: start, until: end) == seconds)
    }

    /// The night of 25 October has 25 hours, that of 29 March 23.
    @Test func aNightOfAnotherLengthCountsAsItIs() throws {
        let shop = try Self.hours("Europe/Berlin", Self.daily([.init(0, 1440)]))
        #expect(try shop.seconds(from: "2026-10-24T22:00:00Z", until: "2026-10-25T23:00:00Z") == 25 * 3600)
        let nights = try Self.hours("Europe/Berlin", Self.daily([.init(0, 360)]))
        #expect(try nights.seconds(from: "2026-10-24T22:00:00Z", until: "2026-10-25T23:00:00Z") == 7 * 3600)
        #expect(try nights.seconds(from: "2026-03-28T23:00:00Z", until: "2026-03-29T22:00:00Z") == 5 * 3600)
    }

    @Test func otherDaysGoFirst() throws {
        let shop = try Self.hours(
            "Europe/Berlin", Self.office, closed: ["2026-12-25"], open: [("2026-12-24", [.init(540, 600)])])
        #expect(try shop.isOpen("2026-12-24T08:30:00Z"))
        #expect(try !shop.isOpen("2026-12-24T09:30:00Z"))
        #expect(try !shop.isOpen("2026-12-25T09:00:00Z"))
        #expect(try shop.begin(after: "2026-12-24T09:30:00Z") == "2026-12-28T08:00:00.000Z")
    }

    @Test func aNightIsOneTime() throws {
        var week = Self.daily([])
        week[.friday] = [.init(1320, 1440)]
        week[.saturday] = [.init(0, 120)]
        let bar = try Self.hours("America/New_York", week)
        #expect(try bar.isOpen("2026-11-28T03:00:00Z"))
        #expect(try bar.isOpen("2026-11-28T05:00:00Z"))
        #expect(try bar.change(after: "2026-11-28T03:00:00Z") == "2026-11-28T07:00:00.000Z")
        #expect(try bar.begin(after: "2026-11-28T03:00:00Z") == "2026-12-05T03:00:00.000Z")
    }

    @Test func theHourThatIsLeftOutIsTheNextOne() throws {
        let shop = try Self.hours("Europe/Berlin", Self.daily([.init(150, 240)]))
        #expect(try shop.begin(after: "2026-03-28T12:00:00Z") == "2026-03-29T01:00:00.000Z")
        #expect(try shop.change(after: "2026-03-29T01:00:00Z") == "2026-03-29T02:00:00.000Z")
        // All of it is left out: that day has no such time.
        let brief = try Self.hours("Europe/Berlin", Self.daily([.init(125, 175)]))
        #expect(try brief.begin(after: "2026-03-28T12:00:00Z") == "2026-03-30T00:05:00.000Z")
    }

    @Test func theHourThatIsThereTwiceIsTheFirstOne() throws {
        let shop = try Self.hours("Europe/Berlin", Self.daily([.init(60, 150), .init(150, 180)]))
        #expect(try shop.begin(after: "2026-10-24T12:00:00Z") == "2026-10-24T23:00:00.000Z")
        // The second part goes from the first 02:30 to 03:00, over the second one.
        #expect(try shop.change(after: "2026-10-24T23:00:00Z") == "2026-10-25T02:00:00.000Z")
        #expect(try shop.isOpen("2026-10-25T01:10:00Z"))
        let early = try Self.hours("Europe/Berlin", Self.daily([.init(60, 150)]))
        #expect(try !early.isOpen("2026-10-25T01:10:00Z"))
    }

    @Test func aLeapDayIsADay() throws {
        let shop = try Self.hours("UTC", [:], open: [("2028-02-29", [.init(0, 1440)])])
        #expect(try shop.begin(after: "2028-02-01T00:00:00Z") == "2028-02-29T00:00:00.000Z")
        #expect(try shop.change(after: "2028-02-29T12:00:00Z") == "2028-03-01T00:00:00.000Z")
        #expect(CivilDate("2027-02-29") == nil)
    }

    @Test func beyondAYearNobodyKnows() throws {
        let never = try Self.hours("Europe/Berlin", [:], open: [("2030-01-01", [.init(0, 60)])])
        #expect(try never.begin(after: "2026-01-01T00:00:00Z") == nil)
        #expect(try never.change(after: "2026-01-01T00:00:00Z") == nil)
        let always = try Self.hours("Europe/Berlin", Self.daily([.init(0, 1440)]))
        #expect(try always.isOpen("2026-10-25T00:30:00Z"))
        #expect(try always.change(after: "2026-01-01T00:00:00Z") == nil)
        #expect(try always.begin(after: "2026-01-01T00:00:00Z") == nil)
    }

    @Test func decadesAheadTheyFollowTheFilesLastLine() throws {
        let shop = try Self.hours("America/Los_Angeles", Self.daily([.init(540, 600)]))
        #expect(try shop.begin(after: "2079-07-01T00:00:00Z") == "2079-07-01T16:00:00.000Z")
        #expect(try shop.begin(after: "2079-12-01T00:00:00Z") == "2079-12-01T17:00:00.000Z")
    }

    @Test func itsJSONIsReadAgain() throws {
        var hours = try Self.hours(
            "Europe/Berlin", Self.office, closed: ["2026-12-25"], open: [("2026-12-24", [.init(540, 1440)])]
        ).hours
        hours.mode = .both
        let text = String(decoding: hours.canonicalJSON, as: UTF8.self)
        #expect(
            text.hasPrefix(
                #"{"mode":"both","timeZone":"Europe/Berlin","week":{"mon":[["09:00","12:00"],["13:00","17:30"]],"#))
        #expect(text.hasSuffix(#""closed":["2026-12-25"],"open":[{"day":"2026-12-24","times":[["09:00","24:00"]]}]}"#))
        #expect(try OpeningHours(canonicalJSON: hours.canonicalJSON) == hours)
    }

    @Test(arguments: [
        (["de-AT"], "zu"), (["fr"], "closed"), ([], "closed"), (["fr", "pt-PT"], "closed"), (["it", "de"], "zu"),
    ])
    func theAnswerIsInTheCustomersLanguage(wanted: [String], answer: String) {
        var outside = ClosedHours()
        outside.answer = ["de": "zu", "en": "closed"]
        #expect(outside.answer(for: wanted, of: []) == answer)
        #expect(outside.answer(for: ["fr"], of: ["de", "en"]) == "zu")
        outside.answer = ["pl": "zamknięte"]
        #expect(outside.answer(for: wanted, of: []) == "zamknięte")
        #expect(ClosedHours().answer(for: wanted, of: []) == nil)
    }
}
