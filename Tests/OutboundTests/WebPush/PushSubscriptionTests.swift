import ChatModel
import Formats
import Testing

@testable import Outbound

@Suite struct PushSubscriptionTests {
    @Test func readsWhatABrowserWrites() throws {
        let subscription = try PushSubscription(SubscriptionExample.json(), at: "/subscription")
        #expect(subscription.endpoint.url == SubscriptionExample.endpoint)
        #expect(subscription.expirationTime == nil)
        #expect(subscription.publicKey.count == 65)
        #expect(subscription.authenticationSecret.count == 16)
    }

    @Test(
        arguments: [("1772442904512", 1_772_442_904_512), ("1772442904512.75", 1_772_442_904_512), ("0", 0)]
            as [(String, Int64)])
    func readsTheExpirationTime(json: String, milliseconds: Int64) throws {
        let subscription = try PushSubscription(SubscriptionExample.json(expirationTime: json), at: "")
        #expect(subscription.expirationTime == Timestamp(milliseconds: milliseconds))
    }

    @Test func anAbsentExpirationTimeIsNone() throws {
        #expect(try PushSubscription(SubscriptionExample.json(expirationTime: nil), at: "").expirationTime == nil)
    }

    @Test func readsKeysInTheStandardAlphabetAndWithPadding() throws {
        let standard = SubscriptionExample.publicKey.replacing("-", with: "+").replacing("_", with: "/")
        let json = try SubscriptionExample.json(publicKey: standard + "=", secret: SubscriptionExample.secret + "==")
        #expect(try PushSubscription(json, at: "") == SubscriptionExample.subscription())
    }

    @Test func skipsMembersThatItDoesNotKnow() throws {
        guard case .object(var members) = try SubscriptionExample.json() else { return }
        members.append(JSONMember(name: "contentEncoding", value: .string("aes128gcm")))
        #expect(try PushSubscription(.object(members), at: "") == SubscriptionExample.subscription())
    }

    @Test func namesEachMemberThatIsToBlame() throws {
        let json = try SubscriptionExample.json(
            endpoint: "ftp://push.example.net/", expirationTime: "-1", publicKey: nil, secret: "AAAA")
        let error = try #require(throws: InvalidMembers.self) { try PushSubscription(json, at: "/subscription") }
        #expect(
            error.faults.map(\.pointer) == [
                "/subscription/endpoint", "/subscription/expirationTime", "/subscription/keys/p256dh",
                "/subscription/keys/auth",
            ])
    }

    @Test(
        arguments: [
            ("null", ["/s"]), ("[]", ["/s"]), ("{}", ["/s/endpoint", "/s/keys/p256dh", "/s/keys/auth"]),
            (#"{"endpoint":1,"keys":[]}"#, ["/s/endpoint", "/s/keys"]),
        ] as [(String, [String])])
    func namesWhatIsMissing(json: String, pointers: [String]) throws {
        let json = try JSONParser.parse(Array(json.utf8))
        let error = try #require(throws: InvalidMembers.self) { try PushSubscription(json, at: "/s") }
        #expect(error.faults.map(\.pointer) == pointers)
    }

    /// 64 bytes, 66 bytes, a compressed point's first byte, a point beside the curve, no base64.
    @Test(arguments: [
        "CVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw",
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4A",
        "AiVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw8",
        "", "****",
    ])
    func refusesAWrongPoint(key: String) throws {
        let json = try SubscriptionExample.json(publicKey: key)
        let error = try #require(throws: InvalidMembers.self) { try PushSubscription(json, at: "") }
        #expect(error.faults.map(\.pointer) == ["/keys/p256dh"])
        #expect(key.isEmpty || !error.description.contains(key))
    }

    /// 15 and 17 bytes.
    @Test(arguments: ["BTBZMqHH6r4Tts7J_aSI", "BTBZMqHH6r4Tts7J_aSIggA", "", "BTBZMqHH6r4Tts7J_aSIg"])
    func refusesASecretOfAnotherLength(secret: String) throws {
        let json = try SubscriptionExample.json(secret: secret)
        let error = try #require(throws: InvalidMembers.self) { try PushSubscription(json, at: "") }
        #expect(error.faults.map(\.pointer) == ["/keys/auth"])
    }

    @Test(arguments: [(1000, true), (1001, false)])
    func anEndpointHas1000BytesAtMost(length: Int, isTaken: Bool) throws {
        let endpoint = "https://push.example.net/".padding(to: length)
        let json = try SubscriptionExample.json(endpoint: endpoint)
        #expect(((try? PushSubscription(json, at: "")) != nil) == isTaken)
    }

    @Test(arguments: ["-1", #""1""#, "1e300", "253402300800000", "true"])
    func refusesAnExpirationTime(json: String) throws {
        let json = try SubscriptionExample.json(expirationTime: json)
        #expect(throws: InvalidMembers.self) { try PushSubscription(json, at: "") }
    }

    @Test func isReadAsItWasWritten() throws {
        let subscription = try PushSubscription(SubscriptionExample.json(expirationTime: "1772442904512"), at: "")
        #expect(try PushSubscription(canonicalJSON: subscription.canonicalJSON) == subscription)
    }

    @Test func itsDescriptionShowsTheHostAlone() throws {
        let subscription = try SubscriptionExample.subscription()
        #expect("\(subscription)" == "PushSubscription(push.example.net)")
        #expect(String(reflecting: subscription) == "PushSubscription(push.example.net)")
    }
}

extension String {
    fileprivate func padding(to length: Int) -> String { self + String(repeating: "a", count: length - utf8.count) }
}
