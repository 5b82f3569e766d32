import Formats
import Foundation
import Testing

/// Time zones as the time zone database's files have them.
@Suite struct TimeZoneRulesTests {
    private static func zone(_ name: String) throws -> TimeZoneRules {
        let bytes = try #require(FileManager.default.contents(atPath: "/usr/share/zoneinfo/\(name)"))
        return try #require(TimeZoneRules(tzif: Array(bytes)))
    }

    private static func offset(_ name: String, _ time: String) throws -> Int {
        try zone(name).secondsFromUTC(at: #require(Timestamp(rfc3339: time)))
    }

    private static func time(_ name: String, _ day: String, _ minute: Int) throws -> String {
        try zone(name).time(minute, of: #require(CivilDate(day))).rfc3339
    }

    @Test(arguments: [
        // Before the first change, from the list of changes, and from the last line: centuries ahead, both halves.
        ("Europe/Berlin", "1890-01-01T00:00:00Z", 3208), ("Europe/Berlin", "1980-07-01T00:00:00Z", 7200),
        ("Europe/Berlin", "2026-03-29T00:59:59Z", 3600), ("Europe/Berlin", "2026-03-29T01:00:00Z", 7200),
        ("Europe/Berlin", "2026-10-25T00:59:59Z", 7200), ("Europe/Berlin", "2026-10-25T01:00:00Z", 3600),
        ("Europe/Berlin", "2399-07-01T00:00:00Z", 7200), ("Europe/Berlin", "2399-12-31T23:59:59Z", 3600),
        ("America/New_York", "2026-07-01T00:00:00Z", -14_400), ("Australia/Sydney", "2060-01-15T00:00:00Z", 39_600),
        ("Asia/Kathmandu", "2050-01-01T00:00:00Z", 20_700), ("Pacific/Kiritimati", "2050-01-01T00:00:00Z", 50_400),
        // Ireland's summer is its standard time; Greenland's change is on the day before, by its own clocks.
        ("Europe/Dublin", "2050-07-01T00:00:00Z", 3600), ("America/Nuuk", "2050-07-01T00:00:00Z", -3600),
    ])
    func theOffsetIsTheDatabases(zone: String, time: String, offset: Int) throws {
        #expect(try Self.offset(zone, time) == offset)
    }

    @Test(arguments: [
        ("Europe/Berlin", "2026-11-28", 540, "2026-11-28T08:00:00.000Z"),
        ("Europe/Berlin", "2028-02-29", 540, "2028-02-29T08:00:00.000Z"),
        ("Europe/Berlin", "2026-12-31", 1440, "2026-12-31T23:00:00.000Z"),
        // 02:30 is left out in spring: the next time is 03:00. In autumn it is there twice: the first one.
        ("Europe/Berlin", "2026-03-29", 150, "2026-03-29T01:00:00.000Z"),
        ("Europe/Berlin", "2026-03-29", 180, "2026-03-29T01:00:00.000Z"),
        ("Europe/Berlin", "2026-10-25", 150, "2026-10-25T00:30:00.000Z"),
        ("Europe/Berlin", "2026-10-25", 180, "2026-10-25T02:00:00.000Z"),
        ("Australia/Lord_Howe", "2026-10-04", 135, "2026-10-03T15:30:00.000Z"),
        // The clocks go from 24:00 to 01:00, and Samoa has left out a day.
        ("Africa/Cairo", "2026-04-24", 0, "2026-04-23T22:00:00.000Z"),
        ("Pacific/Apia", "2011-12-30", 600, "2011-12-30T10:00:00.000Z"),
        ("America/New_York", "2090-07-01", 0, "2090-07-01T04:00:00.000Z"),
    ])
    func aTimeOfADayIsFound(zone: String, day: String, minute: Int, time: String) throws {
        #expect(try Self.time(zone, day, minute) == time)
    }

    @Test func theDayIsTheZones() throws {
        let time = try #require(Timestamp(rfc3339: "2026-12-31T23:30:00Z"))
        #expect(try Self.zone("Europe/Berlin").day(at: time).text == "2027-01-01")
        #expect(try Self.zone("America/Los_Angeles").day(at: time).text == "2026-12-31")
        #expect(TimeZoneRules.utc.day(at: time).weekday == .thursday)
    }

    @Test func bytesThatAreNoFileAreRefused() throws {
        let bytes = try Array(#require(FileManager.default.contents(atPath: "/usr/share/zoneinfo/Europe/Berlin")))
        #expect(TimeZoneRules(tzif: bytes) != nil)
        for count in 0..<bytes.count { #expect(TimeZoneRules(tzif: Array(bytes.prefix(count))) == nil) }
        var first = bytes
        first[4] = 0
        #expect(TimeZoneRules(tzif: first) == nil, "version 1 ends in 2038")
        #expect(TimeZoneRules(tzif: bytes + Array(repeating: 0, count: TimeZoneRules.maximumFileSize)) == nil)
        for index in 44..<(bytes.count - 1) {
            var changed = bytes
            changed[index] = 0xFF
            guard let zone = TimeZoneRules(tzif: changed) else { continue }
            for time in [Timestamp.earliest, Timestamp(milliseconds: 0), .latest] {
                _ = zone.time(0, of: zone.day(at: time))
            }
        }
    }

    @Test(arguments: ["Europe/Berlin", "UTC", "Etc/GMT+5", "America/Argentina/Buenos_Aires"])
    func namesOfZonesAreTaken(name: String) { #expect(TimeZoneRules.isName(name)) }

    @Test(arguments: [
        "", "/etc/passwd", "../../etc/passwd", "Europe/../Berlin", "Europe//Berlin", "Europe/", "a.b", "Zürich", "a b",
        String(repeating: "a", count: 65),
    ])
    func whatIsNoNameIsRefused(name: String) { #expect(!TimeZoneRules.isName(name)) }
}
