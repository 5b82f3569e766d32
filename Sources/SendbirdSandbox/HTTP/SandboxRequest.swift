import Formats
import HTTPRouting
import MicroHTTP
import SendbirdWire
import Synchronization

/// A request of a program, whose token was checked.
struct SandboxRequest: Sendable {
    /// The route's operation.
    let operation: String
    let parameters: PathParameters
    let query: [String: String]
    let body: [UInt8]
    /// For error texts.
    let path: String
    /// Where the gateway is, as the program reaches it.
    let origin: String
    let contentType: String?
    /// Whether members that no description knows are refused.
    let isStrict: Bool
    /// Members of the body that no description knows.
    let unknown = UnknownMembers()

    init(_ operation: String, _ request: HTTPRequest, _ parameters: PathParameters, isStrict: Bool) {
        (self.operation, self.parameters, self.isStrict) = (operation, parameters, isStrict)
        query = Dictionary(request.query.map { ($0.name, $0.value) }) { first, _ in first }
        body = request.body
        path = String(SendbirdSandbox.secrets.removed(fromPath: request.path).prefix(200))
        origin = request.origin
        contentType = request.headers["Content-Type"]
    }

    /// The body, with the platform's checks. Members that no description knows are noted, and ignored unless that is
    /// refused.
    func read<T: SendbirdRequestBody>(_ type: T.Type = T.self) throws(SendbirdError) -> T {
        try read(body, as: type)
    }

    func read<T: SendbirdRequestBody>(_ json: [UInt8], as type: T.Type) throws(SendbirdError) -> T {
        let found = try SendbirdRequestReader.read(json, as: type)
        unknown.note(found.unknown)
        if isStrict, let name = found.unknown.first {
            throw SendbirdError(.invalidValue, "\"\(name)\" is not known.")
        }
        return found.body
    }

    /// One of the texts.
    func choice(_ name: String, of allowed: [String]) throws(SendbirdError) -> String? {
        guard let text = query[name] else { return nil }
        guard allowed.contains(text) else {
            throw SendbirdError(
                .invalidValue, "\"\(name)\" must be one of \(allowed.filter { !$0.isEmpty }.joined(separator: ", ")).")
        }
        return text
    }

    /// A number of the query.
    func number(_ name: String, in range: ClosedRange<Int64>) throws(SendbirdError) -> Int64? {
        guard let text = query[name], !text.isEmpty else { return nil }
        guard let number = Int64(text) else { throw SendbirdError(.notNumber, "\"\(name)\" must be a number.") }
        guard range.contains(number) else {
            throw SendbirdError(.outOfRange, "\"\(name)\" must be from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    /// A boolean of the query, in any spelling that clients use.
    func flag(_ name: String) throws(SendbirdError) -> Bool? {
        guard let text = query[name] else { return nil }
        switch text.lowercased() {
        case "true", "1": return true
        case "false", "0": return false
        default: throw SendbirdError(.notBoolean, "\"\(name)\" must be a boolean.")
        }
    }

    /// Texts with commas between them.
    func texts(_ name: String) -> [String]? { query[name]?.commaParts }
}

/// The names of a request's members that no description knows.
final class UnknownMembers: Sendable {
    private let names = Mutex([String]())

    var all: [String] { names.withLock { $0 } }

    func note(_ more: [String]) { names.withLock { $0 += more } }
}
