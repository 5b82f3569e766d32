import Chat
import ChatModel
import ChatStore
import Crypto
import Formats
import LocalService
import SandboxKit
import SendbirdWire

/// Stands in for Sendbird's Platform API, in front of one multi-thread channel of the embedded service: a program that was
/// made for that API can be pointed at the gateway.
///
/// What a program does is done to the embedded service. So the desk, the REST API and the program see the same users,
/// channels and messages. It was made from public descriptions, and was never compared with the real service. May be used
/// from any task.
package final class SendbirdSandbox: Sendable {
    let store: ChatStore
    let service: LocalService
    /// The embedded channel: an application of the platform.
    package let channel: String
    /// A UUID in capitals, always the same for a data folder and channel.
    package let applicationID: String
    /// Opens everything, as the platform's master token does. See ``token(of:key:)`` and ``isToken(_:)``.
    package let token: String
    /// Errors that people asked for, and what came and was sent last.
    package let faults: FaultRunner
    /// Ids that stay the same as long as the data folder exists.
    let ids: StableIDs
    let targets: CallbackTargets
    /// Whether members of a body that no description knows are refused.
    let isStrict: Bool
    let expiredPages = ExpiredPages()

    /// - Parameters:
    ///   - channel: the id of a multi-thread channel.
    ///   - targets: sends webhooks.
    ///   - faults: those of its webhooks' ``course(token:faults:)``; nil for its own.
    package init(
        store: ChatStore, service: LocalService, channel: String, token: String, targets: CallbackTargets,
        faults: FaultRunner? = nil, isStrict: Bool = false, clock: any Clock<Duration>
    ) {
        (self.store, self.service, self.channel, self.targets) = (store, service, channel, targets)
        self.isStrict = isStrict
        ids = StableIDs(seed: store.instance)
        applicationID = ids.uuid("sendbird\n\(channel)").uppercased()
        self.token = token
        self.faults = faults ?? Self.faults(store.environment, clock, token: token)
        self.faults.onImmediate { [expiredPages] in expiredPages.add($0, at: store.environment.now()) }
        hearDeeds()
    }

    private static let (secretNames, secretSegments) = (["token", "secret"], ["api_tokens"])
    /// What errors do not show.
    static let secrets = FrameSecrets(secretNames, behind: secretSegments)

    /// What goes wrong, and what is kept as frames.
    package typealias Faults = FaultRunner

    /// - Parameter token: the sandbox's, which no frame shows.
    package static func faults(
        _ environment: ModelEnvironment, _ clock: any Clock<Duration>, token: String
    ) -> FaultRunner {
        let secrets = FrameSecrets(secretNames, behind: secretSegments, values: [token])
        return FaultRunner(
            faultKinds, frames: SandboxFrames(hiding: secrets, environment), clock: clock, environment: environment)
    }

    /// The token where nobody has chosen one: 40 hexadecimal digits, made of a secret of the data folder. Not the
    /// gateway's key itself: what it signs means something else there.
    package static func token(of channel: String, key: [UInt8]) -> String {
        let code = HMAC<SHA256>.authenticationCode(
            for: Array("sendbird-sandbox\n\(channel)".utf8), using: SymmetricKey(data: key))
        return Hexadecimal.encode(code.prefix(20))
    }

    /// Whether a text may be chosen as the token: it must stand in a header and a path as it is.
    package static func isToken(_ text: String) -> Bool {
        (16...128).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                let scalar = Unicode.Scalar(byte)
                return scalar.isASCII && (Character(scalar).isLetter || Character(scalar).isNumber)
                    || "-_".utf8.contains(byte)
            }
    }

    /// The channel of several threads of this id, or the first one; nil if there is none.
    package static func channel(
        _ id: String? = nil, of service: LocalService
    ) async throws(ChatError) -> String? {
        try await service.channels().first { $0.mode == .multithread && $0.id == id ?? $0.id }?.id
    }
}
