import ChatModel
import SandboxKit
import SendbirdWire

/// How the program has answered: a status and the beginning of its body, or a word that says why it did not.
package typealias CallbackAnswer = (status: Int?, text: [UInt8], error: String?)

extension SendbirdSandbox {
    /// Sends what ``WebhookTeller`` and ``BotTeller`` have written: signed, as the faults of now let it go, and kept as
    /// frames.
    ///
    /// - Parameter faults: of the sandbox.
    /// - Returns: what sends a call by a closure. It returns nil for one that is lost on the way, as nobody tells of it
    ///   again.
    package static func course(
        token: String, faults: FaultRunner
    )
        -> @Sendable (
            _ call: CallbackEvent, _ url: String,
            _ send: @Sendable (_ headers: [(name: String, value: String)], _ body: [UInt8]) async -> CallbackAnswer
        ) async -> CallbackAnswer?
    {
        let (signature, held) = (SendbirdSignature(masterToken: token), HeldCalls())
        // Of another application.
        let forged = SendbirdSignature(masterToken: "\(token)0")
        return { call, url, send in
            let call = ProgramCall(category: call.category, channel: call.threadID, url: url, body: call.body)
            return await faults.send(call, held: held) { call, isForged in
                await send(
                    [
                        ("Content-Type", "application/json"), ("User-Agent", "SendBird"),
                        (SendbirdSignature.header, (isForged ? forged : signature).text(of: call.body)),
                    ], call.body)
            } shown: { answer in
                (answer.status, answer.error.map { Array($0.utf8) } ?? answer.text)
            }
        }
    }
}
