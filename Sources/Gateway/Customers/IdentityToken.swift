import ChatModel
import Formats
import HTTPRouting

/// A JWT (RFC 7519) with which a shop's server says who a customer is. It is signed with HS256 and a secret of the channel.
struct IdentityToken: Sendable {
    /// Why one is refused: the member `reason` of the problem.
    enum Fault: String, Error {
        /// It is no JWT: the parts, base64url, JSON, a member that appears twice, `crit`, or its size.
        case form
        /// Its `alg` is not HS256.
        case algorithm
        case signature
        /// Its `kid` names no secret of the channel, or the channel has none.
        case key
        /// A claim is missing or wrong.
        case claims
        /// Only its time is over.
        case expired
    }

    /// In bytes.
    static let maximumLength = 8 << 10
    /// By how many milliseconds the clocks of both sides may differ.
    private static let leeway: Int64 = 60_000
    /// How far ahead it may end, in milliseconds.
    private static let longestLife: Int64 = 24 * 3_600_000

    /// The customer's id; nil where the server says only that somebody is no robot.
    let customer: String?
    /// Its own id, which an anonymous one has.
    let id: String?
    let firstName: String?
    let lastName: String?
    let email: String?
    let fields: [String: String]

    /// Checks a token.
    ///
    /// - Parameters:
    ///   - secrets: those of the channel, by `kid`.
    ///   - channel: the token may be limited to it by `aud`.
    init(_ text: String, secrets: [String: String], channel: String, at now: Timestamp) throws(Fault) {
        guard text.utf8.count <= Self.maximumLength else { throw .form }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw .form }
        let (header, claims) = (try Self.object(parts[0]), try Self.object(parts[1]))
        guard let signature = Self.bytes(parts[2]) else { throw .form }
        // Before a key is looked at: the token must not choose how it is checked (RFC 8725, 3.1).
        guard header["alg"]?.string == "HS256" else { throw .algorithm }
        guard header["crit"] == nil else { throw .form }
        var keys = Array(secrets.values)
        if let kid = header["kid"] {
            guard let name = kid.string, let secret = secrets[name] else { throw .key }
            keys = [secret]
        }
        guard !keys.isEmpty else { throw .key }
        let signed = Array("\(parts[0]).\(parts[1])".utf8)
        // All keys are tried, so that the time does not tell which one it was.
        let isSigned = keys.map { key in
            areSameSecret(MessageAuthentication(key: Array(key.utf8)).code(for: signed), signature)
        }
        guard isSigned.contains(true) else { throw .signature }

        try Self.checkTimes(claims, now)
        if let audience = claims["aud"] {
            let names = audience.string.map { [$0] } ?? (audience.array ?? []).compactMap(\.string)
            guard names.contains(channel) else { throw .claims }
        }
        id = try Self.text(claims, "jti", 1...128)
        if claims["anonymous"]?.bool == true {
            guard claims["sub"] == nil, id != nil else { throw .claims }
            customer = nil
        } else {
            guard let sub = try Self.text(claims, "sub", 1...128), Self.isCustomer(sub) else { throw .claims }
            customer = sub
        }
        var (first, last) = (try Self.text(claims, "firstName", 1...128), try Self.text(claims, "lastName", 1...128))
        if let name = try Self.text(claims, "name", 1...128), first == nil, last == nil {
            let words = name.split(separator: " ", maxSplits: 1).map(String.init)
            (first, last) = (words.first, words.count > 1 ? words[1] : nil)
        }
        (firstName, lastName) = (first, last)
        email = try Self.text(claims, "email", 3...254)
        var fields: [String: String] = [:]
        if let value = claims["fields"] {
            guard let members = value.members, members.count <= 100 else { throw .claims }
            for member in members {
                guard let text = member.value.string else { throw .claims }
                fields[member.name] = text
            }
        }
        self.fields = fields
    }

    /// Throws `expired` where only the time is over. All other claims about time must be right.
    private static func checkTimes(_ claims: JSONValue, _ now: Timestamp) throws(Fault) {
        func time(_ name: String) throws(Fault) -> Int64? {
            guard let value = claims[name] else { return nil }
            // Seconds; beyond the year 9999 nobody means a time.
            guard let seconds = value.wholeNumber ?? value.fraction, (0...253_402_300_799).contains(seconds) else {
                throw .claims
            }
            return seconds * 1000
        }
        let (end, made, start) = (try time("exp"), try time("iat"), try time("nbf"))
        let latest = now.milliseconds + leeway
        if let made, made > latest { throw .claims }
        if let start, start > latest { throw .claims }
        guard let end, end <= latest + longestLife else { throw .claims }
        if end + leeway <= now.milliseconds { throw .expired }
    }

    /// A customer's id: printable ASCII, and none that the gateway makes for those who are not known.
    private static func isCustomer(_ id: String) -> Bool {
        id.utf8.allSatisfy { (0x21...0x7E).contains($0) } && Identifier.isValid(id) && !id.hasPrefix(Visitors.prefix)
    }

    private static func text(_ claims: JSONValue, _ name: String, _ length: ClosedRange<Int>) throws(Fault) -> String? {
        guard let value = claims[name], value != .null else { return nil }
        guard let text = value.string, text.utf8.count <= 4 * length.upperBound,
            length.contains(text.unicodeScalars.count), !text.unicodeScalars.contains(where: { $0.value < 0x20 })
        else { throw .claims }
        // What turns the direction of a text would turn what stands beside it, too.
        return String(String.UnicodeScalarView(text.unicodeScalars.filter { !turns($0) }))
    }

    private static func turns(_ scalar: Unicode.Scalar) -> Bool {
        (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
    }

    private static func object(_ part: Substring) throws(Fault) -> JSONValue {
        guard let bytes = bytes(part), let json = try? JSONParser.parse(bytes, limitsMarks: true), json.members != nil
        else {
            throw .form
        }
        return json
    }

    /// base64url as RFC 7515 has it: without padding, and not in the other alphabet.
    private static func bytes(_ part: Substring) -> [UInt8]? {
        guard !part.isEmpty, !part.utf8.contains(where: { "+/=".utf8.contains($0) }) else { return nil }
        return Base64URL.decode(String(part))
    }
}

extension JSONValue {
    /// The whole seconds of a time with a fraction.
    fileprivate var fraction: Int64? {
        if case .number(let number) = self, number.magnitude < 1e15 { Int64(number) } else { nil }
    }
}
