import Crypto
import Formats
import SendbirdWire

/// The tokens of a list's pages. A token leads on in a list of the same filter only; with another one it has expired.
struct PageFilter: Sendable {
    /// Names the list and its filter.
    private let digest: String

    /// - Parameter names: the parameters of the query that filter the list.
    init(_ list: String, _ request: SandboxRequest, _ names: [String]) {
        var json = JSONWriter()
        json.beginArray()
        json.value(list)
        for name in names { json.value(request.query[name] ?? "") }
        for name in ["user", "channel"] { json.value(request.parameters[name]) }
        json.endArray()
        digest = String(Hexadecimal.encode(SHA256.hash(data: json.bytes)).prefix(16))
    }

    /// A token for what comes after so many rows.
    func token(_ place: Int64) -> String { "\(digest)\(place)" }

    /// How many rows were before; 0 without a token. Throws 400109.
    func place(_ token: String?) throws(SendbirdError) -> Int64 {
        guard let token, !token.isEmpty else { return 0 }
        guard token.hasPrefix(digest), let place = Int64(token.dropFirst(digest.count)),
            (0...Int64(SendbirdSandbox.most)).contains(place)
        else {
            throw SendbirdError(.pageTokenExpired, "The token of the page has expired.")
        }
        return place
    }
}
