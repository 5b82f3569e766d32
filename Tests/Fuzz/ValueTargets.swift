import ChatModel
import CXoneWire
import Formats
import Foundation

/// What stands inside of bodies, frames and files: JSON, times and time zones.
let valueTargets = [
    Target("json") { bytes in
        let own = try? JSONParser.parse(bytes)
        let wire = try? RawJSON(json: bytes)
        guard let own else {
            // Only what is no JSON, or says a name twice or a number beyond all bounds, is refused by one and taken by
            // the other.
            return
        }
        try expect(wire != nil, "the reader of REST takes what the reader of the platform's frames refuses")
        var writer = JSONWriter()
        own.write(to: &writer)
        try expect(try JSONParser.parse(writer.bytes) == own, "what was written is read as another value")
        try expect((try? RawJSON(json: writer.bytes)) != nil, "what was written is no JSON of the platform's")
        let foreign = try? JSONSerialization.jsonObject(with: Data(writer.bytes), options: .fragmentsAllowed)
        try expect(foreign != nil, "what was written is no JSON for Foundation")
    },
    Target("times") { bytes in
        let text = bytes.text
        let time = Timestamp(rfc3339: text)
        if let time {
            let written = time.rfc3339
            try expect(written.utf8.count == 24, "\(written) has not 24 characters")
            try expect(Timestamp(rfc3339: written) == time, "\(written) is read as another time")
        }
        guard let wire = Timestamp(iso8601: text) else { return }
        for zone in ["Z", "+00:00"] {
            let precise = wire.rfc3339(hasMilliseconds: true, zone: zone)
            try expect(Timestamp(iso8601: precise) == wire, "written with milliseconds it is another time")
            let inSeconds = wire.rfc3339(hasMilliseconds: false, zone: zone)
            try expect(Timestamp(iso8601: inSeconds) == wire.wholeSeconds, "written in seconds it is another time")
        }
        if let time {
            try expect(
                time.milliseconds == wire.milliseconds,
                "as ISO 8601 it is another time: \(time.milliseconds) and \(wire.milliseconds)")
        }
        // As frames come in and go out to clients.
        try expect(Timestamp(rfc3339: wire.rfc3339) == wire, "a time of the platform is written as \(wire.rfc3339)")
    },
    Target("time-zones") { bytes in
        guard let zone = TimeZoneRules(tzif: bytes) else { return }
        for milliseconds in [Int64.min, -2_208_988_800_000, 0, 1_774_742_400_000, 4_102_444_800_000, .max] {
            let time = Timestamp(milliseconds: milliseconds)
            let day = zone.day(at: time)
            let times = [0, 150, 720, 1439, 1440].map { zone.time($0, of: day) }
            try expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 }, "a later time of the day comes first")
            for found in times where found != .earliest && found != .latest {
                let distance = abs(found.milliseconds - day.daysSince1970 * 86_400_000)
                try expect(distance <= 4 * 86_400_000, "\(found.rfc3339) is far from its day")
                try expect(abs(zone.secondsFromUTC(at: found)) <= 93_599, "an offset is beyond a day")
            }
        }
    },
]

extension JSONValue {
    fileprivate func write(to writer: inout JSONWriter) {
        switch self {
        case .null: writer.raw("null")
        case .bool(let flag): writer.value(flag)
        case .integer(let number): writer.value(number)
        case .number(let number): writer.raw(Array("\(number)".utf8))
        case .string(let text): writer.value(text)
        case .array(let values):
            writer.beginArray()
            for value in values { value.write(to: &writer) }
            writer.endArray()
        case .object(let members):
            writer.beginObject()
            for member in members {
                writer.name(member.name)
                member.value.write(to: &writer)
            }
            writer.endObject()
        }
    }
}
