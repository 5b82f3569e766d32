import CryptoExtras
import Formats
import HTTPClientPort
import Synchronization

@testable import Outbound

/// Google: the address for access tokens and that for pushes, what they were sent, and what they answer.
final class ScriptedFCM: HTTPPort {
    static let token =
        "fMEP0vJqS0:APA91bHPRgkF3JUikC4ENAHEeMrd41Zxv3hVZjC9KtT8OvPVGJ-hQMRKRrZuJAEcl7B338qju59zJMjw2DELjzEvxwYv7"

    private struct State {
        var exchanges: [HTTPCall] = []
        var pushes: [HTTPCall] = []
        var tokenAnswers: [HTTPAnswer] = []
        var answers: [HTTPAnswer] = []
        var isClosed = false
        var waiting: [CheckedContinuation<Void, Never>] = []
        var cancelled = 0
    }
    private let state = Mutex(State())

    /// Requests for access tokens. The first one gets `token-1`, for an hour.
    var exchanges: [HTTPCall] { state.withLock { $0.exchanges } }
    var pushes: [HTTPCall] { state.withLock { $0.pushes } }
    /// Exchanges whose caller went away.
    var cancelledCount: Int { state.withLock { $0.cancelled } }

    /// The next answers to pushes; after them each is taken.
    func answer(_ answers: HTTPAnswer...) { state.withLock { $0.answers += answers } }
    /// The next answers to exchanges; after them each is granted.
    func answerExchanges(_ answers: HTTPAnswer...) { state.withLock { $0.tokenAnswers += answers } }

    /// Exchanges begin, but get no answer until ``open()``.
    func close() { state.withLock { $0.isClosed = true } }

    func open() {
        let waiting = state.withLock { state in
            state.isClosed = false
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    func send(_ request: HTTPCall, limit: Int) async throws -> HTTPAnswer {
        guard request.url == FCMAccount.exampleTokenURL else {
            return state.withLock { state in
                state.pushes.append(request)
                return state.answers.isEmpty ? HTTPAnswer(status: 200) : state.answers.removeFirst()
            }
        }
        let number = state.withLock { state in
            state.exchanges.append(request)
            return state.exchanges.count
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOpen = state.withLock { state in
                    if state.isClosed, !Task.isCancelled { state.waiting.append(continuation) }
                    return !state.isClosed || Task.isCancelled
                }
                if isOpen { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.cancelled += 1 }
            open()
        }
        try Task.checkCancellation()
        return state.withLock { state in
            guard state.tokenAnswers.isEmpty else { return state.tokenAnswers.removeFirst() }
            return .granting("token-\(number)")
        }
    }
}

extension HTTPAnswer {
    static func granting(_ token: String, seconds: Int = 3599) -> HTTPAnswer {
        HTTPAnswer(
            status: 200,
            body: Array(#"{"access_token":"\#(token)","expires_in":\#(seconds),"token_type":"Bearer"}"#.utf8))
    }

    /// A refusal of FCM, as Google's interfaces write it.
    ///
    /// - Parameter code: FCM's own; nil: it says none.
    static func refusal(
        _ status: Int, _ word: String, code: String? = nil, field: String? = nil, retryAfter: String? = nil
    ) -> HTTPAnswer {
        var details: [String] = []
        if let field {
            details.append(
                #"{"@type":"type.googleapis.com/google.rpc.BadRequest","fieldViolations":[{"field":"\#(field)"}]}"#)
        }
        if let code {
            details.append(
                #"{"@type":"type.googleapis.com/google.firebase.fcm.v1.FcmError","errorCode":"\#(code)"}"#)
        }
        let body =
            #"{"error":{"code":\#(status),"message":"No.","status":"\#(word)","details":[\#(details.joined(separator: ","))]}}"#
        return HTTPAnswer(
            status: status, headers: retryAfter.map { ["retry-after": $0] } ?? [:], body: Array(body.utf8))
    }
}

extension FCMAccount {
    static let exampleTokenURL = "https://oauth2.googleapis.com/token"
    /// Made once: it takes a while.
    static let exampleKey = Result { try _RSA.Signing.PrivateKey(keySize: .bits2048) }

    /// A service account's file.
    static func exampleFile(_ change: (inout [String: String]) -> Void = { _ in }) throws -> [UInt8] {
        var members = [
            "type": "service_account", "project_id": "example-shop", "private_key_id": "9f8e7d6c",
            "private_key": try exampleKey.get().pkcs8PEMRepresentation,
            "client_email": "push@example-shop.iam.gserviceaccount.com", "client_id": "1",
            "token_uri": exampleTokenURL,
        ]
        change(&members)
        var json = JSONWriter()
        json.beginObject()
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            json.name(name)
            json.value(value)
        }
        json.endObject()
        return json.bytes
    }
}

extension FCMAccess {
    static func example(
        project: String = "example-shop", channels: [String]? = nil, isDataOnly: Bool = false
    ) throws -> FCMAccess {
        FCMAccess(
            app: FCMApp(
                project: project, accountPath: "\(project).json", channels: channels, isDataOnly: isDataOnly),
            account: try FCMAccount(FCMAccount.exampleFile()))
    }
}
