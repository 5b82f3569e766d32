import ChatModel
import Formats
import HTTPRouting

/// `{"timeZone","week"?,"closed"?,"open"?,"mode"?}`: when a channel's customers are answered. Whether there is such a time zone
/// is asked where the channel is saved.
struct HoursBody: RequestBody {
    let hours: OpeningHours

    init(reading object: inout ObjectReader) {
        var hours = OpeningHours(timeZone: object.requiredString("timeZone", length: 1...64))
        hours.mode = object.optionalChoice("mode", of: OpeningHours.Mode.allCases) ?? .hours
        hours.week = object.object(object.optional("week"), "week", as: WeekBody.self)?.week ?? [:]
        hours.closed = Set(Self.closed(&object))
        let days = object.objects(
            object.optional("open"), "open", count: 0...OpeningHours.maximumDays, as: SpecialDayBody.self)
        hours.open = (days ?? []).map(\.special).sorted { $0.day < $1.day }
        for (day, next) in zip(hours.open, hours.open.dropFirst()) where day.day == next.day {
            object.reject("open", "\(day.day.text) is there twice")
        }
        for day in hours.open where hours.closed.contains(day.day) {
            object.reject("open", "\(day.day.text) is among the closed days, too")
        }
        self.hours = hours
    }

    private static func closed(_ object: inout ObjectReader) -> [CivilDate] {
        guard let value = object.optional("closed") else { return [] }
        guard let days = value.array, days.count <= OpeningHours.maximumDays else {
            object.reject("closed", "at most \(OpeningHours.maximumDays) days were expected, in an array")
            return []
        }
        return days.enumerated().compactMap { index, day in
            if let day = day.string.flatMap(CivilDate.init) { return day }
            object.reject("closed", "item \(index): a day was expected, such as 2026-12-25")
            return nil
        }
    }
}

/// `{"mon"?,"tue"?,...,"sun"?}`: the times of each day of the week.
struct WeekBody: RequestBody {
    let week: [CivilDate.Weekday: [OpeningHours.Part]]

    init(reading object: inout ObjectReader) {
        var week: [CivilDate.Weekday: [OpeningHours.Part]] = [:]
        for (name, day) in OpeningHours.weekdays {
            if let value = object.optional(name) { week[day] = object.parts(value, name) }
        }
        self.week = week.filter { !$0.value.isEmpty }
    }
}

/// `{"day","times"}`: a day with times of its own.
struct SpecialDayBody: RequestBody {
    let special: OpeningHours.SpecialDay

    init(reading object: inout ObjectReader) {
        let text = object.requiredString("day", length: 10...10)
        let day = CivilDate(text)
        if day == nil, !text.isEmpty { object.reject("day", "a day was expected, such as 2026-12-24") }
        let times = object.required("times").map { object.parts($0, "times") }
        special = OpeningHours.SpecialDay(day ?? CivilDate(daysSince1970: 0), times ?? [])
    }
}

extension ObjectReader {
    /// The member's value as times of one day, `[["09:00","12:00"],...]`, ascending. Faults are reported for a time that ends
    /// before it begins, and for two that overlap.
    fileprivate mutating func parts(_ value: JSONValue, _ name: String) -> [OpeningHours.Part] {
        guard let items = value.array, items.count <= OpeningHours.maximumParts else {
            reject(name, "at most \(OpeningHours.maximumParts) pairs of times were expected, in an array")
            return []
        }
        var parts: [OpeningHours.Part] = []
        for item in items {
            let minutes = (item.array ?? []).map { $0.string.flatMap(OpeningHours.Part.minutes) }
            guard minutes.count == 2, let begin = minutes[0], let end = minutes[1] else {
                reject(name, "a pair of times was expected, such as [\"09:00\",\"17:30\"]; the last is 24:00")
                return []
            }
            guard begin < end else {
                reject(name, "a time ends before it begins; one over midnight ends at 24:00, and goes on the next day")
                return []
            }
            parts.append(OpeningHours.Part(begin, end))
        }
        parts.sort { $0.begin < $1.begin }
        if zip(parts, parts.dropFirst()).contains(where: { $0.end > $1.begin }) { reject(name, "two times overlap") }
        return parts
    }
}

/// `{"answer"?,"askEmail"?,"hideBubble"?,"chats"?}`: what customers meet while their channel is closed.
struct OutsideBody: RequestBody {
    let outside: ClosedHours

    init(reading object: inout ObjectReader) {
        var outside = ClosedHours()
        outside.answer = object.strings(object.optional("answer"), "answer") ?? [:]
        if outside.answer.count > ClosedHours.maximumLanguages {
            object.reject("answer", "at most \(ClosedHours.maximumLanguages) languages were expected")
        }
        let length = 1...ClosedHours.maximumAnswerLength
        for (language, text) in outside.answer.sorted(by: { $0.key < $1.key }) {
            if !LanguageTag.isTag(language) {
                object.reject("answer", "\(language.prefix(LanguageTag.maximumLength)): this is no tag of a language")
            }
            if text.utf8.count > 4 * length.upperBound || !length.contains(text.unicodeScalars.count) {
                object.reject(
                    "answer",
                    "\(language.prefix(LanguageTag.maximumLength)): \(length.lowerBound) to \(length.upperBound) characters were expected"
                )
            }
        }
        outside.asksEmail = object.optionalBool("askEmail") ?? false
        outside.hidesBubble = object.optionalBool("hideBubble") ?? false
        outside.chats = object.optionalChoice("chats", of: ClosedHours.Chats.allCases) ?? .close
        self.outside = outside
    }
}
