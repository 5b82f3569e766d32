import ChatModel
import ChatStore
import Synchronization

/// What came of one attempt to send a message.
enum SendAttempt {
    case sent(RemoteMessage)
    /// It did not arrive, and may another time.
    case failed(ChatError)
    /// It can never be sent.
    case refused(ChatError)
    /// Whether it arrived is to be asked when the platform can be reached again.
    case unknown(ChatError)

    /// Sends a message over a platform, always under its own id as request id.
    ///
    /// - Parameter asksFirst: an earlier attempt may have arrived.
    static func run(_ own: OutgoingRecord, over platform: any RemotePlatform, asksFirst: Bool) async -> Self {
        let thread = own.message.threadID
        do throws(ChatError) {
            if asksFirst, let sent = try await platform.message(sentAs: own.message.id, in: thread) { return .sent(sent) }
        } catch {
            return .failed(error)
        }
        do throws(ChatError) {
            var message = own.message
            (message.status, message.failure) = (.pending, nil)
            return .sent(try await platform.send(message, to: thread))
        } catch {
            guard error.code.mayPass else { return .refused(error) }
            guard error.code.isUncertain else { return .failed(error) }
            do throws(ChatError) {
                if let sent = try await platform.message(sentAs: own.message.id, in: thread) { return .sent(sent) }
                return .failed(error)
            } catch _ {
                return .unknown(error)
            }
        }
    }
}

extension ChatError.Code {
    /// Another attempt may succeed; otherwise the message itself is at fault, and is not kept.
    fileprivate var mayPass: Bool { isUncertain || self == .attachmentError || self == .shuttingDown }

    /// The platform may have done it all the same.
    fileprivate var isUncertain: Bool { self == .notConnected || self == .eventTimeout || self == .serverError }
}

/// Who comes first: the answer that a message is pending, or the platform's refusal. A message that was answered stays.
final class SendAnswer: Sendable {
    private let state = Mutex<(isGiven: Bool, refusal: ChatError?)>((false, nil))

    /// False when the answer was given already.
    func refuse(_ error: ChatError) -> Bool {
        state.withLock { state in
            guard !state.isGiven else { return false }
            state.refusal = error
            return true
        }
    }

    /// Nil, or why the message was refused before the answer was given.
    func give() -> ChatError? {
        state.withLock { state in
            state.isGiven = state.refusal == nil
            return state.refusal
        }
    }
}
