import ChatModel
import Formats
import HTTPClientPort

/// The applications of Sendbird that a gateway reaches, as the file of `--sendbird` names them. It holds their tokens:
/// no error and no answer shows anything of it but names of members and places.
public struct SendbirdConfiguration: Sendable {
    /// The most bytes that the file may have.
    public static let maximumLength = 256 << 10

    public var applications: [Application]

    /// One application of the platform, and how it is reached.
    public struct Application: Sendable {
        /// A UUID in capitals.
        public var id: String
        /// Where its API is, without `/v3` and without a slash at the end.
        public var base: String
        public var token: String
        /// How many GETs, and how many other calls, the application has in a second. All its programs share them.
        public var getLimit: Int
        public var writeLimit: Int
        /// The part of the path by which webhooks come in; nil: none do.
        public var hookSecret: String?
        /// The key that signs webhooks. Without it, signatures are not checked.
        public var masterToken: String?
        public var channels: [Entry]
    }

    /// One channel of Parley: the group channels of one custom type.
    public struct Entry: Sendable, Hashable {
        public var id: String
        public var name: String
        /// `multithread`, or `singlethread`.
        public var mode = ChatMode.multithread
        /// "" for the group channels without one.
        public var customType: String
        /// The users who are agents; if there are none, everybody but the customer is.
        public var agents: [String]
    }

    /// Why a file is refused. Nothing of its values is in it.
    public struct Malformed: Error, Equatable, CustomStringConvertible {
        /// A JSON Pointer; "" for the whole file.
        public var place: String
        public var reason: String
        public var description: String { place.isEmpty ? reason : "\(place): \(reason)" }
    }

    /// Reads the file's text.
    public init(json: [UInt8]) throws(Malformed) {
        guard json.count <= Self.maximumLength else {
            throw Malformed(place: "", reason: "The file has more than \(Self.maximumLength) bytes.")
        }
        let root: JSONValue
        do throws(JSONSyntaxError) {
            root = try JSONParser.parse(json, limitsMarks: true)
        } catch {
            throw Malformed(place: "", reason: "The file is not JSON: byte \(error.offset).")
        }
        let file = try Reader(root, at: "", knowing: ["applications"])
        applications = try file.list("applications", upTo: 32) { (value, place) throws(Malformed) in
            try Application(value, at: place)
        }
        try Self.refuseTwins(applications.map(\.id), "/applications", "Two applications have the same id.")
        let channels = applications.flatMap(\.channels)
        try Self.refuseTwins(channels.map(\.id), "/applications", "Two channels have the same id.")
        try Self.refuseTwins(
            applications.compactMap(\.hookSecret), "/applications", "Two applications have the same webhookSecret.")
    }

    fileprivate static func refuseTwins(_ names: [String], _ place: String, _ reason: String) throws(Malformed) {
        if Set(names).count != names.count { throw Malformed(place: place, reason: reason) }
    }
}

extension SendbirdConfiguration.Application {
    fileprivate init(_ value: JSONValue, at place: String) throws(SendbirdConfiguration.Malformed) {
        let reader = try Reader(
            value, at: place,
            knowing: ["id", "url", "apiToken", "masterToken", "webhookSecret", "getLimit", "writeLimit", "channels"])
        id = try reader.text("id", upTo: 64) { $0.utf8.allSatisfy(\.isPlain) }
        base = try reader.base("url") ?? "https://api-\(id).sendbird.com"
        token = try reader.text("apiToken", upTo: 256) { $0.utf8.allSatisfy(\.isPlain) }
        masterToken = try reader.optionalText("masterToken", upTo: 256) { $0.utf8.allSatisfy(\.isPlain) }
        hookSecret = try reader.optionalText("webhookSecret", upTo: 128) {
            $0.utf8.count >= 32 && $0.utf8.allSatisfy(\.isPlain)
        }
        // The platform's limits of its smallest plan.
        getLimit = try reader.number("getLimit", in: 1...10_000) ?? 10
        writeLimit = try reader.number("writeLimit", in: 1...10_000) ?? 5
        channels = try reader.list("channels", upTo: 100) { (value, place) throws(SendbirdConfiguration.Malformed) in
            try SendbirdConfiguration.Entry(value, at: place)
        }
        try SendbirdConfiguration.refuseTwins(
            channels.map(\.customType), place, "Two channels have the same customType.")
    }
}

