import ChatModel
import Crypto
import Formats
import Testing

@testable import Outbound

@Suite struct WebPushEncryptionTests {
    private static let ephemeralKey = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
    private static let salt = "DGv6ra1nlYgDCS1FRnbzlw"
    private static let inputKey = "S4lYMb_L0FxCeq0WhDx813KgSYqU26kOyzWUdsXYyrg"
    private static let header =
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIg"
        + "Dll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8"
    private static let record =
        "8pfeW0KbunFT06SuDKoJH9Ql87S1QUrdirN6GcG7sFz1y1sqLgVi1VhjVkHsUoEsbI_0LpXMuGvnzQ"

    private func bytes(_ text: String) throws -> [UInt8] { try #require(Base64URL.decode(text)) }

    private func exampleMaterial() throws -> WebPushEncryption.Material {
        WebPushEncryption.Material(
            ephemeralKey: try P256.KeyAgreement.PrivateKey(rawRepresentation: bytes(Self.ephemeralKey)),
            salt: try bytes(Self.salt))
    }

    /// RFC 8291, section 5 and appendix A.
    @Test func encryptsTheExampleOfRFC8291() throws {
        let material = try exampleMaterial()
        let encryption = WebPushEncryption { material }
        let subscription = try SubscriptionExample.subscription()
        let body = try encryption.body(Array("When I grow up, I want to be a watermelon".utf8), for: subscription)
        #expect(Base64URL.encode(body.prefix(86)) == Self.header)
        #expect(Base64URL.encode(body.dropFirst(86)) == Self.record)
        #expect(body.count == 144)
    }

    @Test func derivesTheKeysOfRFC8291() throws {
        let inputKey = try WebPushEncryption.inputKey(
            exampleMaterial().ephemeralKey, SubscriptionExample.subscription())
        #expect(inputKey.withUnsafeBytes { Base64URL.encode($0) } == Self.inputKey)
        let keys = AES128GCMEncoding.RecordKeys(key: inputKey, salt: try bytes(Self.salt))
        #expect(keys.key.withUnsafeBytes { Base64URL.encode($0) } == "oIhVW04MRdy2XN9CiKLxTg")
        #expect(Base64URL.encode(keys.nonce) == "4h_95klXJ5E_qnoN")
    }

    /// The steps between, as appendix A lists them.
    @Test func hasTheIntermediateValuesOfRFC8291() throws {
        let material = try exampleMaterial()
        let sender = material.ephemeralKey.publicKey
        let subscription = try SubscriptionExample.subscription()
        let receiver = try P256.KeyAgreement.PublicKey(x963Representation: subscription.publicKey)
        #expect(
            Base64URL.encode(sender.x963Representation)
                == "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8")
        #expect(try PushReceiver.example().key.publicKey.x963Representation == receiver.x963Representation)
        let secret = try material.ephemeralKey.sharedSecretFromKeyAgreement(with: receiver)
        let secretBytes = secret.withUnsafeBytes { Array($0) }
        #expect(Base64URL.encode(secretBytes) == "kyrL1jIIOHEzg3sM2ZWRHDRB62YACZhhSlknJ672kSs")
        let keyPRK = HKDF<SHA256>.extract(
            inputKeyMaterial: SymmetricKey(data: secretBytes), salt: subscription.authenticationSecret)
        #expect(Base64URL.encode(keyPRK) == "Snr3JMxaHVDXHWJn5wdC52WjpCtd2EIEGBykDcZW32k")
        #expect(
            Base64URL.encode(WebPushEncryption.keyInfo(receiver: receiver, sender: sender))
                == "V2ViUHVzaDogaW5mbwAEJXGyvs3942BVGq8e0PTNNmwRzr5VX4m8t7GGpTM5FzFo7OLr4BhZe9MEebhuPI-OztV3ylkYfpJGmQ2"
                + "2ggCLDgT-M_SrDepxkU21WCP3O1SUj0EwbZIHMtu5pZpTKGSCIA5Zent7wmC6HCJ5mFgJkuk5cwAvMBKiiujwa7t45ewP")
        let recordPRK = HKDF<SHA256>.extract(
            inputKeyMaterial: try WebPushEncryption.inputKey(material.ephemeralKey, subscription), salt: material.salt)
        #expect(Base64URL.encode(recordPRK) == "09_eUZGrsvxChDCGRCdkLiDXrReGOEVeSCdCcPBSJSc")
        let info = AES128GCMEncoding.RecordKeys.info
        #expect(Base64URL.encode(info("aes128gcm")) == "Q29udGVudC1FbmNvZGluZzogYWVzMTI4Z2NtAA")
        #expect(Base64URL.encode(info("nonce")) == "Q29udGVudC1FbmNvZGluZzogbm9uY2UA")
    }

    /// RFC 8188, section 3.1.
    @Test func encodesTheExampleOfRFC8188() throws {
        let key = SymmetricKey(data: try bytes("yqdlZ-tYemfogSmv7Ws5PQ"))
        let salt = try bytes("I1BsxtFttlv3u_Oo94xnmw")
        let keys = AES128GCMEncoding.RecordKeys(key: key, salt: salt)
        #expect(keys.key.withUnsafeBytes { Base64URL.encode($0) } == "_wniytB-ofscZDh4tbSjHw")
        #expect(Base64URL.encode(keys.nonce) == "Bcs8gkIRKLI8GeI8")
        let body = try AES128GCMEncoding.encode(Array("I am the walrus".utf8), key: key, salt: salt, keyID: [])
        #expect(Base64URL.encode(body) == "I1BsxtFttlv3u_Oo94xnmwAAEAAA-NAVub2qFgBEuQKRapoZu-IxkIva3MEB1PD-ly8Thjg")
    }

    @Test func theReceiverReadsWhatWasSent() throws {
        let subscription = try SubscriptionExample.subscription()
        let plaintext = [UInt8](repeating: 0x41, count: WebPushEncryption.maximumPlaintextLength)
        let body = try WebPushEncryption().body(plaintext, for: subscription)
        #expect(body.count == WebPushEncryption.maximumBodyLength)
        #expect(try PushReceiver.example().open(body) == plaintext)
    }

    @Test func anotherReceiverReadsNothing() throws {
        let body = try WebPushEncryption().body([1], for: SubscriptionExample.subscription())
        var stranger = try PushReceiver.example()
        stranger.secret[0] ^= 1
        #expect(throws: (any Error).self) { try stranger.open(body) }
    }

    @Test func aPlaintextThatIsTooLongIsRefused() throws {
        let plaintext = [UInt8](repeating: 0x41, count: WebPushEncryption.maximumPlaintextLength + 1)
        #expect(throws: AES128GCMEncoding.TooLong.self) {
            try WebPushEncryption().body(plaintext, for: SubscriptionExample.subscription())
        }
    }

    @Test func noTwoMessagesShareSaltOrKey() throws {
        let subscription = try SubscriptionExample.subscription()
        let encryption = WebPushEncryption()
        var salts: Set<[UInt8]> = []
        var keys: Set<[UInt8]> = []
        for _ in 0..<100 {
            let body = try encryption.body([1], for: subscription)
            salts.insert(Array(body[0..<16]))
            keys.insert(Array(body[21..<86]))
        }
        #expect(salts.count == 100)
        #expect(keys.count == 100)
    }
}
