import ChatModel
import Crypto
import Formats
import HTTPClientPort

/// Where a browser takes pushes, and the keys to encrypt for it: the Push API's `PushSubscription`.
///
/// Endpoint and keys are secrets: whoever has them can push. Its description shows the host alone.
package struct PushSubscription: Sendable, Hashable {
    /// Bytes of an endpoint at most (UnifiedPush's bound).
    package static let maximumEndpointLength = 1000

    /// An `https` or `http` URL: which hosts may be reached by `http` is asked where it is registered.
    package let endpoint: TargetAddress
    /// After this time the endpoint is dead; nil when the browser named none.
    package let expirationTime: Timestamp?
    /// `keys.p256dh`: a point of P-256, uncompressed; 65 bytes, the first is 4.
    package let publicKey: [UInt8]
    /// `keys.auth`: 16 bytes.
    package let authenticationSecret: [UInt8]

    /// Reads what `JSON.stringify(subscription)` gives in a browser, and what ``encode(to:)`` wrote.
    ///
    /// Keys are base64url with or without padding; the standard alphabet is taken too. Members that are not known are
    /// skipped: a browser writes this object, and the Push API may give it more. Throws ``InvalidMembers``.
    ///
    /// - Parameter pointer: where the value stands in the request: the beginning of each fault's pointer.
    package init(_ json: JSONValue, at pointer: String) throws(InvalidMembers) {
        guard json.members != nil else {
            throw InvalidMembers([.init(pointer: pointer, reason: "An object is expected, but this is \(json.kind).")])
        }
        var reader = MemberReader(pointer: pointer)
        let endpoint = reader.read("/endpoint", json["endpoint"]) { value throws(MemberReader.Refusal) in
            guard let text = value.string else { throw .init("A string is expected, but this is \(value.kind).") }
            do throws(AddressRefusal) {
                return try TargetAddress(text, maximumLength: Self.maximumEndpointLength)
            } catch {
                throw .init(error.detail)
            }
        }
        let expirationTime = reader.readOptional(
            "/expirationTime", json["expirationTime"].flatMap { $0 == .null ? nil : $0 }, Self.time)
        var publicKey: [UInt8]?
        var authenticationSecret: [UInt8]?
        if let keys = json["keys"], keys.members == nil {
            reader.refuse("/keys", "An object is expected, but this is \(keys.kind).")
        } else {
            publicKey = reader.read("/keys/p256dh", json["keys"]?["p256dh"], Self.point)
            authenticationSecret = reader.read("/keys/auth", json["keys"]?["auth"], Self.secret)
        }
        guard reader.faults.isEmpty, let endpoint, let publicKey, let authenticationSecret else {
            throw InvalidMembers(reader.faults)
        }
        self.endpoint = endpoint
        self.expirationTime = expirationTime
        self.publicKey = publicKey
        self.authenticationSecret = authenticationSecret
    }

    /// Milliseconds since 1970. Browsers write a number that may have a fraction.
    private static func time(_ value: JSONValue) throws(MemberReader.Refusal) -> Timestamp {
        let milliseconds: Int64? =
            switch value {
            case .integer(let integer): integer
            case .number(let number): Int64(exactly: number.rounded(.down))
            default: nil
            }
        guard let milliseconds, (0...Timestamp.latest.milliseconds).contains(milliseconds) else {
            throw .init("Milliseconds since 1970 or null are expected.")
        }
        return Timestamp(milliseconds: milliseconds)
    }

    private static func point(_ value: JSONValue) throws(MemberReader.Refusal) -> [UInt8] {
        let bytes = try bytes(value)
        guard bytes.count == 65, bytes.first == 4 else {
            throw .init("A point of 65 bytes is expected, of which the first is 4.")
        }
        guard (try? P256.KeyAgreement.PublicKey(x963Representation: bytes)) != nil else {
            throw .init("The point does not lie on the curve P-256.")
        }
        return bytes
    }

    private static func secret(_ value: JSONValue) throws(MemberReader.Refusal) -> [UInt8] {
        let bytes = try bytes(value)
        guard bytes.count == 16 else { throw .init("16 bytes are expected.") }
        return bytes
    }

    private static func bytes(_ value: JSONValue) throws(MemberReader.Refusal) -> [UInt8] {
        guard let text = value.string, let bytes = Base64URL.decode(text) else { throw .init("Base64url is expected.") }
        return bytes
    }
}

extension PushSubscription: CanonicalJSON {
    package func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("endpoint", endpoint.url)
        if let expirationTime { json.member("expirationTime", expirationTime.milliseconds) }
        json.name("keys")
        json.beginObject()
        json.member("p256dh", Base64URL.encode(publicKey))
        json.member("auth", Base64URL.encode(authenticationSecret))
        json.endObject()
        json.endObject()
    }

    package init(json: JSONValue) throws(ModelError) {
        do throws(InvalidMembers) {
            try self.init(json, at: "")
        } catch {
            throw ModelError(member: error.faults.first?.pointer ?? "")
        }
    }
}

extension PushSubscription: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String { "PushSubscription(\(endpoint.host))" }
    package var debugDescription: String { description }
}
