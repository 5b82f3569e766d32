import Chat
import ChatModel
import ChatStore
import Formats

/// The query's parameters. Unknown ones and repeated ones are refused, for they would be ignored.
public struct QueryReader: Sendable {
    private let pairs: [(name: String, value: String)]

    /// - Parameter repeatable: the names that may come several times.
    package init(
        _ pairs: [(name: String, value: String)], known: Route.Query, repeatable: Set<String> = ["session", "holder"]
    ) throws(Problem) {
        self.pairs = pairs
        guard !pairs.isEmpty, case .only(let names) = known else { return }
        for pair in pairs where !names.contains(where: { $0.hasSameBytes(as: pair.name) }) {
            let item = Problem.Item(pointer: "?\(pair.name)", code: GatewayProblem.unknownParameter.rawValue, detail: "the operation does not know this parameter")
            throw Problem(.unknownParameter, item.detail, items: [item])
        }
        for name in names where !repeatable.contains(name) && pairs.lazy.filter({ $0.name == name }).count > 1 {
            throw Problem.parameter(name, "the parameter may be given once")
        }
    }

    public subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }

    func all(_ name: String) -> [String] { pairs.filter { $0.name == name }.map(\.value) }

    /// A number of items, 1 to 200, 50 by default.
    package func page() throws(Problem) -> PageRequest {
        var limit = 50
        if let text = self["limit"] {
            guard let number = Int(digits: text), (1...200).contains(number) else {
                throw Problem.parameter("limit", "a number from 1 to 200 was expected")
            }
            limit = number
        }
        return PageRequest(limit: limit, cursor: self["cursor"])
    }

    func choice<T: RawRepresentable<String> & CaseIterable>(_ name: String, default fallback: T) throws(Problem) -> T {
        guard let text = self[name] else { return fallback }
        guard let choice = T(rawValue: text) else {
            throw Problem.parameter(name, "one of \(T.allCases.map(\.rawValue).joined(separator: ", ")) was expected")
        }
        return choice
    }

    /// An id, as bodies and paths have it.
    func identifier(_ name: String) throws(Problem) -> String? {
        guard let text = self[name] else { return nil }
        guard Identifier.isValid(text) else { throw Problem.parameter(name, "1 to 128 printable ASCII characters were expected") }
        return text
    }

    /// Any text.
    func text(_ name: String, length: ClosedRange<Int>) throws(Problem) -> String? {
        guard let text = self[name] else { return nil }
        guard length.contains(text.unicodeScalars.count) else {
            throw Problem.parameter(name, "\(length.lowerBound) to \(length.upperBound) characters were expected")
        }
        return text
    }

    /// Those who hold collections and screens (`?holder=`, several times).
    func holders() throws(Problem) -> [String] {
        let holders = all("holder")
        guard holders.count <= 100, holders.allSatisfy(Identifier.isValid) else {
            throw Problem.parameter("holder", "at most 100 holders of 1 to 128 printable ASCII characters were expected")
        }
        return holders
    }

    /// The id of a channel.
    func channel(_ name: String) throws(Problem) -> String? {
        guard let text = self[name] else { return nil }
        guard NewChannel.isChannelID(text) else { throw Problem.parameter(name, "the id of a channel was expected") }
        return text
    }

    func flag(_ name: String) throws(Problem) -> Bool {
        switch self[name] {
        case nil, "false": false
        case "true": true
        default: throw Problem.parameter(name, "true or false was expected")
        }
    }

    /// The pairs with `cursor` replaced, percent-encoded: the query of a neighbouring page.
    package func replacing(cursor: String) -> String {
        var query = ""
        for pair in pairs where pair.name != "cursor" {
            query += "\(pair.name.percentEncoded)=\(pair.value.percentEncoded)&"
        }
        return query + "cursor=\(cursor.percentEncoded)"
    }
}
