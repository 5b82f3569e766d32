import ChatModel
import Crypto
import Formats
import SandboxKit
import SendbirdWire

/// The tokens of a list's pages. A token leads on for a day, in a list of the same filter only; with another one it has
/// expired.
struct PageFilter: Sendable {
    /// Names the list and its filter.
    private let digest: String
    private let request: SandboxRequest
    private let expired: ExpiredPages
    private let now: Timestamp

    /// - Parameter names: the parameters of the query that filter the list.
    init(_ request: SandboxRequest, _ names: [String], in sandbox: SendbirdSandbox) {
        (self.request, expired, now) = (request, sandbox.expiredPages, sandbox.store.environment.now())
        var json = JSONWriter()
        json.beginArray()
        json.value(request.operation)
        for name in names { json.value(request.query[name] ?? "") }
        for name in ["user", "channel"] { json.value(request.parameters[name]) }
        json.endArray()
        digest = String(Hexadecimal.encode(SHA256.hash(data: json.bytes)).prefix(16))
    }

    /// A token for what comes after so many rows.
    func token(_ place: Int) -> String { "\(digest)\(place).\(now.milliseconds)" }

    /// How many rows were before; 0 without a token. Throws 400109.
    func place() throws(SendbirdError) -> Int {
        guard let token = request.query["token"], !token.isEmpty else { return 0 }
        let numbers = token.dropFirst(digest.count).split(separator: ".", omittingEmptySubsequences: false).map {
            Int64($0)
        }
        guard token.hasPrefix(digest), numbers.count == 2, let place = numbers[0], let made = numbers[1],
            (0...Int64(SendbirdSandbox.most)).contains(place), (0...now.milliseconds).contains(made),
            !expired.contains(request.occasion, from: Timestamp(milliseconds: made), at: now)
        else {
            throw SendbirdError(.pageTokenExpired, "The token of the page has expired.")
        }
        return Int(place)
    }
}
