import ChatModel
import Formats
import HTTPClientPort

/// How the platform may be otherwise than the sandbox, where its descriptions leave it open.
enum PlatformDifference: Sendable, CaseIterable {
    /// Removed messages are not listed, although it is asked for them.
    case noRemoved
    /// Nor are they, and each takes the place of another one in a page.
    case removedTakePlaces
    /// There is nothing at a time that is yet to come.
    case emptyFuture
    /// Such a time is refused.
    case refusedFuture

    /// - Parameters:
    ///   - target: of the call: its path and its query.
    ///   - exchange: how the sandbox answers.
    func answer(
        to target: String, at now: Timestamp, _ exchange: (String) async throws -> HTTPAnswer
    ) async throws -> HTTPAnswer {
        guard let time = Self.number("message_ts", in: target) else { return try await exchange(target) }
        switch self {
        case .noRemoved: return try await exchange(target.replacing("&including_removed=true", with: ""))
        case .removedTakePlaces:
            var answer = try await exchange(target)
            answer.body = try Self.withPlaces(answer.body, target, around: time)
            return answer
        case .emptyFuture where time > now.milliseconds:
            return HTTPAnswer(status: 200, body: Array(#"{"messages":[]}"#.utf8))
        case .refusedFuture where time > now.milliseconds:
            return HTTPAnswer(
                status: 400, body: Array(#"{"error":true,"code":400111,"message":"Invalid value."}"#.utf8))
        case .emptyFuture, .refusedFuture: return try await exchange(target)
        }
    }

    private static func number(_ name: String, in target: String) -> Int64? {
        target.split { "?&".contains($0) }.first { $0.hasPrefix("\(name)=") }
            .flatMap { Int64($0.dropFirst(name.count + 1)) }
    }

    private static func withPlaces(_ body: [UInt8], _ target: String, around time: Int64) throws -> [UInt8] {
        guard let all = try JSONParser.parse(body)["messages"]?.array else { return body }
        let previous = Int(number("prev_limit", in: target) ?? 0), next = Int(number("next_limit", in: target) ?? 0)
        let older = all.filter { $0.time < time }.suffix(previous), newer = all.filter { $0.time > time }.prefix(next)
        let listed = (older + all.filter { $0.time == time } + newer).filter { $0["is_removed"]?.bool != true }
        var json = JSONWriter()
        json.value(.object([JSONMember(name: "messages", value: .array(listed))]))
        return json.bytes
    }
}

extension JSONValue {
    fileprivate var time: Int64 { self["created_at"]?.integer ?? 0 }
}
