import ChatModel
import Crypto
import Formats
import Testing

@testable import Outbound

/// A JSON Web Token whose signature was verified.
struct SignedToken {
    let header: String
    let claims: String

    init(_ token: String, verifiedBy key: P256.Signing.PublicKey) throws {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        try #require(parts.count == 3)
        let signature = try #require(Base64URL.decode(parts[2]))
        try #require(signature.count == 64)
        let isValid = key.isValidSignature(
            try P256.Signing.ECDSASignature(rawRepresentation: signature), for: Array("\(parts[0]).\(parts[1])".utf8))
        guard isValid else { throw Invalid() }
        header = String(decoding: try #require(Base64URL.decode(parts[0])), as: UTF8.self)
        claims = String(decoding: try #require(Base64URL.decode(parts[1])), as: UTF8.self)
    }

    struct Invalid: Error {}

    /// RFC 8292, section 2.4.
    static let example =
        "eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.eyJhdWQiOiJodHRwczovL3B1c2guZXhhbXBsZS5uZXQiLCJleHAiOjE0NTM1MjM3NjgsInN1"
        + "YiI6Im1haWx0bzpwdXNoQGV4YW1wbGUuY29tIn0."
        + "i3CYb7t4xfxCDquptFOepC9GAu_HLGkMlMuCGSK2rpiUfnK9ojFwDXb1JrErtmysazNjjvW2"
        + "L9OkSSHzvoD1oA"
    static let exampleKey =
        "BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs"
}
