import ChatModel
import Crypto

@testable import Outbound
import Formats

/// The receiver of RFC 8291, section 5, with an endpoint that is as long as a real one.
enum SubscriptionExample {
    static let endpoint = "https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV"
    static let publicKey =
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    static let privateKey = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"
    static let secret = "BTBZMqHH6r4Tts7J_aSIgg"

    /// As a browser writes it; nil leaves a member out.
    static func json(
        endpoint: String = endpoint, expirationTime: String? = "null", publicKey: String? = publicKey,
        secret: String? = secret
    ) throws -> JSONValue {
        let keys = [publicKey.map { #""p256dh":"\#($0)""# }, secret.map { #""auth":"\#($0)""# }].compactMap(\.self)
        let members = [
            #""endpoint":"\#(endpoint)""#, expirationTime.map { #""expirationTime":\#($0)"# },
            #""keys":{\#(keys.joined(separator: ","))}"#,
        ].compactMap(\.self)
        return try JSONParser.parse(Array("{\(members.joined(separator: ","))}".utf8))
    }

    static func subscription(endpoint: String = endpoint) throws -> PushSubscription {
        try PushSubscription(json(endpoint: endpoint), at: "")
    }
}
