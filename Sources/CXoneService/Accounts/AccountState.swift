import ChatModel
import CXoneWire
import Formats

/// What is kept of an account beside the store, tokens included. It is written only to a file of mode 0600. The
/// names of its properties are the file's format.
struct AccountState: Sendable, Codable, Equatable {
    /// The account's service, channel and customer. A file whose key differs is set aside: the store was replaced,
    /// and its numbers mean other accounts.
    var key: String
    /// Made once for each account; names the app's installation to the platform.
    var visitorID: String
    /// The customer's id on the platform, which may give another than the client did.
    var customerID: String
    /// Of a session that is not secured; only on channels with OAuth.
    var accessToken: Token?
    /// Of a secured session: stands in the socket's URL.
    var transactionToken: Token?
    /// The channel's own OAuth service's, beside the transaction token.
    var thirdPartyToken: Token?
    /// Renews the third party's token.
    var refreshToken: String?
    /// The template that the platform last greeted with.
    var welcomeMessage: String?
    var visit: Visit?
    /// The device that the platform was told last. It is needed to tell once that its token is gone.
    var device: Device?

    struct Device: Sendable, Codable, Equatable {
        var token: String
        var os: String?
        var osVersion: String?
    }

    /// What a visitor does belongs to a visit.
    struct Visit: Sendable, Codable, Equatable {
        var id: String
        /// Milliseconds since 1970.
        var expiresAt: Int64
    }

    struct Token: Sendable, Codable, Equatable {
        var value: String
        /// Milliseconds since 1970; nil: it does not expire.
        var expiresAt: Int64?

        /// The mobile SDK's margin, within which a token counts as expired.
        static let margin: Int64 = 30_000

        /// - Parameter seconds: how long the token is valid; nil: without end. Negative and huge values of the
        ///   platform are limited to 0 and a hundred years.
        init(_ value: String, expiresIn seconds: Int?, now: Timestamp) {
            self.value = value
            expiresAt = seconds.map { now.milliseconds + Int64($0.clamped) * 1000 }
        }

        func isExpired(at now: Timestamp) -> Bool { expiresAt.map { now.milliseconds >= $0 - Self.margin } ?? false }
    }
}

extension Int {
    /// What a hostile number of seconds comes to: a hundred years at most.
    fileprivate var clamped: Int { Swift.max(0, Swift.min(self, 3_153_600_000)) }
}
