import HTTPRouting

/// The text of a key: `plk_`, 8 characters of its id, 32 of the secret, and 6 that check the others; all of them base62.
///
/// The beginning is the same for all keys and the end is a check sum, so that scanners find keys in published code, and a
/// mistyped one is known without a look-up.
struct KeyText: Sendable {
    static let prefix = "plk_"
    private static let (idLength, secretLength, checkLength) = (8, 32, 6)
    private static let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)

    let id: String
    let text: String
    /// SHA-256 of the text. A slow hash would not help: nobody can guess 190 random bits.
    let digest: [UInt8]

    /// A new text. With an id it is another secret of that key.
    init(id: String? = nil) {
        // The system's generator is `getrandom`, which is made for secrets.
        var generator = SystemRandomNumberGenerator()
        func draw(_ count: Int) -> String {
            String(decoding: (0..<count).map { _ in Self.alphabet.randomElement(using: &generator)! }, as: UTF8.self)
        }
        self.id = id ?? draw(Self.idLength)
        let body = Self.prefix + self.id + draw(Self.secretLength)
        text = body + Self.check(of: body)
        digest = SHA256.hash(Array(text.utf8))
    }

    /// Reads a text that a client has sent. Nil when it is no key: by its form or by its check sum.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        let bodyLength = Self.prefix.utf8.count + Self.idLength + Self.secretLength
        guard bytes.count == bodyLength + Self.checkLength, text.hasPrefix(Self.prefix),
            bytes.dropFirst(Self.prefix.utf8.count).allSatisfy(Self.alphabet.contains)
        else { return nil }
        let body = String(decoding: bytes[..<bodyLength], as: UTF8.self)
        guard Self.check(of: body).utf8.elementsEqual(bytes[bodyLength...]) else { return nil }
        id = String(decoding: bytes[Self.prefix.utf8.count...].prefix(Self.idLength), as: UTF8.self)
        self.text = text
        digest = SHA256.hash(bytes)
    }

    /// Whether a text claims to be a key. Tokens of sessions have a dot, and the gateway's token has another beginning.
    static func isMeant(by text: String) -> Bool {
        text.utf8.starts(with: prefix.utf8) && !text.utf8.contains(UInt8(ascii: "."))
    }

    /// CRC-32 as base62, with zeros in front.
    private static func check(of body: String) -> String {
        var rest = Int(CRC32.of(Array(body.utf8)))
        var digits: [UInt8] = []
        for _ in 0..<checkLength {
            digits.append(alphabet[rest % alphabet.count])
            rest /= alphabet.count
        }
        return String(decoding: digits.reversed(), as: UTF8.self)
    }
}
