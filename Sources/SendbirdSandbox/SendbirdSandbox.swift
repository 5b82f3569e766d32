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
    /// Opens everything, as the platform's master token does: 40 hexadecimal digits.
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
    ///   - key: a secret of the data folder, of which the token is made.
    ///   - targets: sends webhooks.
    ///   - faults: those of its webhooks' ``course(token:faults:)``; nil for its own.
    package init(
        store: ChatStore, service: LocalService, channel: String, key: [UInt8], targets: CallbackTargets,
        faults: FaultRunner? = nil, isStrict: Bool = false, clock: any Clock<Duration>
    ) {
        (self.store, self.service, self.channel, self.targets) = (store, service, channel, targets)
        self.isStrict = isStrict
        ids = StableIDs(seed: store.instance)
        applicationID = ids.uuid("sendbird\n\(channel)").uppercased()
        token = Self.token(of: channel, key: key)
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

    /// Not the gateway's key itself: what it signs means something else there.
    package static func token(of channel: String, key: [UInt8]) -> String {
        let code = HMAC<SHA256>.authenticationCode(
            for: Array("sendbird-sandbox\n\(channel)".utf8), using: SymmetricKey(data: key))
        return Hexadecimal.encode(code.prefix(20))
    }

    /// The first channel of several threads; nil if there is none.
    package static func channel(of service: LocalService) async throws(ChatError) -> String? {
        try await service.channels().first { $0.mode == .multithread }?.id
    }
}
