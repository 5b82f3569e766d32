import Chat
import ChatModel
import ChatStore
import Formats
import HTTPRouting

/// The parameters of queries that several domains have.
extension QueryReader {
    /// `?limit=` (1 to 200, 50 by default) and `?cursor=`, which is checked only when the page is read. Throws
    /// `invalidParameter`.
    package func page() throws(Problem) -> PageRequest {
        PageRequest(limit: try number("limit", in: 1...200) ?? 50, cursor: self["cursor"])
    }

    /// The values of `?holder=`: names under which clients keep collections and screens; at most 100. Throws
    /// `invalidParameter`.
    func holders() throws(Problem) -> [String] {
        let holders = all("holder")
        guard holders.count <= 100, holders.allSatisfy(Identifier.isValid) else {
            throw Problem.parameter(
                "holder", "at most 100 holders of 1 to 128 printable ASCII characters were expected")
        }
        return holders
    }

    /// The id of a channel, under the rule for ids of the embedded service's channels; nil when missing. Throws
    /// `invalidParameter`.
    func channel(_ name: String) throws(Problem) -> String? {
        guard let text = self[name] else { return nil }
        guard NewChannel.isChannelID(text) else { throw Problem.parameter(name, "the id of a channel was expected") }
        return text
    }
}
