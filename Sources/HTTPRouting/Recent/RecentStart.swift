import Formats

/// Where among the newest items a stream begins, as its client says it.
package enum RecentStart: Sendable, Equatable {
    /// With the next item.
    case now
    /// After a place, which may be unusable.
    case after(String)
    /// With the oldest item that is kept.
    case earliest
    /// With so many items before the end, wanted or not.
    case last(Int)

    /// The names of the query parameters, of which a request has at most one.
    package static let query = ["after", "earliest", "last"]

    /// Reads the request by the rules of all feeds: `Last-Event-ID` counts before all else. Throws `invalidParameter`.
    package init<Context>(_ call: Call<Context>) throws(Problem) {
        let isEarliest = try call.query.flag("earliest")
        let named = Self.query.filter { $0 == "earliest" ? isEarliest : call.query[$0] != nil }
        if named.count > 1 { throw Problem.parameter(named[1], "the query names another beginning: \(named[0])") }
        let last = try call.query.number("last", in: 1...500)
        if let id = call.lastEventID {
            self = .after(id)
        } else if let cursor = call.query["after"] {
            self = .after(cursor)
        } else if isEarliest {
            self = .earliest
        } else {
            self = last.map(RecentStart.last) ?? .now
        }
    }

    /// Why a place cannot be used; the words are those of all feeds.
    package enum Fault: String, Sendable {
        /// Some items after the place were dropped already, to make room for newer ones.
        case expired
        /// It is of another sequence of numbers.
        case foreignEpoch
        /// It is beyond the newest item.
        case ahead
        /// It is no place.
        case malformed
    }

    /// The number after which the stream begins, or why there is none. A place is `<incarnation>-<number>`, or a number
    /// alone.
    func place<Item>(in page: RecentItems<Item>.Page) -> Result<Int, PlaceError> {
        let (last, oldest) = (page.last, page.dropped.count)
        switch self {
        case .now: return .success(last)
        case .earliest: return .success(oldest)
        case .last(let count): return .success(max(oldest, last - count))
        case .after(let text):
            let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
            guard let number = parts.last.flatMap({ Int(digits: $0) }) else { return .failure(PlaceError(.malformed)) }
            if parts.count == 2, parts[0] != page.incarnation { return .failure(PlaceError(.foreignEpoch)) }
            if number > last { return .failure(PlaceError(.ahead)) }
            return number < oldest ? .failure(PlaceError(.expired)) : .success(number)
        }
    }

    /// Wraps a ``Fault`` as an error.
    struct PlaceError: Error {
        let fault: Fault

        init(_ fault: Fault) { self.fault = fault }
    }
}