extension SendbirdConfiguration.Entry {
    fileprivate init(_ value: JSONValue, at place: String) throws(SendbirdConfiguration.Malformed) {
        let reader = try Reader(value, at: place, knowing: ["id", "name", "mode", "customType", "agents"])
        id = try reader.text("id", upTo: Identifier.maximumLength, Identifier.isValid)
        name = try reader.optionalText("name", upTo: 256) ?? id
        let word = try reader.optionalText("mode", upTo: 32) ?? ChatMode.multithread.rawValue
        guard let mode = ChatMode(rawValue: word), mode != .liveChat else {
            throw reader.fault("mode", "Only \"multithread\" and \"singlethread\" are served.")
        }
        self.mode = mode
        customType = try reader.optionalText("customType", upTo: 128) ?? ""
        // The platform takes several types with commas between them.
        guard !customType.utf8.contains(UInt8(ascii: ",")) else { throw reader.fault("customType", "It has a comma.") }
        // The customer is a member, too.
        agents = try reader.list("agents", upTo: 99, isNeeded: false) {
            (value, place) throws(SendbirdConfiguration.Malformed) in
            guard let id = value.string, !id.isEmpty, id.unicodeScalars.count <= 80 else {
                throw SendbirdConfiguration.Malformed(place: place, reason: "A user's id has 1 to 80 characters.")
            }
            return id
        }
    }
}

/// Reads the members of one object of the file.
private struct Reader {
    typealias Malformed = SendbirdConfiguration.Malformed
    let value: JSONValue
    let place: String

    init(_ value: JSONValue, at place: String, knowing names: Set<String>) throws(Malformed) {
        (self.value, self.place) = (value, place)
        guard let members = value.members else { throw Malformed(place: place, reason: "An object is needed.") }
        guard members.allSatisfy({ names.contains($0.name) }) else {
            throw Malformed(place: place, reason: "Only \(names.sorted().joined(separator: ", ")) are known.")
        }
        guard Set(members.map(\.name)).count == members.count else {
            throw Malformed(place: place, reason: "A member is there twice.")
        }
    }

    func fault(_ name: String, _ reason: String) -> Malformed { Malformed(place: "\(place)/\(name)", reason: reason) }

    private func given(_ name: String) -> JSONValue? {
        guard let member = value[name], member != .null else { return nil }
        return member
    }

    func optionalText(
        _ name: String, upTo limit: Int, _ isGood: (String) -> Bool = { _ in true }
    ) throws(Malformed) -> String? {
        guard let member = given(name) else { return nil }
        guard let text = member.string, !text.isEmpty, text.utf8.count <= limit, isGood(text) else {
            throw fault(name, "It is no text of 1 to \(limit) bytes that can stand here.")
        }
        return text
    }

    func text(_ name: String, upTo limit: Int, _ isGood: (String) -> Bool) throws(Malformed) -> String {
        guard let text = try optionalText(name, upTo: limit, isGood) else { throw fault(name, "It is missing.") }
        return text
    }

    func number(_ name: String, in range: ClosedRange<Int>) throws(Malformed) -> Int? {
        guard let member = given(name) else { return nil }
        guard let number = member.integer.flatMap({ Int(exactly: $0) }), range.contains(number) else {
            throw fault(name, "It is no whole number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    func list<T>(
        _ name: String, upTo limit: Int, isNeeded: Bool = true,
        _ read: (JSONValue, String) throws(Malformed) -> T
    ) throws(Malformed) -> [T] {
        guard let member = given(name) else {
            if isNeeded { throw fault(name, "It is missing.") }
            return []
        }
        guard let elements = member.array, elements.count <= limit, !elements.isEmpty || !isNeeded else {
            throw fault(name, "It is no list of \(isNeeded ? 1 : 0) to \(limit) elements.")
        }
        var list: [T] = []
        for (index, element) in elements.enumerated() { list.append(try read(element, "\(place)/\(name)/\(index)")) }
        return list
    }

    /// An address by https; by http only on this machine: the token goes there in the clear.
    func base(_ name: String) throws(Malformed) -> String? {
        guard var text = try optionalText(name, upTo: 2048, { $0.utf8.allSatisfy { (0x21...0x7E).contains($0) } })
        else { return nil }
        while text.hasSuffix("/") { text.removeLast() }
        guard !text.contains("?"), !text.contains("#"), !text.contains("@"), let target = try? CallTarget("GET", text)
        else { throw fault(name, "It is no address.") }
        guard text.hasPrefix("https://") || target.isOnThisMachine else {
            throw fault(name, "It must begin with https://, or lead to a loopback address.")
        }
        return text
    }
}

extension UInt8 {
    /// A letter, a digit, or a hyphen.
    fileprivate var isPlain: Bool {
        self == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
    }
}

extension CallTarget {
    /// Whether its host is a loopback address, or `localhost`.
    fileprivate var isOnThisMachine: Bool {
        origin.hasPrefix("http://127.0.0.1:") || origin.hasPrefix("http://[::1]:") || origin.hasPrefix("http://::1:")
            || origin.hasPrefix("http://localhost:")
    }
}
