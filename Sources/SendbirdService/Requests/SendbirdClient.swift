import Bounds
import Chat
import ChatModel
import Formats
import HTTPClientPort
import SendbirdWire
import Synchronization

/// Makes the calls of one application: with its token, within its budget. May be used from any task.
///
/// The token goes to the application's own address and nowhere else, in a header: it is in no URL and no error.
final class SendbirdClient: Sendable {
    private let base: String
    private let token: String
    private let port: any HTTPPort
    let files: PlatformFiles
    let clock: any Clock<Duration>
    /// Writes a line to the log.
    let notice: @Sendable (String) -> Void
    let gate: RequestGate
    /// Where files wait to be sent. A file is in memory while it is sent: four at a time, one for each
    /// account. One place is kept free for an account that has none.
    let uploads = PlaceLine(limit: 5, waiting: 400)
    /// Counts the bytes of files on their way.
    let memory: ByteCounter
    /// Whether the log says already that the platform refuses the application.
    private let isRefused = Mutex(false)
    private let id: String

    /// How long a call that the platform has refused for its number waits at most, in all.
    static let limitPatience = Duration.seconds(30)

    init(
        _ application: SendbirdConfiguration.Application, port: any HTTPPort, foreignPort: any HTTPPort,
        clock: any Clock<Duration>, memory: ByteCounter, notice: @escaping @Sendable (String) -> Void
    ) {
        (id, base, token) = (application.id, application.base, application.token)
        (self.port, self.clock, self.memory, self.notice) = (port, clock, memory, notice)
        files = PlatformFiles(application, port: port, foreignPort: foreignPort, clock: clock)
        gate = RequestGate(
            RequestBudget(gets: application.getLimit, writes: application.writeLimit), clock: clock)
    }

    /// Makes a call, and reads its answer.
    ///
    /// - Parameters:
    ///   - account: whose call it is; nil: all accounts'.
    ///   - waits: whether it waits where the application's limit is reached. Otherwise it is given up.
    ///   - mayBegin: asked once, when the next step is that the call goes out; false: it must not.
    func ask<Answer: SendbirdShape>(
        _ call: SendbirdCall, _ urgency: RequestGate.Urgency, as type: Answer.Type = Answer.self,
        of account: Int64? = nil, waits: Bool = true, mayBegin: () -> Bool = { true }
    ) async throws(SendbirdFailure) -> Answer {
        let body = try await exchange(call, urgency, account, waits: waits, mayBegin)
        do throws(SendbirdSyntaxError) {
            return try Answer(answer: body)
        } catch {
            // What is no text in a message or a name must not make the whole answer one that cannot be read.
            let repaired = Array(String(decoding: body, as: UTF8.self).utf8)
            if repaired != body, let answer = try? Answer(answer: repaired) { return answer }
            throw .open(ChatError(.serverError, "The platform's answer cannot be read: \(error)."))
        }
    }

    /// Makes a call whose answer tells nothing.
    func tell(_ call: SendbirdCall, of account: Int64, waits: Bool = true) async throws(SendbirdFailure) {
        _ = try await exchange(call, .deed, account, waits: waits, { true })
    }

    private func exchange(
        _ call: SendbirdCall, _ urgency: RequestGate.Urgency, _ account: Int64?, waits: Bool, _ mayBegin: () -> Bool
    ) async throws(SendbirdFailure) -> [UInt8] {
        if waits {
            try await pass(call, urgency, account)
        } else if !gate.passAtOnce(call.kind, of: account) {
            throw .notAsked(ChatError(.serverError, "The application's limit of calls is reached."))
        }
        guard mayBegin() else { throw .open(ChatError(.notConnected, "Nobody waits for the call any more.")) }
        var (waited, pause) = (Duration.zero, Duration.seconds(1))
        while true {
            let answer = try await send(call)
            switch SendbirdOutcome(
                status: answer.status, body: answer.body, retryAfter: answer.headers["x-ratelimit-retryafter"])
            {
            case .done:
                isRefused.withLock { $0 = false }
                return answer.body
            case .refused(var error):
                // A platform may repeat what it was sent.
                error.message = error.message.replacing(token, with: "[token]")
                let failure = SendbirdFailure.refused(error)
                if failure.endsApplication { noteRefusal(error) }
                throw failure
            case .unknown:
                throw .open(ChatError(.serverError, "The platform answered \(answer.status)."))
            case .limited(let seconds):
                // It was not processed, so that it is repeated as it is.
                let wait = max(.seconds(1), seconds.map { Duration.seconds($0) } ?? pause)
                pause = min(pause * 2, .seconds(30))
                gate.refused(call.kind, for: min(wait, .seconds(60)))
                waited += wait
                guard waits, waited <= Self.limitPatience else {
                    throw .notAsked(
                        ChatError(.serverError, "The platform takes no more calls of the application now."))
                }
                // The gate lets it go when the time is over.
                try await pass(call, urgency, account)
            }
        }
    }

    private func pass(
        _ call: SendbirdCall, _ urgency: RequestGate.Urgency, _ account: Int64?
    ) async throws(SendbirdFailure) {
        do throws(ChatError) {
            try await gate.pass(call.kind, scope: call.scope, urgency, of: account)
        } catch {
            throw error.code == .notConnected ? .open(error) : .notAsked(error)
        }
    }

    private func send(_ call: SendbirdCall) async throws(SendbirdFailure) -> HTTPAnswer {
        var headers = [HTTPCall.Header("Api-Token", token)]
        if call.body != nil { headers.append(HTTPCall.Header("Content-Type", call.contentType)) }
        let request = HTTPCall(
            call.method.rawValue, base + "/v3" + call.path, headers: headers, body: call.body, timeout: call.patience)
        do {
            return try await port.send(request, limit: SendbirdBound.answer)
        } catch HTTPCallError.timeout {
            throw .open(ChatError(.eventTimeout, "The platform did not answer in time."))
        } catch HTTPCallError.tooLong {
            throw .tooLarge
        } catch let refusal as AddressRefusal {
            throw .open(ChatError(.serverError, refusal.detail))
        } catch is CancellationError {
            throw .open(ChatError(.notConnected, "The call was cancelled."))
        } catch {
            throw .open(ChatError(.serverError, "The platform cannot be reached."))
        }
    }

    private func noteRefusal(_ error: SendbirdError) {
        let isNew = isRefused.withLock { isRefused in
            defer { isRefused = true }
            return !isRefused
        }
        if isNew {
            notice("Sendbird refuses the application \(id) (\(error.code.rawValue)): its token must be changed.")
        }
    }
}
