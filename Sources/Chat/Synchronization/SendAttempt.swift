import ChatModel
import ChatStore
import Synchronization

/// The result of one attempt to send a message.
enum SendAttempt {
    case sent(RemoteMessage)
    /// The platform has it, and the store too, as this.
    case confirmed(Message)
    /// It did not arrive, and another attempt may succeed.
    case failed(ChatError)
    /// The platform refuses the message itself: no attempt can succeed.
    case refused(ChatError)
    /// Whether it arrived is not known. The platform is to be asked when it can be reached again.
    case unknown(ChatError)

    /// Sends a message over a platform, always with the message's id as request id. Takes as long as the platform
    /// takes.
    static func run(_ outgoing: OutgoingMessage, over platform: any RemotePlatform) async -> Self {
        let message = outgoing.message
        do throws(ChatError) {
            switch try await platform.send(outgoing) {
            case .told(let sent): return .sent(sent)
            case .confirmed(let message): return .confirmed(message)
            }
        } catch {
            guard error.code.mayPass else { return .refused(error) }
            guard error.code.isUncertain else { return .failed(error) }
            do throws(ChatError) {
                if let sent = try await platform.message(sentAs: message.id, in: message.threadID) {
                    return .sent(sent)
                }
                return .failed(error)
            } catch _ {
                return .unknown(error)
            }
        }
    }
}

extension ChatError.Code {
    /// Whether another attempt may succeed. Otherwise the message itself is wrong, and is not kept.
    fileprivate var mayPass: Bool { isUncertain || self == .attachmentError || self == .shuttingDown }

    /// Whether the platform may have stored the message in spite of the error.
    fileprivate var isUncertain: Bool { self == .notConnected || self == .eventTimeout || self == .serverError }
}

/// Decides a race: the client is answered after 10 s that its message is pending, and the platform may refuse the
/// message at the same moment. The first one wins. A message that the client was told of is kept.
final class SendAnswer: Sendable {
    private let state = Mutex<(isGiven: Bool, refusal: ChatError?)>((false, nil))

    /// The platform refused the message. Returns false when the client was answered already: then the message must be
    /// kept as failed.
    func refuse(_ error: ChatError) -> Bool {
        state.withLock { state in
            guard !state.isGiven else { return false }
            state.refusal = error
            return true
        }
    }

    /// The client is to be answered now. Returns nil, or why the message was refused before.
    func give() -> ChatError? {
        state.withLock { state in
            state.isGiven = state.refusal == nil
            return state.refusal
        }
    }
}
