import Chat
import ChatModel
import ChatStore
import Formats
import HTTPRouting

/// The parameters of queries that several domains have.
extension QueryReader {
    /// The parameters of lists whose items have times.
    static let timeNames = ["since", "until"]

    /// `?limit=` (1 to 200, 50 by default), `?since=` and `?until=` where the route knows them, and `?cursor=`, which is
    /// checked only when the page is read. Throws `invalidParameter`.
    package func page() throws(Problem) -> PageRequest {
        PageRequest(
            limit: try number("limit", in: 1...200) ?? 50, cursor: self["cursor"],
            times: try times())
    }

    /// From `?since=` on and before `?until=`. Throws `invalidParameter`, also for an end before the beginning.
    func times() throws(Problem) -> TimeRange {
        let (since, until) = (try time("since"), try time("until"))
        if let since, let until, until < since {
            throw Problem.parameter("until", "a time not before since was expected: the list begins there")
        }
        return TimeRange(since: since, until: until)
    }

    /// The members of whom a thread must have all: `?member=`, at most 10. Throws `invalidParameter`.
    func members() throws(Problem) -> Set<String> {
        let members = all("member")
        guard members.count <= ThreadQuery.memberLimit, members.allSatisfy(Identifier.isValid) else {
            throw Problem.parameter(
                "member", "at most \(ThreadQuery.memberLimit) members of \(Identifier.rule) were expected")
        }
        return Set(members)
    }

    /// The choices that a repeatable parameter names, with commas between them; nil when it is missing. Throws
    /// `invalidParameter`.
    func choices<T: RawRepresentable<String> & CaseIterable & Hashable>(
        _ name: String, of type: T.Type = T.self
    ) throws(Problem) -> Set<T>? {
        guard let names = try list(name) else { return nil }
        var choices: Set<T> = []
        for text in names {
            guard let choice = T(rawValue: text) else {
                throw Problem.parameter(
                    name, "one of \(T.allCases.map(\.rawValue).joined(separator: ", ")) was expected")
            }
            choices.insert(choice)
        }
        return choices
    }

    /// The values of a repeatable parameter, with commas between them, empty ones included; nil when it is missing.
    /// Throws `invalidParameter`.
    func list(_ name: String) throws(Problem) -> [String]? {
        let texts = all(name)
        if texts.isEmpty { return nil }
        if texts.contains(where: { $0.utf8.contains(0) }) {
            throw Problem.parameter(name, "words without the character U+0000 are needed")
        }
        return texts.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }.map(String.init)
    }

    /// The values of `?holder=`: names under which clients keep collections and screens; at most 100. Throws
    /// `invalidParameter`.
    func holders() throws(Problem) -> [String] {
        let holders = all("holder")
        guard holders.count <= 100, holders.allSatisfy(Identifier.isValid) else {
            throw Problem.parameter(
                "holder", "at most 100 holders of \(Identifier.rule) were expected")
        }
        return holders
    }

    /// The ids of channels that a repeatable parameter names; nil when it is missing. Throws `invalidParameter`.
    func channels(_ name: String) throws(Problem) -> Set<String>? {
        guard let ids = try list(name) else { return nil }
        guard ids.count <= Self.mostChannels, ids.allSatisfy(NewChannel.isChannelID) else {
            throw Problem.parameter(name, "at most \(Self.mostChannels) ids of channels were expected")
        }
        return Set(ids)
    }

    private static let mostChannels = 100

    /// The id of a channel, under the rule for ids of the embedded service's channels; nil when missing. Throws
    /// `invalidParameter`.
    func channel(_ name: String) throws(Problem) -> String? {
        guard let text = self[name] else { return nil }
        guard NewChannel.isChannelID(text) else { throw Problem.parameter(name, "the id of a channel was expected") }
        return text
    }
}
