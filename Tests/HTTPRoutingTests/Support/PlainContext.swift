import MicroHTTP
import Synchronization

@testable import HTTPRouting

/// An application that has nothing but routes. It keeps what was answered in memory.
final class PlainContext: CallContext {
    let keysInFlight = KeysInFlight()
    private let answers = Mutex<[String: (fingerprint: String, outcome: [UInt8])]>([:])

    func outcome(under scope: String) async throws -> (fingerprint: String, outcome: [UInt8])? {
        answers.withLock { $0[scope] }
    }

    func record(_ answer: HTTPResponse, of request: KeyedRequest) async throws {
        guard case .bytes(let bytes) = answer.body else { return }
        answers.withLock { $0[request.scope] = (request.fingerprint, bytes) }
    }

    func answer(_ outcome: [UInt8], to call: Call<PlainContext>) -> HTTPResponse { call.json(outcome) }
}
