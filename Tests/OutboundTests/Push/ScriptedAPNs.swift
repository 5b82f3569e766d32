import Crypto
import HTTPClientPort
import Synchronization

@testable import Outbound

/// APNs: what it was sent on which connection, and what it answers.
final class ScriptedAPNs: Sendable {
    enum Answer: Sendable {
        case answer(HTTPAnswer)
        case timeout
    }

    private struct State {
        var calls: [(connection: Int, call: HTTPCall)] = []
        var answers: [Answer] = []
        var standing: Answer?
        var connections = 0
        var notices: [String] = []
    }
    private let state = Mutex(State())

    var calls: [HTTPCall] { state.withLock { $0.calls.map { $0.call } } }
    /// Of each call, from 1.
    var connections: [Int] { state.withLock { $0.calls.map { $0.connection } } }
    var notices: [String] { state.withLock { $0.notices } }

    /// The next answers; after them each push is taken.
    func answer(_ answers: Answer...) { state.withLock { $0.answers += answers } }
    /// What is answered when no next answer is set; nil: taken.
    func answerAlways(_ answer: Answer?) { state.withLock { $0.standing = answer } }

    func note(_ text: String) { state.withLock { $0.notices.append(text) } }

    func connect() -> any HTTPPort {
        Connection(
            service: self,
            number: state.withLock { state in
                state.connections += 1
                return state.connections
            })
    }

    private struct Connection: HTTPPort {
        let service: ScriptedAPNs
        let number: Int

        func send(_ request: HTTPCall, limit: Int) async throws -> HTTPAnswer {
            let answer = service.state.withLock { state in
                state.calls.append((number, request))
                return state.answers.isEmpty ? state.standing : state.answers.removeFirst()
            }
            switch answer {
            case .answer(let answer): return answer
            case .timeout: throw HTTPCallError.timeout
            case nil: return HTTPAnswer(status: 200, version: .http2)
            }
        }
    }
}

extension ScriptedAPNs.Answer {
    static func refusal(_ status: Int, _ reason: String, timestamp: Int64? = nil) -> Self {
        let timestamp = timestamp.map { #","timestamp":\#($0)"# } ?? ""
        return .answer(
            HTTPAnswer(status: status, body: Array(#"{"reason":"\#(reason)"\#(timestamp)}"#.utf8), version: .http2))
    }
}

extension APNsAccess {
    /// An app with a key of its own.
    static func example(
        topic: String = "com.example.app", keyID: String = "ABC123DEFG", channels: [String]? = nil
    ) throws -> APNsAccess {
        let app = APNsApp(
            topic: topic, team: "DEF123GHIJ", keyID: keyID, keyPath: "\(keyID).p8", environment: .production,
            channels: channels,
            url: "https://api.push.apple.com")
        return APNsAccess(app: app, key: try APNsKey(pem: P256.Signing.PrivateKey().pemRepresentation))
    }
}

extension HTTPCall {
    /// The value of its first header of this name; nil if it has none.
    func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}
